//! The contract of every store, case by case.

use std::sync::Arc;

use spoton::engine::position::Player;
use spoton_web::store::{
    Before, Book, Class, Invitation, Listed, OfClass, Refused, Store, Stored, WaitsFor, Write,
};

use crate::support::{asked, body, hash, id, seqs, write};

type AnyStore = Arc<dyn Store>;

/// Commits one write that must succeed.
async fn done(store: &AnyStore, write: Write) {
    assert_eq!(store.commit(vec![write]).await, Ok(vec![Ok(())]));
}

/// Commits one write that must be refused.
async fn refused(store: &AnyStore, write: Write) -> Refused {
    let mut answers = store.commit(vec![write]).await.unwrap();
    assert_eq!(answers.len(), 1);
    answers.remove(0).expect_err("the store refuses the write")
}

fn invitation(name: &str, player: Player, until: Option<u64>) -> Invitation {
    Invitation { secret: hash(name), player, until }
}

fn book(text: &str) -> Book {
    Book { hash: hash(text), text: text.into() }
}

pub async fn a_log_is_read_as_it_was_written(store: AnyStore) {
    assert_eq!(store.events(id(1), 0, 10).await, Ok(vec![]));
    let bodies = ["", "{}", "a\0b", "ünï→🎲", "'; DROP TABLE event; --", &"long ".repeat(50_000)];
    let events: Vec<Stored> =
        bodies.iter().zip(1..).map(|(body, seq)| Stored { seq, at: 7 * seq, body: (*body).into() }).collect();
    done(&store, Write { events: events[..2].to_vec(), ..write(id(1), [1, 2]) }).await;
    done(&store, Write { events: events[2..].to_vec(), ..write(id(1), 3..=6) }).await;
    done(&store, write(id(2), [1])).await;
    assert_eq!(store.events(id(1), 0, usize::MAX).await.unwrap(), events);
    assert_eq!(store.events(id(1), 2, 3).await.unwrap(), events[2..5]);
    assert_eq!(store.events(id(1), 5, 100).await.unwrap(), events[5..]);
    for (after, most) in [(6, 1), (7, 1), (u64::MAX, 1), (0, 0)] {
        assert_eq!(store.events(id(1), after, most).await, Ok(vec![]));
    }
    assert_eq!(seqs(&*store, id(2)).await, [1]);
    assert_eq!(store.commit(vec![]).await, Ok(vec![]));
}

pub async fn numbers_follow_each_other(store: AnyStore) {
    for first in [0, 2, 3, u64::MAX - 1, u64::MAX] {
        assert_eq!(refused(&store, write(id(1), [first])).await, Refused::Taken, "{first}");
    }
    assert_eq!(refused(&store, write(id(1), [])).await, Refused::Taken);
    done(&store, write(id(1), [1, 2])).await;
    for wrong in
        [&[1][..], &[2], &[4], &[2, 3], &[1, 2, 3], &[3, 3], &[3, 5], &[4, 3], &[3, 4, 6], &[0, 1, 2, 3]]
    {
        assert_eq!(refused(&store, write(id(1), wrong.iter().copied())).await, Refused::Taken, "{wrong:?}");
    }
    // `listed` must name the last event.
    for listed in [0, 2, 4, u64::MAX] {
        let mut wrong = write(id(1), [3]);
        wrong.listed.seq = listed;
        assert_eq!(refused(&store, wrong).await, Refused::Taken, "{listed}");
    }
    assert_eq!(seqs(&*store, id(1)).await, [1, 2]);
    done(&store, write(id(1), [3])).await;

    // Without events, it must name the last event that the command saw.
    let seat_only = |seen| {
        let mut write = write(id(1), []);
        (write.listed.seq, write.seats) = (seen, vec![(Player::Two, hash("guest"))]);
        write
    };
    for seen in [0, 2, 4] {
        assert_eq!(refused(&store, seat_only(seen)).await, Refused::Taken, "{seen}");
    }
    assert_eq!(store.seats(id(1), hash("guest")).await, Ok(vec![]));
    done(&store, seat_only(3)).await;
    assert_eq!(store.seats(id(1), hash("guest")).await, Ok(vec![Player::Two]));
    assert_eq!(seqs(&*store, id(1)).await, [1, 2, 3]);
}

