//! The history checker: compares what clients asked for and saw with the log.
//!
//! Each event in a log must come from exactly one command that was acknowledged, and the other way round. So nothing is
//! lost, nothing happens twice, and nothing that was refused happens.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value as Json;

/// A command's effect, as its event in the log shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    pub kind: &'static str,
    pub player: Option<u64>,
    pub written: Option<String>,
}

impl Act {
    /// Returns whether an event is this act.
    fn is(&self, event: &Json) -> bool {
        event["kind"] == self.kind
            && self.player.is_none_or(|player| event["player"] == player)
            && event["move"].as_str() == self.written.as_deref()
    }
}

/// A command's outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Saved as the event with this number.
    Acknowledged(u64),
    /// Not saved, with this status.
    Refused(u16),
    Unknown,
}

/// A command with its idempotency key.
#[derive(Clone, Debug)]
pub struct Command {
    pub key: String,
    pub act: Act,
    /// The last event that the client knew.
    pub expected: Option<u64>,
    /// When it was sent and when its outcome was known, on the clients' common clock.
    pub sent: u64,
    pub ended: u64,
    pub outcome: Outcome,
    /// Whether the outcome was unknown at first.
    pub was_unknown: bool,
}

/// A client that had seen one event and read a state with another.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    pub knew: u64,
    pub got: u64,
}

/// Everything about a round.
#[derive(Clone, Debug, Default)]
pub struct Round {
    pub id: String,
    pub commands: Vec<Command>,
    pub reads: Vec<Read>,
    /// Each client's events from its streams, joined across reconnects.
    pub seen: Vec<Vec<Json>>,
    pub log: Vec<Json>,
}

/// A broken promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// Acknowledged, but not in the log.
    Lost,
    /// In the log more often than requested, or acknowledged as different events.
    Doubled,
    /// Refused, but in the log.
    RefusedAndDone,
    /// Refused although nothing else had happened.
    RefusedForNothing,
    /// A later command has an earlier place.
    Reordered,
    /// The log's numbers don't follow each other.
    Gap,
    /// A stream left out an event.
    StreamGap,
    /// A stream repeated an event.
    StreamRepeats,
    /// A stream showed an event that isn't in the log.
    StreamDiffers,
    /// A read was older than what the client had seen.
    Stale,
    /// The outcome stayed unknown.
    Unsettled,
}

/// The figures of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub rounds: u64,
    pub acknowledged: u64,
    pub refused: u64,
    pub unknown: u64,
    pub settled: u64,
    pub streams: u64,
    pub reads: u64,
    pub faults: BTreeMap<Fault, u64>,
    /// Some of the rounds with faults.
    examples: Vec<String>,
}

impl Report {
    /// Checks rounds.
    pub fn of(rounds: &[Round]) -> Report {
        let mut report = Report::default();
        for round in rounds {
            report.add(round);
        }
        report
    }

    fn add(&mut self, round: &Round) {
        let commands = &round.commands;
        let count = |wanted: fn(&Command) -> bool| commands.iter().filter(|it| wanted(it)).count() as u64;
        self.rounds += 1;
        self.acknowledged += count(|it| matches!(it.outcome, Outcome::Acknowledged(_)));
        self.refused += count(|it| matches!(it.outcome, Outcome::Refused(_)));
        self.unknown += count(|it| it.was_unknown);
        self.settled += count(|it| it.was_unknown && it.outcome != Outcome::Unknown);
        self.streams += round.seen.len() as u64;
        self.reads += round.reads.len() as u64;
        let faults = faults(round);
        if !faults.is_empty() && self.examples.len() < 3 {
            self.examples.push(format!("{faults:?} in {round:?}"));
        }
        for fault in faults {
            *self.faults.entry(fault).or_default() += 1;
        }
    }

    pub fn count(&self, fault: Fault) -> u64 {
        self.faults.get(&fault).copied().unwrap_or_default()
    }

    pub fn assert_faultless(&self) {
        assert!(self.faults.is_empty(), "{self}\n{}", self.examples.join("\n"));
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} rounds: {} commands acknowledged, {} refused, {} unknown, {} settled, {} lost, {} doubled; {} streams, \
             {} reads; all faults: {:?}",
            self.rounds,
            self.acknowledged,
            self.refused,
            self.unknown,
            self.settled,
            self.count(Fault::Lost),
            self.count(Fault::Doubled),
            self.streams,
            self.reads,
            self.faults,
        )
    }
}

fn seq(event: &Json) -> u64 {
    event["seq"].as_u64().unwrap_or_default()
}

