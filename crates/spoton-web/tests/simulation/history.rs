//! The requests and answers of clients, and what must be true of them.

use std::collections::BTreeMap;

use spoton::engine::position::{ByPlayer, Player};
use spoton_web::ids::{Hash, SittingId};
use spoton_web::room::{self, Room};
use spoton_web::store::{Stored, Write};
use spoton_web::tables::writer::Failed;

/// A command, and all attempts to get it done.
#[derive(Debug)]
pub struct Command {
    pub id: SittingId,
    pub holder: Hash,
    pub what: What,
    pub key: Option<Hash>,
    pub expected: Option<u64>,
    /// The last event that the person had seen.
    pub knew: u64,
    pub attempts: Vec<Attempt>,
}

#[derive(Clone, Debug)]
pub enum What {
    Set,
    Join { secret: Hash },
    Act(room::Command),
}

#[derive(Debug)]
pub struct Attempt {
    pub sent: Moment,
    pub ended: Moment,
    pub outcome: Outcome,
}

#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Its place among all moments.
    pub place: u64,
    /// The sitting's last event then.
    pub last: u64,
    /// The number of accepted writes then.
    pub written: usize,
}

#[derive(Clone, Debug)]
pub enum Outcome {
    /// Acknowledged as this event.
    Kept {
        seq: u64,
        event: Option<room::Event>,
    },
    Refused(Failed),
    /// The server says that it saved nothing, and to retry.
    Nothing,
    Unknown,
}

/// A person read a sitting after they had seen an event.
#[derive(Debug)]
pub struct Read {
    pub id: SittingId,
    pub knew: u64,
    pub got: u64,
}

/// Everything that one person's streams of a sitting brought.
#[derive(Debug)]
pub struct Stream {
    pub id: SittingId,
    pub events: Vec<(u64, String)>,
}

#[derive(Debug, Default)]
pub struct History {
    pub commands: Vec<Command>,
    pub reads: Vec<Read>,
    pub streams: Vec<Stream>,
}

/// A broken promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Acknowledged, but not there.
    Lost,
    /// There twice, or acknowledged as different events.
    Doubled,
    /// Refused, but there.
    RefusedAndDone,
    /// Refused, though it was possible the whole time.
    RefusedForNothing,
    /// There, but nobody sent it.
    Unexplained,
    /// Before something that was seen or acknowledged earlier.
    Reordered,
    /// The log has a gap or can't be replayed.
    Damaged,
    /// A read was older than what the person had seen.
    Stale,
    /// A stream repeated an event, left one out or showed something else.
    Stream,
    /// A stream didn't bring the last events.
    Missed,
}

pub type Faults = Vec<(Kind, String)>;

/// A sitting after each of its events.
struct Past {
    log: Vec<Stored>,
    rooms: Vec<Room>,
    holders: Vec<ByPlayer<Option<Hash>>>,
}

impl Past {
    /// Replays a sitting; `None` if its log is damaged.
    fn new(writes: &[&Write]) -> Option<Past> {
        let (mut log, mut rooms, mut holders) = (Vec::new(), Vec::<Room>::new(), Vec::new());
        let mut now = ByPlayer::default();
        for write in writes {
            for (player, holder) in &write.seats {
                now[*player] = Some(*holder);
            }
            for event in &write.events {
                let room = match rooms.last() {
                    None => Room::replay(std::slice::from_ref(event)).ok()??,
                    Some(before) => {
                        let mut room = before.clone();
                        room.follow(event).ok()?;
                        room
                    }
                };
                log.push(event.clone());
                rooms.push(room);
                holders.push(now);
            }
        }
        Some(Past { log, rooms, holders })
    }