pub async fn a_write_is_done_whole_or_not_at_all(store: AnyStore) {
    let everything = |seqs: &[u64]| Write {
        asked: Some(asked("key", "body", "answer")),
        invites: vec![invitation("link", Player::Two, None)],
        seats: vec![(Player::One, hash("host"))],
        book: Some(book("title = \"Own\"")),
        ..write(id(1), seqs.iter().copied())
    };
    let burning = |seqs: &[u64]| Write { burns: Some(hash("nothing")), ..everything(seqs) };
    assert_eq!(refused(&store, everything(&[1, 2, 4])).await, Refused::Taken);
    assert_eq!(refused(&store, burning(&[1, 2, 3])).await, Refused::NoInvitation);
    assert_eq!(seqs(&*store, id(1)).await, [0; 0]);
    assert_eq!(store.asked(hash("key")).await, Ok(None));
    assert_eq!(store.seats(id(1), hash("host")).await, Ok(vec![]));
    assert_eq!(store.sittings_of(hash("host"), 9).await, Ok(vec![]));
    assert_eq!(store.invitation(id(1), hash("link"), 0).await, Ok(None));
    assert_eq!(store.book(hash("title = \"Own\"").short()).await, Ok(None));

    done(&store, everything(&[1, 2, 3])).await;
    assert_eq!(seqs(&*store, id(1)).await, [1, 2, 3]);
    assert_eq!(store.asked(hash("key")).await, Ok(Some(asked("key", "body", "answer"))));
    assert_eq!(store.seats(id(1), hash("host")).await, Ok(vec![Player::One]));
    assert_eq!(store.invitation(id(1), hash("link"), 0).await, Ok(Some(Player::Two)));
    assert_eq!(store.book(hash("title = \"Own\"").short()).await, Ok(Some(book("title = \"Own\""))));
}

pub async fn a_refused_write_undoes_no_other(store: AnyStore) {
    let keyed = |seq, key: &str| Write { asked: Some(asked(key, key, key)), ..write(id(1), [seq]) };
    let burning = Write { burns: Some(hash("none")), ..write(id(1), [3]) };
    let batch = vec![
        keyed(1, "a"),
        keyed(1, "b"),
        write(id(2), [1]),
        keyed(2, "a"),
        // Each sees the earlier ones.
        keyed(2, "b"),
        burning,
        write(id(3), [2]),
        write(id(1), [3]),
    ];
    let again = Refused::Again(asked("a", "a", "a"));
    let expected = vec![
        Ok(()),
        Err(Refused::Taken),
        Ok(()),
        Err(again),
        Ok(()),
        Err(Refused::NoInvitation),
        Err(Refused::Taken),
        Ok(()),
    ];
    assert_eq!(store.commit(batch).await.unwrap(), expected);
    assert_eq!(seqs(&*store, id(1)).await, [1, 2, 3]);
    assert_eq!(seqs(&*store, id(2)).await, [1]);
    assert_eq!(seqs(&*store, id(3)).await, [0; 0]);
}

pub async fn a_key_counts_once(store: AnyStore) {
    let with = |sitting, seq, key: &str, body: &str, answer: &str| Write {
        asked: Some(asked(key, body, answer)),
        ..write(id(sitting), [seq])
    };
    assert_eq!(refused(&store, with(1, 2, "key", "body", "refused")).await, Refused::Taken);
    assert_eq!(store.asked(hash("key")).await, Ok(None));
    done(&store, with(1, 1, "key", "body", "first")).await;
    let first = asked("key", "body", "first");
    assert_eq!(store.asked(hash("key")).await, Ok(Some(first.clone())));
    // A repeated key wins over a lost race, in any sitting.
    for (sitting, seq) in [(1, 1), (1, 2), (1, 9), (2, 1)] {
        for body in ["body", "another"] {
            let write = Write { burns: Some(hash("none")), ..with(sitting, seq, "key", body, "second") };
            assert_eq!(refused(&store, write).await, Refused::Again(first.clone()));
        }
    }
    assert_eq!(seqs(&*store, id(1)).await, [1]);
    assert_eq!(seqs(&*store, id(2)).await, [0; 0]);
    done(&store, with(1, 2, "other key", "body", "")).await;
}

