//! A write, with its savepoint: all of it or nothing, and whatever becomes of it, those before and after it stay.
//!
//! The database itself refuses what does not follow (`migrations/0001_first.sql` has the triggers), so nothing is read
//! first. All statements of a write go as one text: each way to the thread of the connection and back costs more than
//! the statements. There are few different texts, so they are prepared once.

use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteConnection};
use sqlx::{AssertSqlSafe, Sqlite};

use super::rows::{self, integer, waits_for_number};
use crate::ids::{Hash, SittingId};
use crate::store::{Book, Listed, Millis, Refused, Write};

/// Does one write of a transaction, or undoes it and says why.
///
/// # Errors
///
/// If the whole transaction is to be given up.
pub async fn write(connection: &mut SqliteConnection, write: Write) -> sqlx::Result<Result<(), Refused>> {
    let key = write.asked.as_ref().map(|asked| asked.key);
    let refused = match attempt(connection, write).await {
        Ok(true) => return Ok(Ok(())),
        Ok(false) => Refusal::NoInvitation,
        Err(error) => Refusal::of(error)?,
    };
    sqlx::query("ROLLBACK TO command; RELEASE command").execute(&mut *connection).await?;
    match (refused, key) {
        (Refusal::NoInvitation, _) => Ok(Err(Refused::NoInvitation)),
        (Refusal::Taken, _) => Ok(Err(Refused::Taken)),
        (Refusal::Again(_), Some(key)) => {
            let row = sqlx::query(super::ASKED).bind(key.0.to_vec()).fetch_one(connection).await?;
            Ok(Err(Refused::Again(rows::asked_of(&row)?)))
        }
        (Refusal::Again(error), None) => Err(error),
    }
}

enum Refusal {
    /// A row with the same key is there; the only one that can be, since keys come first and the rest replaces.
    Again(sqlx::Error),
    Taken,
    NoInvitation,
}

impl Refusal {
    /// What an error says of one write; or the error, if it is about more than that.
    fn of(error: sqlx::Error) -> sqlx::Result<Refusal> {
        match error.as_database_error() {
            Some(refusal) if refusal.is_unique_violation() => Ok(Refusal::Again(error)),
            Some(refusal) if refusal.message() == "taken" => Ok(Refusal::Taken),
            _ => Err(error),
        }
    }
}

/// Whether the invitation was there, if one was to be burnt. If it was not, or on an error, the savepoint is still open.
async fn attempt(connection: &mut SqliteConnection, mut write: Write) -> sqlx::Result<bool> {
    let mut statements = Statements::default();
    statements.add("SAVEPOINT command");
    statements.log(&mut write);
    if let Some(burnt) = write.burns {
        // Whether there was one is known only afterwards, and whether it matters only after the rest was accepted.
        statements.execute(&mut *connection).await?;
        if !burn(&mut *connection, write.id, burnt, write.listed.at).await? {
            return Ok(false);
        }
        statements = Statements::default();
    }
    statements.rights(write);
    statements.add("RELEASE command");
    statements.execute(connection).await?;
    Ok(true)
}

async fn burn(
    connection: &mut SqliteConnection,
    id: SittingId,
    secret: Hash,
    now: Millis,
) -> sqlx::Result<bool> {
    let delete = "DELETE FROM invitation WHERE id = ? AND secret = ? AND (until IS NULL OR until > ?)";
    let query = sqlx::query(delete).bind(id.0.to_vec()).bind(secret.0.to_vec()).bind(integer(now));
    Ok(query.execute(connection).await?.rows_affected() == 1)
}

/// Keeps a book, or that it is still of use.
pub async fn keep_book(connection: &mut SqliteConnection, book: Book, now: Millis) -> sqlx::Result<()> {
    let mut statements = Statements::default();
    statements.book(book, now);
    statements.execute(connection).await
}

/// A text of statements, and the values of their parameters in order.
#[derive(Default)]
struct Statements {
    text: String,
    values: Vec<Value>,
}