    /// Whether a command had to be refused in this way after an event.
    fn refuses(&self, seq: u64, command: &Command, how: &Failed, now: u64) -> bool {
        let Some(place) = (seq as usize).checked_sub(1) else { return matches!(how, Failed::Unknown) };
        let (Some(room), Some(holders)) = (self.rooms.get(place), self.holders.get(place)) else {
            return false;
        };
        if matches!(how, Failed::Outdated(_)) {
            return command.expected.is_some_and(|expected| expected != seq);
        }
        let What::Act(act) = &command.what else { return false };
        let held = |player: &Player| holders[*player] == Some(command.holder);
        let seats: Vec<Player> = Player::BOTH.into_iter().filter(held).collect();
        let refused = room.decide(&seats, act, now);
        matches!((refused, how), (Err(refusal), Failed::Refused(said)) if refusal == *said)
    }
}

impl Command {
    fn kept(&self) -> impl Iterator<Item = (&Attempt, u64, &Option<room::Event>)> {
        self.attempts.iter().filter_map(|attempt| match &attempt.outcome {
            Outcome::Kept { seq, event } => Some((attempt, *seq, event)),
            _ => None,
        })
    }

    fn is_unknown(&self) -> bool {
        self.attempts.iter().any(|attempt| matches!(attempt.outcome, Outcome::Unknown))
    }

    fn sent(&self) -> u64 {
        self.attempts.iter().map(|attempt| attempt.sent.place).min().unwrap_or(0)
    }

    /// Whether a write without a key may be this command's.
    fn fits(&self, write: &Write) -> bool {
        let event = write.events.first().and_then(|event| room::read(&event.body));
        match (&self.what, event) {
            (What::Join { secret }, _) => write.burns == Some(*secret),
            (
                What::Act(room::Command::Move(sent)),
                Some(room::Event::Game(spoton::sitting::Event::Moved { written, .. })),
            ) => *sent == written,
            _ => false,
        }
    }
}

/// Checks a history against the accepted writes, in order.
pub fn check(history: &History, written: &[Write]) -> Faults {
    let mut sittings: BTreeMap<SittingId, Vec<(usize, &Write)>> = BTreeMap::new();
    for (place, write) in written.iter().enumerate() {
        sittings.entry(write.id).or_default().push((place, write));
    }
    let mut faults = Faults::new();
    for Read { id, knew, got } in history.reads.iter().filter(|read| read.got < read.knew) {
        faults.push((Kind::Stale, format!("{id}: {got} after {knew}")));
    }
    for command in history.commands.iter().filter(|command| !sittings.contains_key(&command.id)) {
        if command.kept().next().is_some() {
            faults.push((Kind::Lost, format!("{command:?}")));
        }
    }
    for (id, writes) in sittings {
        let only: Vec<&Write> = writes.iter().map(|(_, write)| *write).collect();
        let Some(past) = Past::new(&only) else {
            faults.push((Kind::Damaged, format!("{id}: {only:?}")));
            continue;
        };
        let commands: Vec<&Command> = history.commands.iter().filter(|command| command.id == id).collect();
        check_commands(&commands, &writes, &past, &mut faults);
        check_order(&commands, &mut faults);
        for stream in history.streams.iter().filter(|stream| stream.id == id) {
            check_stream(stream, &past, &mut faults);
        }
    }
    faults
}