pub async fn an_invitation_is_burnt_once(store: AnyStore) {
    let inviting = vec![
        invitation("link", Player::Two, None),
        invitation("code", Player::One, Some(2_000)),
        invitation("forever", Player::One, Some(u64::MAX)),
    ];
    done(&store, Write { invites: inviting, ..write(id(1), [1]) }).await;
    done(&store, write(id(2), [1])).await;
    for (secret, now, seat) in [
        ("link", u64::MAX, Some(Player::Two)),
        ("code", 1_999, Some(Player::One)),
        ("code", 2_000, None),
        ("forever", 1 << 50, Some(Player::One)),
        ("nothing", 0, None),
    ] {
        assert_eq!(store.invitation(id(1), hash(secret), now).await, Ok(seat), "{secret} at {now}");
    }
    assert_eq!(store.invitation(id(2), hash("link"), 0).await, Ok(None));

    let taking = |sitting, seq, secret: &str| Write {
        burns: Some(hash(secret)),
        seats: vec![(Player::Two, hash(format!("guest {seq}")))],
        ..write(id(sitting), [seq])
    };
    assert_eq!(refused(&store, taking(2, 2, "link")).await, Refused::NoInvitation);
    assert_eq!(refused(&store, taking(1, 1, "nothing")).await, Refused::Taken);
    let mut late = taking(1, 2, "code");
    late.listed.at = 2_000;
    assert_eq!(refused(&store, late).await, Refused::NoInvitation);
    let batch = vec![taking(1, 2, "link"), taking(1, 3, "link")];
    assert_eq!(store.commit(batch).await.unwrap(), [Ok(()), Err(Refused::NoInvitation)]);
    assert_eq!(store.invitation(id(1), hash("link"), 0).await, Ok(None));
    assert_eq!(store.seats(id(1), hash("guest 3")).await, Ok(vec![]));
    assert_eq!(refused(&store, taking(1, 3, "link")).await, Refused::NoInvitation);

    // Used up first, then created: one write can replace an invitation.
    let again = Write { invites: vec![invitation("code", Player::Two, None)], ..taking(1, 3, "code") };
    done(&store, again).await;
    assert_eq!(store.invitation(id(1), hash("code"), 5_000).await, Ok(Some(Player::Two)));
    let replaced = Write { invites: vec![invitation("code", Player::One, Some(9))], ..write(id(1), [4]) };
    done(&store, replaced).await;
    assert_eq!(store.invitation(id(1), hash("code"), 5_000).await, Ok(None));
    assert_eq!(store.invitation(id(1), hash("code"), 8).await, Ok(Some(Player::One)));
}

pub async fn seats_have_one_holder(store: AnyStore) {
    let giving = |seq, seats: &[(Player, &str)]| Write {
        seats: seats.iter().map(|(player, holder)| (*player, hash(holder))).collect(),
        ..write(id(1), [seq])
    };
    done(&store, giving(1, &[(Player::Two, "a"), (Player::One, "a")])).await;
    assert_eq!(store.seats(id(1), hash("a")).await, Ok(Player::BOTH.to_vec()));
    assert_eq!(store.holders(id(1)).await, Ok(Player::BOTH.map(|player| (player, hash("a"))).to_vec()));
    done(&store, giving(2, &[(Player::Two, "b")])).await;
    assert_eq!(store.seats(id(1), hash("a")).await, Ok(vec![Player::One]));
    assert_eq!(store.seats(id(1), hash("b")).await, Ok(vec![Player::Two]));
    assert_eq!(store.holders(id(1)).await, Ok(vec![(Player::One, hash("a")), (Player::Two, hash("b"))]));
    done(&store, giving(3, &[(Player::One, "b")])).await;
    assert_eq!(store.seats(id(1), hash("a")).await, Ok(vec![]));
    assert_eq!(store.seats(id(1), hash("b")).await, Ok(Player::BOTH.to_vec()));
    assert_eq!(store.seats(id(2), hash("b")).await, Ok(vec![]));
    assert_eq!(store.holders(id(2)).await, Ok(vec![]));
}

pub async fn own_sittings_come_latest_first(store: AnyStore) {
    let listed = |seq, at, moved, waits_for| Listed { seq, at, moved, waits_for };
    let states = [
        (3, listed(1, 50, false, WaitsFor::Guest)),
        (1, listed(1, 70, true, WaitsFor::Player(Player::Two))),
        (2, listed(1, 70, true, WaitsFor::Nobody)),
        (4, listed(1, 60, false, WaitsFor::Computer)),
    ];
    for (number, listed) in states {
        let seats = vec![(Player::One, hash("me")), (Player::Two, hash("me"))];
        done(&store, Write { listed, seats, ..write(id(number), [1]) }).await;
    }
    done(&store, Write { seats: vec![(Player::One, hash("you"))], ..write(id(5), [1]) }).await;
    let expected = [1, 2, 4, 3].map(|number| {
        let (_, listed) = states.iter().find(|(of, _)| *of == number).unwrap();
        (id(number), *listed)
    });
    assert_eq!(store.sittings_of(hash("me"), 9).await.unwrap(), expected);
    assert_eq!(store.sittings_of(hash("me"), 3).await.unwrap(), expected[..3]);
    assert_eq!(store.sittings_of(hash("nobody"), 9).await, Ok(vec![]));
    let latest = listed(2, 90, true, WaitsFor::Player(Player::One));
    done(&store, Write { listed: latest, ..write(id(3), [2]) }).await;
    assert_eq!(store.sittings_of(hash("me"), 1).await.unwrap(), [(id(3), latest)]);
}

