//! News for the other servers on a database: which sittings have changed, and who has them open. Only the
//! store has the events.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use spoton::engine::position::{ByPlayer, Player};
use tokio::sync::Notify;

use crate::ids::SittingId;

/// News for other servers, or from one of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ring {
    /// The last event of each changed sitting.
    pub changed: BTreeMap<SittingId, u64>,
    /// Sittings whose pages should reload although there's no new event.
    pub again: BTreeSet<SittingId>,
    /// The players who have a sitting open at this server.
    pub here: BTreeMap<SittingId, ByPlayer<bool>>,
    /// Asks who is where: this server has just begun to listen.
    pub asks: bool,
    /// This server is shutting down.
    pub leaves: bool,
}

impl Ring {
    pub fn is_empty(&self) -> bool {
        *self == Ring::default()
    }

    /// Takes as much as fits into a text, changes first: people wait for them.
    pub fn take_text(&mut self, server: &str, longest: usize) -> String {
        let mut text = server.to_owned();
        let mut add = |word: &str| {
            let fits = text.len() + 1 + word.len() <= longest;
            if fits {
                text.push(' ');
                text.push_str(word);
            }
            fits
        };
        self.asks = self.asks && !add("?");
        self.leaves = self.leaves && !add("-");
        self.changed.retain(|id, seq| !add(&format!("{id}:{seq}")));
        self.again.retain(|id| !add(&format!("{id}!")));
        self.here.retain(|id, here| {
            let mut word = format!("{id}@");
            for player in Player::BOTH.into_iter().filter(|player| here[*player]) {
                // Writing to a `String` can't fail.
                let _ = write!(word, "{}", player.number());
            }
            !add(&word)
        });
        text
    }

    /// Reads a text: the server that sent it, and its news. Skips words of newer versions.
    pub fn read(text: &str) -> (&str, Ring) {
        let mut words = text.split(' ');
        let (server, mut ring) = (words.next().unwrap_or_default(), Ring::default());
        for word in words {
            match word {
                "?" => ring.asks = true,
                "-" => ring.leaves = true,
                _ => {
                    ring.take_in(word);
                }
            }
        }
        (server, ring)
    }

    fn take_in(&mut self, word: &str) -> Option<()> {
        let (id, rest) = word.split_at_checked(26)?;
        let id = id.parse().ok()?;
        match rest.split_at_checked(1)? {
            (":", seq) => {
                self.changed.insert(id, seq.parse().ok()?);
            }
            ("!", "") => {
                self.again.insert(id);
            }
            ("@", players) => {
                let is_here = |player: Player| players.contains(&player.number().to_string());
                self.here.insert(id, ByPlayer::from_fn(is_here));
            }
            _ => {}
        }
        Some(())
    }
}

/// News that the other servers haven't got yet.
#[derive(Debug)]
pub struct Outbox {
    /// This server's name.
    pub server: String,
    waiting: Mutex<Ring>,
    filled: Notify,
}

impl Outbox {
    pub fn new(server: String) -> Outbox {
        Outbox { server, waiting: Mutex::default(), filled: Notify::new() }
    }

    fn waiting(&self) -> MutexGuard<'_, Ring> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn changed(&self, id: SittingId, seq: u64) {
        self.add(|ring| {
            ring.changed.insert(id, seq);
        });
    }

    pub fn again(&self, id: SittingId) {
        self.add(|ring| {
            ring.again.insert(id);
        });
    }

    pub fn here(&self, here: impl IntoIterator<Item = (SittingId, ByPlayer<bool>)>) {
        self.add(|ring| ring.here.extend(here));
    }

    /// Adds news.
    pub fn add(&self, add: impl FnOnce(&mut Ring)) {
        add(&mut self.waiting());
        self.filled.notify_one();
    }

    /// Waits until there is news.
    pub async fn filled(&self) {
        while self.waiting().is_empty() {
            self.filled.notified().await;
        }
    }

    /// Takes the next text, and its news in case it must be put back. Without news it's only a sign of life.
    pub fn take(&self, longest: usize) -> (String, Ring) {
        let mut waiting = self.waiting();
        let text = waiting.take_text(&self.server, longest);
        drop(waiting);
        let taken = Ring::read(&text).1;
        (text, taken)
    }

    /// Puts back news that couldn't be sent. Newer news wins.
    pub fn put_back(&self, ring: Ring) {
        let mut waiting = self.waiting();
        for (id, seq) in ring.changed {
            let newest = waiting.changed.entry(id).or_default();
            *newest = seq.max(*newest);
        }
        waiting.again.extend(ring.again);
        for (id, here) in ring.here {
            waiting.here.entry(id).or_insert(here);
        }
        waiting.asks |= ring.asks;
        waiting.leaves |= ring.leaves;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u16) -> SittingId {
        let mut id = [0; 16];
        id[..2].copy_from_slice(&number.to_be_bytes());
        SittingId(id)
    }

    fn much(count: u16) -> Ring {
        Ring {
            changed: (0..count).map(|number| (id(number), u64::from(number) + 1)).collect(),
            again: (0..count).map(id).collect(),
            here: (0..count)
                .map(|number| (id(number), ByPlayer([number % 2 == 0, number % 3 == 0])))
                .collect(),
            asks: true,
            leaves: true,
        }
    }

    #[test]
    fn news_is_read_as_it_was_written_in_as_many_texts_as_needed() {
        for (count, longest) in [(1, 7_999), (400, 7_999), (50, 70)] {
            let (mut left, mut heard, mut texts) = (much(count), Ring::default(), 0);
            while !left.is_empty() {
                let text = left.take_text("abcdefgh", longest);
                assert!(text.len() <= longest);
                let (server, part) = Ring::read(&text);
                assert_eq!(server, "abcdefgh");
                assert!(!part.is_empty(), "every text has news");
                heard.changed.extend(part.changed);
                heard.again.extend(part.again);
                heard.here.extend(part.here);
                heard.asks |= part.asks;
                heard.leaves |= part.leaves;
                texts += 1;
            }
            assert_eq!(heard, much(count));
            assert_eq!(texts == 1, count == 1);
        }
    }

    #[test]
    fn unknown_words_are_skipped() {
        let text = format!("a x é {0}:1 {0}:x {0}~7 {0} ?? ", id(1));
        let (server, ring) = Ring::read(&text);
        assert_eq!((server, ring), ("a", Ring { changed: [(id(1), 1)].into(), ..Ring::default() }));
        assert_eq!(Ring::read(""), ("", Ring::default()));
    }

    #[tokio::test]
    async fn news_that_could_not_be_sent_is_sent_later() {
        let outbox = Outbox::new("a".to_owned());
        let both = ByPlayer([true, true]);
        outbox.add(|ring| {
            ring.changed.insert(id(1), 5);
            ring.here.insert(id(1), both);
        });
        outbox.filled().await;
        let (_, taken) = outbox.take(7_999);
        // Newer news comes while it's being sent.
        outbox.add(|ring| {
            ring.changed.insert(id(1), 6);
            ring.here.insert(id(1), ByPlayer::default());
        });
        outbox.put_back(taken);
        let (_, taken) = outbox.take(7_999);
        assert_eq!((taken.changed[&id(1)], taken.here[&id(1)]), (6, ByPlayer::default()));
        let (text, taken) = outbox.take(7_999);
        assert!(text == "a" && taken.is_empty(), "only a sign of life is left");
    }
}