/// Finds each command's write, and each write's command.
fn check_commands(commands: &[&Command], writes: &[(usize, &Write)], past: &Past, faults: &mut Faults) {
    let mut explained = vec![false; writes.len()];
    let mut fault = |kind, what: &dyn std::fmt::Debug| faults.push((kind, format!("{what:?}")));
    for command in commands {
        let acknowledged = command.kept().next().map(|(_, seq, _)| seq);
        let is_its = |write: &Write| match (command.key, &write.asked) {
            (Some(key), Some(asked)) => asked.key == key,
            (None, None) => Some(write.listed.seq) == acknowledged && command.fits(write),
            _ => false,
        };
        let places: Vec<usize> = (0..writes.len()).filter(|place| is_its(writes[*place].1)).collect();
        if places.len() > 1 || places.iter().any(|place| std::mem::replace(&mut explained[*place], true)) {
            fault(Kind::Doubled, command);
        }
        let found = places.first().map(|place| writes[*place]);
        for (_, seq, event) in command.kept() {
            let last = found.filter(|(_, write)| write.listed.seq == seq);
            let body = last.and_then(|(_, write)| write.events.last());
            match body.and_then(|event| room::read(&event.body)) {
                // A room that was just set up has no last event.
                Some(saved) if event.as_ref().is_none_or(|event| *event == saved) => {}
                _ => fault(Kind::Lost, command),
            }
        }
        if found.is_some_and(|(_, write)| write.listed.seq <= command.knew) {
            fault(Kind::Reordered, command);
        }
        let last = command.attempts.last().map(|attempt| &attempt.outcome);
        match found {
            Some(_) if acknowledged.is_none() && !command.is_unknown() => {
                fault(Kind::RefusedAndDone, command)
            }
            Some(_) if matches!(last, Some(Outcome::Refused(_))) && acknowledged.is_none() => {
                fault(Kind::RefusedAndDone, command);
            }
            _ => {}
        }
        for attempt in &command.attempts {
            if let Outcome::Refused(how) = &attempt.outcome {
                // Once it's saved, every later attempt must get the same answer. With an expected number, so must every
                // other attempt: what was right for one can't have been wrong for the other.
                let was_saved = found
                    .is_some_and(|(place, _)| command.expected.is_some() || place < attempt.sent.written);
                if was_saved && command.key.is_some() {
                    fault(Kind::RefusedAndDone, command);
                } else if !is_justified(command, attempt, how, writes, past) {
                    fault(Kind::RefusedForNothing, command);
                }
            }
        }
    }
    for ((_, write), _) in writes.iter().zip(explained).filter(|(_, explained)| !explained) {
        // A command without a key whose answer was lost.
        let may_be = |command: &&&Command| {
            command.key.is_none()
                && command.is_unknown()
                && command.kept().next().is_none()
                && command.fits(write)
        };
        let sources = commands.iter().filter(may_be).count();
        if write.asked.is_some() || sources == 0 {
            fault(Kind::Unexplained, write);
        }
    }
}

/// Whether a refusal was right at some time between the request and its answer.
fn is_justified(
    command: &Command,
    attempt: &Attempt,
    how: &Failed,
    writes: &[(usize, &Write)],
    past: &Past,
) -> bool {
    let Attempt { sent, ended, .. } = attempt;
    let now = past.log.last().map_or(0, |event| event.at);
    match how {
        // Others were faster twice.
        Failed::Outdated(_) if command.expected.is_none() => ended.last > sent.last,
        Failed::NoInvitation | Failed::Refused(_) if matches!(command.what, What::Join { .. }) => {
            writes.iter().any(|(place, write)| *place < ended.written && write.burns.is_some())
        }
        _ => (sent.last..=ended.last).any(|seq| past.refuses(seq, command, how, now)),
    }
}

/// A command that was sent after another one was acknowledged must come later.
fn check_order(commands: &[&Command], faults: &mut Faults) {
    for earlier in commands {
        let Some((done, before)) = earlier.kept().map(|(attempt, seq, _)| (attempt.ended.place, seq)).min()
        else {
            continue;
        };
        for later in commands.iter().filter(|later| later.sent() > done) {
            if later.kept().any(|(_, seq, _)| seq <= before) {
                faults.push((Kind::Reordered, format!("{later:?} after {earlier:?}")));
            }
        }
    }
}

fn check_stream(stream: &Stream, past: &Past, faults: &mut Faults) {
    let mut fault = |kind, seq| faults.push((kind, format!("event {seq} of {}", stream.id)));
    for (place, (seq, data)) in stream.events.iter().enumerate() {
        let wanted = past.log.get(place).filter(|event| event.seq == *seq);
        let shows = |event: &Stored| match room::read(&event.body) {
            Some(room::Event::Game(spoton::sitting::Event::Moved { written, .. })) => {
                data.contains(&format!("\"move\":\"{written}\""))
            }
            _ => !data.contains("\"move\":"),
        };
        if !wanted.is_some_and(shows) {
            fault(Kind::Stream, *seq);
        }
    }
    if stream.events.len() < past.log.len() {
        fault(Kind::Missed, past.log.len() as u64);
    }
}