pub async fn waiting_computers_are_found(store: AnyStore) {
    let waiting = |number, seq, at, waits_for| Write {
        listed: Listed { seq, at, moved: true, waits_for },
        ..write(id(number), [seq])
    };
    done(&store, waiting(1, 1, 30, WaitsFor::Computer)).await;
    done(&store, waiting(3, 1, 20, WaitsFor::Computer)).await;
    done(&store, waiting(2, 1, 20, WaitsFor::Computer)).await;
    done(&store, waiting(4, 1, 10, WaitsFor::Guest)).await;
    assert_eq!(store.waiting_computers(u64::MAX, 9).await.unwrap(), [id(2), id(3), id(1)]);
    assert_eq!(store.waiting_computers(30, 2).await.unwrap(), [id(2), id(3)]);
    assert_eq!(store.waiting_computers(29, 9).await.unwrap(), [id(2), id(3)]);
    assert_eq!(store.waiting_computers(19, 9).await, Ok(vec![]));
    done(&store, waiting(2, 2, 25, WaitsFor::Player(Player::One))).await;
    done(&store, waiting(3, 2, 40, WaitsFor::Computer)).await;
    assert_eq!(store.waiting_computers(100, 9).await.unwrap(), [id(1), id(3)]);
}

pub async fn books_are_stored_by_their_hash(store: AnyStore) {
    let (own, other) = (book("moves = [\"+1\"]"), book("ünï\0"));
    assert_eq!(store.book(own.hash.short()).await, Ok(None));
    store.keep_book(own.clone(), 5).await.unwrap();
    store.keep_book(own.clone(), 4).await.unwrap();
    store.keep_book(other.clone(), 5).await.unwrap();
    assert_eq!(store.book(own.hash.short()).await, Ok(Some(own.clone())));
    assert_eq!(store.book(other.hash.short()).await, Ok(Some(other)));
    for wrong in ["", "%", &own.hash.short()[..25], &own.hash.short().to_uppercase()] {
        assert_eq!(store.book(wrong.into()).await, Ok(None), "{wrong}");
    }
}

pub async fn a_removed_sitting_cannot_be_found(store: AnyStore) {
    for number in [1, 2] {
        let everything = Write {
            asked: Some(asked(&format!("key {number}"), "", "")),
            invites: vec![invitation("link", Player::Two, None)],
            seats: vec![(Player::One, hash("me"))],
            book: Some(book("shared")),
            ..write(id(number), [1, 2])
        };
        done(&store, everything).await;
    }
    assert_eq!(store.remove(id(1)).await, Ok(true));
    assert_eq!(store.remove(id(1)).await, Ok(false));
    assert_eq!(store.remove(id(9)).await, Ok(false));
    assert_eq!(seqs(&*store, id(1)).await, [0; 0]);
    assert_eq!(store.asked(hash("key 1")).await, Ok(None));
    assert_eq!(store.invitation(id(1), hash("link"), 0).await, Ok(None));
    assert_eq!(store.seats(id(1), hash("me")).await, Ok(vec![]));
    assert_eq!(store.sittings_of(hash("me"), 9).await.unwrap().len(), 1);
    // The other sitting is unchanged.
    assert_eq!(seqs(&*store, id(2)).await, [1, 2]);
    assert!(store.asked(hash("key 2")).await.unwrap().is_some());
    assert_eq!(store.invitation(id(2), hash("link"), 0).await, Ok(Some(Player::Two)));
    assert_eq!(store.seats(id(2), hash("me")).await, Ok(vec![Player::One]));
    assert_eq!(store.book(hash("shared").short()).await, Ok(Some(book("shared"))));
    assert_eq!(refused(&store, write(id(1), [3])).await, Refused::Taken);
    done(&store, write(id(1), [1])).await;
}