enum Value {
    Bytes(Vec<u8>),
    Integer(i64),
    Text(String),
    Nothing,
}

impl Statements {
    /// The key, the events, and what is listed.
    fn log(&mut self, write: &mut Write) {
        let (id, listed) = (write.id, write.listed);
        if let Some(asked) = write.asked.take() {
            self.add("INSERT INTO asked (key, id, at, body, answer) VALUES (?, ?, ?, ?, ?)");
            self.bytes(&asked.key.0).bytes(&id.0).integer(listed.at).bytes(&asked.body.0).text(asked.answer);
        }
        for event in write.events.drain(..) {
            let (seq, at) = (integer(event.seq), integer(event.at));
            let sum = rows::sum(id, seq, at, event.body.as_bytes());
            self.add("INSERT INTO event (id, seq, at, body, sum) VALUES (?, ?, ?, ?, ?)");
            self.bytes(&id.0).integer(event.seq).integer(event.at).text(event.body).bytes(&sum);
        }
        let Listed { seq, at, moved, waits_for } = listed;
        self.add(
            "INSERT INTO sitting (id, seq, at, moved, waits_for) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
            seq = excluded.seq, at = excluded.at, moved = excluded.moved, waits_for = excluded.waits_for",
        );
        self.bytes(&id.0).integer(seq).integer(at).integer(u64::from(moved));
        self.values.push(Value::Integer(waits_for_number(waits_for)));
    }

    /// Who may do what from now on, and with which book.
    fn rights(&mut self, write: Write) {
        let id = write.id;
        for invitation in write.invites {
            self.add("INSERT OR REPLACE INTO invitation (id, secret, player, until) VALUES (?, ?, ?, ?)");
            self.bytes(&id.0).bytes(&invitation.secret.0).integer(invitation.player.number().into());
            self.values.push(invitation.until.map_or(Value::Nothing, |until| Value::Integer(integer(until))));
        }
        for (player, holder) in write.seats {
            self.add("INSERT OR REPLACE INTO seat (id, player, holder) VALUES (?, ?, ?)");
            self.bytes(&id.0).integer(player.number().into()).bytes(&holder.0);
        }
        if let Some(book) = write.book {
            let hash = book.hash;
            self.book(book, write.listed.at);
            self.add("INSERT OR IGNORE INTO played (id, book) VALUES (?, ?)");
            self.bytes(&id.0).bytes(&hash.0);
        }
    }

    fn book(&mut self, book: Book, now: Millis) {
        self.add(
            "INSERT INTO book (hash, short, used, text) VALUES (?, ?, ?, ?)
            ON CONFLICT (hash) DO UPDATE SET used = max(used, excluded.used)",
        );
        self.bytes(&book.hash.0).text(book.hash.short()).integer(now).text(book.text);
    }

    fn add(&mut self, statement: &str) {
        self.text.push_str(statement);
        self.text.push(';');
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Statements {
        self.values.push(Value::Bytes(bytes.to_vec()));
        self
    }

    fn integer(&mut self, number: u64) -> &mut Statements {
        self.values.push(Value::Integer(integer(number)));
        self
    }

    fn text(&mut self, text: String) -> &mut Statements {
        self.values.push(Value::Text(text));
        self
    }

    async fn execute(self, connection: &mut SqliteConnection) -> sqlx::Result<()> {
        // Safe: the text has only statements of this file, and everything else is a parameter.
        let query = sqlx::query(AssertSqlSafe(self.text));
        self.values.into_iter().fold(query, bind).execute(connection).await.map(|_| ())
    }
}

fn bind(query: Query<'_, Sqlite, SqliteArguments>, value: Value) -> Query<'_, Sqlite, SqliteArguments> {
    match value {
        Value::Bytes(bytes) => query.bind(bytes),
        Value::Integer(number) => query.bind(number),
        Value::Text(text) => query.bind(text),
        Value::Nothing => query.bind(None::<i64>),
    }
}
