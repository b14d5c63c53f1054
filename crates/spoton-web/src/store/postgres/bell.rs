//! The bell: PostgreSQL's notifications. It has two connections, one that listens and one that rings.
//!
//! A notification inside a move's transaction would make all commits wait for each other, so it has another transaction.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnection, PgListener};
use tokio::sync::Mutex;

use super::rows::unavailable;
use super::server::Server;
use crate::store::bell::{Bell, Listening};
use crate::store::{Pending, Unavailable};

/// The channel's name. Each database has its own channels.
pub const CHANNEL: &str = "spoton";

/// Time to send a text.
const TIME_TO_RING: Duration = Duration::from_secs(2);

/// Time to connect and listen.
const TIME_TO_LISTEN: Duration = Duration::from_secs(4);

#[derive(Debug)]
pub struct PostgresBell {
    server: Arc<Server>,
    ringing: Mutex<Option<PgConnection>>,
}

impl PostgresBell {
    pub fn new(server: Arc<Server>) -> PostgresBell {
        PostgresBell { server, ringing: Mutex::new(None) }
    }

    async fn send(&self, text: &str) -> Result<(), Unavailable> {
        let mut ringing = self.ringing.lock().await;
        // Taken out, so a connection in an unknown state is dropped.
        let mut connection = match ringing.take() {
            Some(connection) => connection,
            None => {
                let mut connection = self.server.connect().await?;
                // A text needn't survive a power cut, so nobody waits for the disk.
                let hurry = sqlx::query("SELECT set_config('synchronous_commit', 'off', false)");
                hurry.execute(&mut connection).await.map_err(unavailable)?;
                connection
            }
        };
        let notify = sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(text);
        notify.execute(&mut connection).await.map_err(unavailable)?;
        *ringing = Some(connection);
        Ok(())
    }
}

fn late() -> Unavailable {
    Unavailable("the database doesn't answer in time".to_owned())
}

impl Bell for PostgresBell {
    fn ring(&self, text: String) -> Pending<'_, ()> {
        Box::pin(async move {
            let rung = tokio::time::timeout(TIME_TO_RING, self.send(&text)).await;
            rung.unwrap_or_else(|_| Err(late()))
        })
    }

    fn listen(&self) -> Pending<'_, Box<dyn Listening>> {
        Box::pin(async move {
            let listen = tokio::time::timeout(TIME_TO_LISTEN, self.server.listen(CHANNEL)).await;
            Ok(Box::new(listen.unwrap_or_else(|_| Err(late()))?) as Box<dyn Listening>)
        })
    }
}

impl Listening for PgListener {
    fn hear(&mut self) -> Pending<'_, String> {
        Box::pin(async move {
            match self.try_recv().await {
                Ok(Some(text)) => Ok(text.payload().to_owned()),
                Ok(None) => Err(Unavailable("the connection that listens was lost".to_owned())),
                Err(error) => Err(unavailable(error)),
            }
        })
    }
}