pub async fn abandoned_data_is_deleted(store: AnyStore) {
    // (sitting, last event, moved): unmoved ones are deleted before 100, all before 50.
    let sittings =
        [(1, 99, false), (2, 100, false), (3, 49, true), (4, 50, true), (5, 10, false), (6, 200, true)];
    for (number, at, moved) in sittings {
        let seated = Write {
            listed: Listed { seq: 1, at, moved, waits_for: WaitsFor::Nobody },
            asked: Some(asked(&format!("key at {at}"), "", "")),
            seats: vec![(Player::One, hash("me"))],
            book: Some(book(&format!("played by {number}"))),
            ..write(id(number), [1])
        };
        done(&store, seated).await;
    }
    let inviting = vec![
        invitation("gone", Player::Two, Some(100)),
        invitation("good", Player::Two, Some(101)),
        invitation("stays", Player::Two, None),
    ];
    let mut inviting = Write { invites: inviting, ..write(id(6), [2]) };
    inviting.listed.at = 200;
    done(&store, inviting).await;
    for (name, used) in [("unused", 29), ("used", 30), ("used again", 1), ("played by 4", 1)] {
        store.keep_book(book(name), used).await.unwrap();
    }
    store.keep_book(book("used again"), 30).await.unwrap();

    assert_eq!(store.tidy(before(100, 50, 30)).await, Ok(3));
    let left: Vec<_> = store.sittings_of(hash("me"), 9).await.unwrap().iter().map(|(id, _)| *id).collect();
    assert_eq!(left, [id(6), id(2), id(4)]);
    for number in [1, 3, 5] {
        assert_eq!(seqs(&*store, id(number)).await, [0; 0], "{number}");
    }
    for (at, stays) in [(99, false), (100, true), (49, false), (50, false), (10, false), (200, true)] {
        let key = store.asked(hash(format!("key at {at}"))).await.unwrap();
        assert_eq!(key.is_some(), stays, "{at}");
    }
    for (secret, stays) in [("gone", false), ("good", true), ("stays", true)] {
        assert_eq!(store.invitation(id(6), hash(secret), 0).await.unwrap().is_some(), stays, "{secret}");
    }
    let books = [
        ("unused", false),
        ("used", true),
        ("used again", true),
        ("played by 1", true),
        ("played by 2", true),
        ("played by 4", true),
        ("played by 5", false),
    ];
    for (name, stays) in books {
        assert_eq!(store.book(hash(name).short()).await.unwrap().is_some(), stays, "{name}");
    }
    // A book with a sitting stays, however old.
    assert_eq!(store.tidy(before(100, 50, 1_000)).await, Ok(0));
    assert!(store.book(hash("played by 4").short()).await.unwrap().is_some());
    assert!(store.book(hash("used").short()).await.unwrap().is_none());
    assert_eq!(store.tidy(before(u64::MAX, u64::MAX, u64::MAX)).await, Ok(3));
    assert!(store.book(hash("played by 4").short()).await.unwrap().is_none());

    // Too many to delete in one step.
    let many: Vec<Write> = (0..1_000_u32)
        .map(|number| Write {
            asked: Some(asked(&format!("{number}"), "", "")),
            ..write(spoton_web::ids::SittingId(u128::from(number).to_be_bytes()), [1])
        })
        .collect();
    assert!(store.commit(many).await.unwrap().iter().all(Result::is_ok));
    assert_eq!(store.tidy(before(u64::MAX, u64::MAX, u64::MAX)).await, Ok(1_000));
    assert_eq!(store.asked(hash("999")).await, Ok(None));
}

/// S3: of all writers with the same view one succeeds, and the log has no gap.
pub async fn only_one_of_fifty_is_first(store: AnyStore) {
    for seq in 1..=10 {
        let tasks: Vec<_> = (0..50)
            .map(|client| {
                let store = Arc::clone(&store);
                tokio::spawn(async move {
                    let write = Write {
                        asked: Some(asked(&format!("{client} {seq}"), "", "")),
                        ..write(id(1), [seq])
                    };
                    store.commit(vec![write]).await.unwrap().remove(0)
                })
            })
            .collect();
        let mut done = 0;
        for task in tasks {
            match task.await.unwrap() {
                Ok(()) => done += 1,
                Err(why) => assert_eq!(why, Refused::Taken),
            }
        }
        assert_eq!(done, 1);
    }
    let events = store.events(id(1), 0, 100).await.unwrap();
    let expected: Vec<_> = (1..=10).map(|seq| (seq, body(id(1), seq))).collect();
    assert_eq!(events.into_iter().map(|event| (event.seq, event.body)).collect::<Vec<_>>(), expected);
}

