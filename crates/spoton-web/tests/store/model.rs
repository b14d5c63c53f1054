//! Randomized comparison with the memory store: thousands of writes of all kinds, sequential and concurrent, must get
//! the same answers.

use std::sync::Arc;

use spoton::engine::position::Player;
use spoton_web::ids::{Hash, SittingId};
use spoton_web::store::memory::MemoryStore;
use spoton_web::store::{
    Before, Book, Class, IdempotentAnswer, Invitation, Listed, Refused, Store, Stored, WaitsFor, Write,
};

use crate::support::{Random, hash, id, write};

const SITTINGS: u64 = 6;
const KEYS: u64 = 60;
const SECRETS: u64 = 5;
const HOLDERS: u64 = 4;
const BOOKS: u64 = 4;
const CLASSES: u64 = 3;
const TIMES: u64 = 200;

type AnyStore = Arc<dyn Store>;

fn named(kind: &str, number: u64) -> Hash {
    hash(format!("{kind} {number}"))
}

fn sitting(random: &mut Random) -> SittingId {
    id(random.below(SITTINGS) as u8 + 1)
}

fn player(random: &mut Random) -> Player {
    Player::BOTH[random.below(2) as usize]
}

fn book(random: &mut Random) -> Book {
    let text = format!("book {}", random.below(BOOKS));
    Book { hash: hash(&text), text }
}

fn class_code(random: &mut Random) -> String {
    format!("class {}", random.below(CLASSES))
}

/// Returns a write that usually follows `last` but sometimes has an error.
fn some_write(random: &mut Random, id: SittingId, last: u64) -> Write {
    let first = match random.below(8) {
        0 => random.below(last + 4),
        _ => last + 1,
    };
    let count = [0, 1, 1, 1, 1, 2, 3][random.below(7) as usize];
    let at = random.below(TIMES);
    let events: Vec<Stored> = (first..first + count)
        .map(|seq| Stored {
            seq: seq + u64::from(random.one_in(40)),
            at,
            body: format!("{}", random.below(1 << 40)),
        })
        .collect();
    let seq = match random.one_in(30) {
        true => random.below(last + 4),
        false => (first + count).saturating_sub(1),
    };
    let waits_for = match random.below(4) {
        0 => WaitsFor::Computer,
        1 => WaitsFor::Guest,
        2 => WaitsFor::Nobody,
        _ => WaitsFor::Player(player(random)),
    };
    let chance = |random: &mut Random, of| random.one_in(of).then_some(());
    Write {
        id,
        events,
        listed: Listed { seq, at, moved: random.one_in(2), waits_for },
        asked: chance(random, 2).map(|()| IdempotentAnswer {
            key: named("key", random.below(KEYS)),
            body: named("body", random.below(2)),
            answer: format!("answer {}", random.below(1 << 40)),
        }),
        burns: chance(random, 5).map(|()| named("secret", random.below(SECRETS))),
        invites: (0..random.below(6).saturating_sub(3))
            .map(|_| Invitation {
                secret: named("secret", random.below(SECRETS)),
                player: player(random),
                until: chance(random, 2).map(|()| random.below(TIMES)),
            })
            .collect(),
        seats: (0..random.below(6).saturating_sub(3))
            .map(|_| (player(random), named("holder", random.below(HOLDERS))))
            .collect(),
        book: chance(random, 6).map(|()| book(random)),
        open_class: chance(random, 4).map(|()| class_code(random)),
    }
}

/// Returns a batch that knows the logs and its own earlier writes, like the writer above a store.
async fn some_batch(random: &mut Random, model: &dyn Store) -> Vec<Write> {
    let mut last = [0; SITTINGS as usize + 1];
    for number in 1..=SITTINGS {
        last[number as usize] = model.events(id(number as u8), 0, usize::MAX).await.unwrap().len() as u64;
    }
    let size = match random.one_in(4) {
        true => 1 + random.below(64),
        false => 1 + random.below(4),
    };
    (0..size)
        .map(|_| {
            let id = sitting(random);
            let last = &mut last[id.0[0] as usize];
            let write = some_write(random, id, *last);
            // If the store refuses it, the later ones leave a gap.
            if !random.one_in(10) {
                *last = write.listed.seq;
            }
            write
        })
        .collect()
}