/// Returns all faults of a round.
pub fn faults(round: &Round) -> Vec<Fault> {
    let mut faults = Vec::new();
    if round.log.iter().zip(1..).any(|(event, wanted)| seq(event) != wanted) {
        faults.push(Fault::Gap);
    }
    faults.extend(commands(round));
    faults.extend(order(round));
    for seen in &round.seen {
        faults.extend(stream(seen, &round.log));
    }
    faults.extend(round.reads.iter().filter(|read| read.got < read.knew).map(|_| Fault::Stale));
    faults
}

/// Finds commands that were sent after another was acknowledged, but come before it. A repeated command counts once.
fn order(round: &Round) -> Vec<Fault> {
    let mut first: BTreeMap<&str, (u64, u64, u64)> = BTreeMap::new();
    for command in &round.commands {
        if let Outcome::Acknowledged(at) = command.outcome {
            let sent = (command.sent, command.ended, at);
            let known = first.entry(&command.key).or_insert(sent);
            *known = sent.min(*known);
        }
    }
    let mut sent: Vec<_> = first.into_values().collect();
    sent.sort_unstable();
    let overtakes = |(place, earlier): (usize, &(u64, u64, u64))| {
        sent[place..].iter().any(|later| earlier.1 < later.0 && earlier.2 > later.2)
    };
    sent.iter().enumerate().filter(|it| overtakes(*it)).map(|_| Fault::Reordered).collect()
}

/// Matches commands with the log.
fn commands(round: &Round) -> Vec<Fault> {
    let mut faults = Vec::new();
    // The key of the command that each event comes from.
    let mut sources: BTreeMap<u64, &str> = BTreeMap::new();
    let mut acknowledged: BTreeMap<&str, u64> = BTreeMap::new();
    for command in &round.commands {
        match command.outcome {
            Outcome::Unknown => faults.push(Fault::Unsettled),
            Outcome::Refused(status) if !is_justified(round, command, status) => {
                faults.push(Fault::RefusedForNothing);
            }
            Outcome::Refused(_) => {}
            Outcome::Acknowledged(at) => {
                let is_there = round.log.iter().any(|event| seq(event) == at && command.act.is(event));
                if !is_there || *sources.entry(at).or_insert(&command.key) != command.key {
                    faults.push(Fault::Lost);
                }
                if *acknowledged.entry(&command.key).or_insert(at) != at {
                    faults.push(Fault::Doubled);
                }
            }
        }
    }
    for event in round.log.iter().filter(|event| !sources.contains_key(&seq(event))) {
        let was_refused = round.commands.iter().any(|command| {
            matches!(command.outcome, Outcome::Refused(_))
                && command.expected.is_none_or(|expected| expected + 1 == seq(event))
                && command.act.is(event)
        });
        faults.push(if was_refused { Fault::RefusedAndDone } else { Fault::Doubled });
    }
    faults
}

/// Returns whether a refusal has a reason: the server couldn't save, or another command was first.
fn is_justified(round: &Round, refused: &Command, status: u16) -> bool {
    let was_first = |other: &Command| {
        other.key != refused.key
            && other.sent < refused.ended
            && matches!(other.outcome, Outcome::Acknowledged(at) if refused.expected.is_none_or(|it| at > it))
    };
    match status {
        503 => true,
        409 | 410 => round.commands.iter().any(was_first),
        _ => false,
    }
}