pub async fn it_says_how_much_it_keeps_and_that_it_can(store: AnyStore) {
    assert_eq!(store.is_ready().await, Ok(()));
    let before = store.bytes().await.unwrap();
    let mut long = write(id(1), [1]);
    long.events[0].body = "x".repeat(1 << 20);
    done(&store, long).await;
    let after = store.bytes().await.unwrap();
    assert!((1 << 20..1 << 21).contains(&(after - before)), "{before} {after}");
    store.remove(id(1)).await.unwrap();
    assert!(store.bytes().await.unwrap() < before + 100_000, "deleted data doesn't count");
    assert_eq!(store.is_ready().await, Ok(()));
}

fn class(code: &str, holder: &str, until: u64) -> Class {
    Class { code: code.into(), holder: hash(holder), until, is_open: true, plays: "{}".into() }
}

pub async fn a_code_belongs_to_one_class(store: AnyStore) {
    assert_eq!(store.class("BCDFGH".into()).await, Ok(None));
    assert_eq!(store.keep_class(class("BCDFGH", "teacher", 100)).await, Ok(true));
    // Another holder can't take the code or change the class.
    assert_eq!(store.keep_class(class("BCDFGH", "other", 900)).await, Ok(false));
    assert_eq!(store.class("BCDFGH".into()).await, Ok(Some(class("BCDFGH", "teacher", 100))));
    let closed = Class { is_open: false, plays: "{\"game\": 1}".into(), ..class("BCDFGH", "teacher", 200) };
    assert_eq!(store.keep_class(closed.clone()).await, Ok(true));
    assert_eq!(store.class("BCDFGH".into()).await, Ok(Some(closed.clone())));
    assert_eq!(store.class("bcdfgh".into()).await, Ok(None));

    let second = class("BBBBBB", "teacher", 300);
    assert_eq!(store.keep_class(second.clone()).await, Ok(true));
    assert_eq!(store.classes_of(hash("teacher"), 199).await, Ok(vec![second.clone(), closed.clone()]));
    assert_eq!(store.classes_of(hash("teacher"), 200).await, Ok(vec![second]));
    assert_eq!(store.classes_of(hash("other"), 0).await, Ok(vec![]));
}

pub async fn a_closed_class_lets_nobody_in(store: AnyStore) {
    let joins = |number, seq, code: &str| Write { open_class: Some(code.into()), ..write(id(number), [seq]) };
    // The write is at 1,001.
    let open = class("BCDFGH", "teacher", 1_002);
    store.keep_class(open.clone()).await.unwrap();
    store.keep_class(class("BBBBBB", "teacher", 1_001)).await.unwrap();
    let batch = vec![joins(1, 1, "BCDFGH"), joins(2, 1, "BBBBBB"), joins(3, 1, "NONE")];
    let closed = Err(Refused::ClosedClass);
    assert_eq!(store.commit(batch).await, Ok(vec![Ok(()), closed.clone(), closed.clone()]));
    store.keep_class(Class { is_open: false, ..open.clone() }).await.unwrap();
    assert_eq!(store.commit(vec![joins(4, 1, "BCDFGH"), write(id(5), [1])]).await, Ok(vec![closed, Ok(())]));
    store.keep_class(open).await.unwrap();
    assert_eq!(store.commit(vec![joins(4, 1, "BCDFGH")]).await, Ok(vec![Ok(())]));
    assert_eq!(seqs(&*store, id(2)).await, Vec::<u64>::new(), "nothing is left of the refused ones");
}

pub async fn the_sittings_of_a_class_stay_in_order(store: AnyStore) {
    let of_class = |number: u8, holder: &str| OfClass { id: id(number), holder: hash(holder) };
    let add = async |code: &str, of_class| store.add_to_class(code.into(), of_class).await.unwrap();
    store.keep_class(class("BCDFGH", "teacher", 100)).await.unwrap();
    store.keep_class(class("BBBBBB", "teacher", 100)).await.unwrap();
    add("BCDFGH", of_class(9, "ann")).await;
    add("BCDFGH", of_class(2, "ben")).await;
    add("BBBBBB", of_class(1, "eve")).await;
    // A sitting keeps its class, and adding to an unknown class does nothing.
    add("BBBBBB", of_class(9, "eve")).await;
    add("BCDFGH", of_class(9, "eve")).await;
    add("CCCCCC", of_class(3, "eve")).await;
    add("BCDFGH", of_class(5, "ann")).await;
    let expected = vec![of_class(9, "ann"), of_class(2, "ben"), of_class(5, "ann")];
    assert_eq!(store.class_sittings("BCDFGH".into()).await, Ok(expected));
    assert_eq!(store.class_sittings("BBBBBB".into()).await, Ok(vec![of_class(1, "eve")]));
    assert_eq!(store.class_of(id(2)).await, Ok(Some(class("BCDFGH", "teacher", 100))));
    assert_eq!(store.class_of(id(3)).await, Ok(None));

    // It expires at 100. Its list of sittings is deleted with it, but not the sittings.
    done(&store, write(id(2), [1])).await;
    store.tidy(before(99, 0, 0)).await.unwrap();
    assert!(store.class("BCDFGH".into()).await.unwrap().is_some());
    store.tidy(before(100, 0, 0)).await.unwrap();
    assert_eq!(store.class("BCDFGH".into()).await, Ok(None));
    assert_eq!(store.class_sittings("BCDFGH".into()).await, Ok(vec![]));
    assert_eq!(store.class_of(id(2)).await, Ok(None));
}