/// Returns everything that a store can answer, as text to compare.
async fn everything(store: &dyn Store) -> String {
    let mut all = Vec::new();
    for number in 1..=SITTINGS as u8 {
        all.push(format!("{:?}", store.events(id(number), 0, usize::MAX).await));
        all.push(format!("{:?}", store.events(id(number), 3, 4).await));
        for secret in 0..SECRETS {
            for now in [0, TIMES / 2, TIMES] {
                all.push(format!("{:?}", store.invitation(id(number), named("secret", secret), now).await));
            }
        }
        for holder in 0..HOLDERS {
            all.push(format!("{:?}", store.seats(id(number), named("holder", holder)).await));
        }
    }
    for holder in 0..HOLDERS {
        all.push(format!("{:?}", store.sittings_of(named("holder", holder), 4).await));
    }
    for secret in 0..SECRETS {
        for now in [0, TIMES / 2, TIMES] {
            all.push(format!("{:?}", store.invited_where(named("secret", secret), now).await));
        }
    }
    for key in 0..KEYS {
        all.push(format!("{:?}", store.asked(named("key", key)).await));
    }
    for number in 0..BOOKS {
        all.push(format!("{:?}", store.book(hash(format!("book {number}")).short()).await));
    }
    all.push(format!("{:?}", store.waiting_computers(TIMES / 2, 2).await));
    all.push(format!("{:?}", store.waiting_computers(TIMES, 100).await));
    all.join("\n")
}

pub async fn every_answer_is_that_of_the_model(store: AnyStore) {
    let model = MemoryStore::default();
    let mut random = Random::new(1);
    let (mut writes, mut seen) = (0, [0; 5]);
    for step in 0..500 {
        match random.below(20) {
            0 => {
                let id = sitting(&mut random);
                assert_eq!(store.remove(id).await, model.remove(id).await, "step {step}");
            }
            1 => {
                let mut time = || random.below(TIMES / 2);
                let (unmoved, idle, books) = (time(), time() / 2, time());
                let before = Before { unmoved, idle, unplayed_books: time(), books };
                let expected = model.tidy(before).await;
                assert_eq!(store.tidy(before).await, expected, "step {step}");
            }
            2 => {
                let (book, now) = (book(&mut random), random.below(TIMES));
                model.keep_book(book.clone(), now).await.unwrap();
                store.keep_book(book, now).await.unwrap();
            }
            3 => {
                let code = class_code(&mut random);
                let (holder, is_open) = (hash("teacher"), !random.one_in(4));
                let class = Class { code, holder, until: random.below(TIMES), is_open, plays: "{}".into() };
                assert_eq!(
                    store.keep_class(class.clone()).await,
                    model.keep_class(class).await,
                    "step {step}"
                );
            }
            _ => {
                let batch = some_batch(&mut random, &model).await;
                writes += batch.len();
                let expected = model.commit(batch.clone()).await.unwrap();
                assert_eq!(store.commit(batch).await.unwrap(), expected, "step {step}");
                for answer in expected {
                    seen[match answer {
                        Ok(()) => 0,
                        Err(Refused::Again(_)) => 1,
                        Err(Refused::Taken) => 2,
                        Err(Refused::NoInvitation) => 3,
                        Err(Refused::ClosedClass) => 4,
                    }] += 1;
                }
            }
        }
        if step % 10 == 0 {
            assert_eq!(everything(&*store).await, everything(&model).await, "step {step}");
        }
    }
    assert_eq!(everything(&*store).await, everything(&model).await);
    // Otherwise the test proves little.
    assert!(writes > 3_000 && seen.iter().all(|count| *count > 100), "{writes} writes: {seen:?}");
}

/// Batches from several tasks: the model must give the same answers in the order of the commits. That order is known
/// because each batch starts with a write for every number, highest first. Only the write with the next number
/// succeeds.
pub async fn batches_at_once_are_as_one_after_another(store: AnyStore) {
    const TASKS: u64 = 8;
    const BATCHES: u64 = 8;
    let clock = id(200);
    let tasks: Vec<_> = (0..TASKS)
        .map(|task| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let mut random = Random::new(100 + task);
                let mut done = Vec::new();
                for _ in 0..BATCHES {
                    let mut batch = some_batch(&mut random, &*store).await;
                    batch.splice(0..0, (1..=TASKS * BATCHES).rev().map(|number| write(clock, [number])));
                    let answers = store.commit(batch.clone()).await.unwrap();
                    done.push((batch, answers));
                }
                done
            })
        })
        .collect();
    let mut all = Vec::new();
    for task in tasks {
        all.extend(task.await.unwrap());
    }
    let numbers = (TASKS * BATCHES) as usize;
    all.sort_by_key(|(_, answers)| {
        let got: Vec<usize> = (0..numbers).filter(|place| answers[*place].is_ok()).collect();
        assert_eq!(got.len(), 1, "each batch takes one number");
        numbers - got[0]
    });
    let model = MemoryStore::default();
    let mut done = 0;
    for (batch, answers) in all {
        done += answers[numbers..].iter().filter(|answer| answer.is_ok()).count();
        assert_eq!(model.commit(batch).await.unwrap(), answers);
    }
    assert!(done > 50, "{done}");
    assert_eq!(everything(&*store).await, everything(&model).await);
}
