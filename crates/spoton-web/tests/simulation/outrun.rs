//! A direct test of a bug that the simulation found: a server decides two commands in one batch, but another one has already written
//! the event that the first of them would have become. Then neither may be written as decided.

use std::sync::Arc;
use std::time::Duration;

use spoton::engine::position::{ByPlayer, Player};
use spoton_web::ids::{Hash, Secret, SittingId};
use spoton_web::room::{Command, Room};
use spoton_web::store::Store;
use spoton_web::store::memory::MemoryStore;
use spoton_web::tables::{NewSeat, NewTable, Tables, Terms};

use crate::people::far;

#[tokio::test]
async fn a_batch_does_not_outrun_another_server() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let [one, two] = [(); 2].map(|()| Tables::open(Arc::clone(&store), Duration::ZERO).0);
    let (id, holder) = (SittingId([7; 16]), Hash::digest("Ann and Ben on one device"));
    let seats = ByPlayer(["Ann", "Ben"].map(|name| NewSeat::Me { name: Some(name.to_owned()) }));
    let terms = Terms { hints: false, take_back: true, discover: false };
    let table = NewTable { game: far(), book: None, seats, first: Player::One, terms };
    one.set(id, table, holder, &Secret::random()).await.unwrap();
    assert_eq!(two.rooms.room(id).await.unwrap().seq(), 1, "now it's cached");
    one.act(id, holder, Command::Resign, None, None).await.unwrap();
    let moves = |written: &str| two.act(id, holder, Command::Move(written.to_owned()), None, None);
    let (first, second) = tokio::join!(moves("+1"), moves("+2"));
    assert!(first.is_err() && second.is_err(), "the round is over: {first:?}, {second:?}");
    let log = store.events(id, 0, 10).await.unwrap();
    assert_eq!(Room::replay(&log).unwrap().unwrap().seq(), 2);
}