pub async fn remembered_values_are_returned_to_their_holder(store: AnyStore) {
    let remember = async |holder: &str, key: &str, value: Option<&str>, now| {
        let value = value.map(str::to_owned);
        store.remember(hash(holder), key.into(), value, now).await.unwrap();
    };
    let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    };
    assert_eq!(store.remembered(hash("ann")).await, Ok(vec![]));
    remember("ann", "today", Some("none"), 10).await;
    remember("ann", "puzzle 72bf 10;1", Some("missed 2026-11-16"), 20).await;
    remember("ben", "today", Some("ünï 'quoted'"), 30).await;
    let told = pairs(&[("puzzle 72bf 10;1", "missed 2026-11-16"), ("today", "none")]);
    assert_eq!(store.remembered(hash("ann")).await, Ok(told));
    assert_eq!(store.remembered(hash("ben")).await, Ok(pairs(&[("today", "ünï 'quoted'")])));
    remember("ann", "today", Some("later"), 40).await;
    remember("ann", "puzzle 72bf 10;1", None, 40).await;
    remember("ann", "never there", None, 40).await;
    assert_eq!(store.remembered(hash("ann")).await, Ok(pairs(&[("today", "later")])));
    // Data older than the time is deleted, unless it was renewed.
    store.tidy(before(0, 0, 40)).await.unwrap();
    assert_eq!(store.remembered(hash("ann")).await, Ok(pairs(&[("today", "later")])));
    assert_eq!(store.remembered(hash("ben")).await, Ok(vec![]));
}

pub async fn an_invitation_is_found_without_its_sitting(store: AnyStore) {
    let invites = |name, player, until| vec![invitation(name, player, until)];
    assert_eq!(store.invited_where(hash("code"), 0).await, Ok(None));
    done(&store, Write { invites: invites("code", Player::Two, Some(5_000)), ..write(id(2), [1]) }).await;
    done(&store, Write { invites: invites("link", Player::One, None), ..write(id(1), [1]) }).await;
    assert_eq!(store.invited_where(hash("code"), 4_999).await, Ok(Some((id(2), Player::Two))));
    assert_eq!(store.invited_where(hash("code"), 5_000).await, Ok(None));
    assert_eq!(store.invited_where(hash("link"), u64::MAX >> 1).await, Ok(Some((id(1), Player::One))));
    // The first of several by id.
    done(&store, Write { invites: invites("code", Player::One, Some(5_000)), ..write(id(1), [2]) }).await;
    assert_eq!(store.invited_where(hash("code"), 0).await, Ok(Some((id(1), Player::One))));
    done(&store, Write { burns: Some(hash("code")), ..write(id(1), [3]) }).await;
    assert_eq!(store.invited_where(hash("code"), 0).await, Ok(Some((id(2), Player::Two))));
    assert_eq!(store.remove(id(2)).await, Ok(true));
    assert_eq!(store.invited_where(hash("code"), 0).await, Ok(None));
}

/// Returns the times for cleanup; the same one for all books.
fn before(unmoved: u64, idle: u64, books: u64) -> Before {
    Before { unmoved, idle, unplayed_books: books, books }
}