/// Compares what a client saw with the log.
fn stream(seen: &[Json], log: &[Json]) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut next = 1;
    for event in seen {
        let at = seq(event);
        match at {
            _ if at > next => faults.push(Fault::StreamGap),
            _ if at < next => faults.push(Fault::StreamRepeats),
            _ => {}
        }
        next = next.max(at + 1);
        if !log.contains(event) {
            faults.push(Fault::StreamDiffers);
        }
    }
    if next <= log.len() as u64 {
        faults.push(Fault::StreamGap);
    }
    faults
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(seq: u64, kind: &str, player: u64, written: Option<&str>) -> Json {
        json!({ "seq": seq, "kind": kind, "player": player, "move": written, "at": 1000 + seq })
    }

    fn command(key: &str, expected: u64, player: u64, written: &str) -> Command {
        let act = Act { kind: "move", player: Some(player), written: Some(written.to_owned()) };
        Command {
            key: key.to_owned(),
            act,
            expected: Some(expected),
            sent: 10 * expected,
            ended: 10 * expected + 5,
            outcome: Outcome::Acknowledged(expected + 1),
            was_unknown: false,
        }
    }

    /// A faultless round: two players, three moves, a refused one and one whose outcome was unknown at first.
    fn faultless() -> Round {
        let log = vec![
            event(1, "move", 1, Some("+1")),
            event(2, "move", 2, Some("x2")),
            event(3, "move", 1, Some("+1")),
        ];
        let mut commands = vec![command("a", 0, 1, "+1"), command("b", 1, 2, "x2"), command("c", 2, 1, "+1")];
        commands[1].was_unknown = true;
        commands.push(Command { outcome: Outcome::Refused(409), ..command("d", 1, 2, "+1") });
        // A retry with the same key.
        commands.push(Command { sent: 100, ended: 101, ..command("a", 0, 1, "+1") });
        let reads = vec![Read { knew: 1, got: 1 }, Read { knew: 1, got: 3 }];
        Round { id: String::new(), commands, reads, seen: vec![log.clone(), log.clone()], log }
    }

    #[test]
    fn a_faultless_round_has_no_fault() {
        let report = Report::of(&[faultless(), faultless()]);
        report.assert_faultless();
        let figures = (
            report.rounds,
            report.acknowledged,
            report.refused,
            report.unknown,
            report.settled,
            report.streams,
        );
        assert_eq!(figures, (2, 8, 2, 2, 2, 4));
    }

    /// The control: the checker finds each planted fault, and no other.
    #[test]
    fn planted_faults_are_found() {
        let log_only = |round: &mut Round| round.seen.clear();
        type Plant = (&'static [Fault], fn(&mut Round));
        let planted: &[Plant] = &[
            (&[Fault::Lost], |round| drop(round.log.pop())),
            (&[Fault::Lost, Fault::Doubled], |round| round.log[1]["move"] = json!("x3")),
            (&[Fault::Lost], |round| {
                // Two commands, but one event.
                round.commands.push(Command { sent: 25, ended: 35, ..command("e", 2, 1, "+1") });
            }),
            (&[Fault::Doubled], |round| round.log.push(event(4, "move", 1, Some("+1")))),
            (&[Fault::Doubled], |round| {
                round.log.push(event(4, "move", 1, Some("+1")));
                round.commands[4].outcome = Outcome::Acknowledged(4);
            }),
            (&[Fault::RefusedAndDone], |round| {
                round.commands[2].outcome = Outcome::Refused(503);
            }),
            (&[Fault::RefusedForNothing], |round| {
                round.commands.push(Command { outcome: Outcome::Refused(409), ..command("e", 3, 1, "+1") });
            }),
            (&[Fault::RefusedForNothing], |round| {
                round.commands.push(Command { outcome: Outcome::Refused(403), ..command("e", 1, 2, "+1") });
            }),
            (&[Fault::Reordered], |round| {
                (round.commands[2].sent, round.commands[2].ended) = (1, 2);
                (round.commands[1].sent, round.commands[1].ended) = (3, 4);
                (round.commands[0].sent, round.commands[0].ended) = (0, 9);
            }),
            (&[Fault::Gap], |round| {
                round.log[2]["seq"] = json!(4);
                round.commands[2].outcome = Outcome::Acknowledged(4);
            }),
            (&[Fault::Unsettled, Fault::Doubled], |round| round.commands[2].outcome = Outcome::Unknown),
            (&[Fault::Stale], |round| round.reads.push(Read { knew: 3, got: 2 })),
        ];
        for (number, (wanted, plant)) in planted.iter().enumerate() {
            let mut round = faultless();
            log_only(&mut round);
            plant(&mut round);
            let mut found = faults(&round);
            found.dedup();
            assert_eq!(found.len(), wanted.len(), "{number}: {found:?}");
            assert!(wanted.iter().all(|fault| found.contains(fault)), "{number}: {found:?}");
        }
    }

    #[test]
    fn planted_faults_of_streams_are_found() {
        type Plant = (&'static [Fault], fn(&mut Vec<Json>));
        let planted: &[Plant] = &[
            (&[Fault::StreamGap], |seen| drop(seen.remove(1))),
            (&[Fault::StreamGap], |seen| drop(seen.pop())),
            (&[Fault::StreamRepeats], |seen| seen.insert(1, seen[0].clone())),
            (&[Fault::StreamGap, Fault::StreamRepeats], |seen| seen.swap(0, 1)),
            (&[Fault::StreamDiffers], |seen| seen[1]["at"] = json!(1)),
            (&[Fault::StreamDiffers], |seen| seen.push(event(4, "move", 2, Some("+1")))),
        ];
        for (number, (wanted, plant)) in planted.iter().enumerate() {
            let mut round = faultless();
            plant(&mut round.seen[1]);
            assert_eq!(faults(&round), *wanted, "{number}");
        }
    }
}