pub async fn a_played_book_stays_longer_than_one_that_was_only_shared(store: AnyStore) {
    let is_there = async |name: &str| store.book(hash(name).short()).await.unwrap().is_some();
    for name in ["shared", "begun", "played"] {
        store.keep_book(book(name), 10).await.unwrap();
    }
    for (number, name, moved) in [(1, "begun", false), (2, "played", true)] {
        let mut begun = Write { book: Some(book(name)), ..write(id(number), [1]) };
        (begun.listed.at, begun.listed.moved) = (20, moved);
        done(&store, begun).await;
    }
    let tidy = async |idle, unplayed_books, books| {
        store.tidy(Before { unmoved: 0, idle, unplayed_books, books }).await.unwrap()
    };
    assert_eq!(tidy(0, 30, 0).await, 0);
    assert!(!is_there("shared").await && is_there("begun").await, "a sitting keeps its book");
    // After the sittings are deleted, the store still knows which book was played.
    assert_eq!(tidy(30, 30, 20).await, 2);
    assert!(!is_there("begun").await, "its round has no move");
    assert!(is_there("played").await);
    store.keep_book(book("played"), 40).await.unwrap();
    tidy(30, 50, 40).await;
    assert!(is_there("played").await, "it was opened later");
    tidy(30, 50, 41).await;
    assert!(!is_there("played").await);
}

pub async fn a_book_can_be_removed_and_its_rounds_go_on(store: AnyStore) {
    for name in ["unwanted", "wanted"] {
        store.keep_book(book(name), 10).await.unwrap();
    }
    done(&store, Write { book: Some(book("unwanted")), ..write(id(1), [1]) }).await;
    let short = || hash("unwanted").short();
    assert_eq!(store.remove_book(short()).await, Ok(true));
    assert_eq!(store.book(short()).await, Ok(None));
    assert_eq!(store.remove_book(short()).await, Ok(false));
    assert!(store.book(hash("wanted").short()).await.unwrap().is_some());
    done(&store, write(id(1), [2])).await;
    assert_eq!(seqs(&*store, id(1)).await, [1, 2]);
    assert_eq!(store.tidy(before(u64::MAX, u64::MAX, 0)).await, Ok(1));
}

pub async fn the_last_event_of_many_is_found(store: AnyStore) {
    done(&store, write(id(3), [1])).await;
    done(&store, write(id(1), 1..=4)).await;
    done(&store, write(id(2), 1..=2)).await;
    done(&store, write(id(2), [3])).await;
    assert_eq!(store.last_events(vec![]).await, Ok(vec![]));
    assert_eq!(store.last_events(vec![id(9)]).await, Ok(vec![]));
    let all = store.last_events(vec![id(3), id(1), id(9), id(2), id(1)]).await;
    assert_eq!(all, Ok(vec![(id(1), 4), (id(2), 3), (id(3), 1)]));
    let many = (0..40_000_u128).map(|number| spoton_web::ids::SittingId((number << 64).to_be_bytes()));
    let many = many.chain([id(2)]).collect();
    assert_eq!(store.last_events(many).await, Ok(vec![(id(2), 3)]));
}

pub async fn a_value_is_replaced_only_if_nobody_else_did(store: AnyStore) {
    let replace = async |key: &str, old: Option<&str>, new: &str| {
        let old = old.map(str::to_owned);
        store.replace_remembered(hash("ann"), key.into(), old, new.into(), 10).await.unwrap()
    };
    assert!(!replace("trying", Some("never there"), "a").await);
    assert!(replace("trying", None, "a").await);
    assert!(!replace("trying", None, "b").await, "another writer was faster");
    assert!(!replace("trying", Some("b"), "c").await);
    assert!(replace("trying", Some("a"), "b").await);
    assert!(!replace("trying", Some("a"), "c").await, "the same change again");
    store.replace_remembered(hash("ben"), "trying".into(), None, "ben's".into(), 10).await.unwrap();
    let forget = async |key: &str, old: &str| {
        store.forget_remembered(hash("ben"), key.into(), old.into()).await.unwrap()
    };
    assert!(!forget("trying", "cleo's").await && !forget("other", "ben's").await);
    store.remember(hash("ben"), "tried".into(), Some("x".into()), 10).await.unwrap();
    assert!(forget("tried", "x").await && !forget("tried", "x").await);
    let trying = |value: &str| Ok(vec![("trying".to_owned(), value.to_owned())]);
    assert_eq!(store.remembered(hash("ann")).await, trying("b"));
    assert_eq!(store.remembered(hash("ben")).await, trying("ben's"));
    let tasks: Vec<_> = (0..20)
        .map(|number| {
            let store = Arc::clone(&store);
            let new = format!("from {number}");
            tokio::spawn(async move {
                store
                    .replace_remembered(hash("ann"), "trying".into(), Some("b".into()), new, 20)
                    .await
                    .unwrap()
            })
        })
        .collect();
    let mut done = 0;
    for task in tasks {
        done += usize::from(task.await.unwrap());
    }
    assert_eq!(done, 1, "exactly one wins");
}
