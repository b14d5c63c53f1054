//! The people: they set up sittings, join, play and watch at random nodes, and ask again if they get no answer.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use spoton::engine::position::{ByPlayer, Player};
use spoton::format::{BookText, Changes, Game};
use spoton::view::Offer;
use spoton_web::ids::{Hash, Secret, SittingId};
use spoton_web::room::{Command as Act, Room};
use spoton_web::tables::writer::Failed;
use spoton_web::tables::{NewSeat, NewTable, NoTable, Terms};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_stream::StreamExt;
use tower::ServiceExt;

use crate::chance::{Chance, wait};
use crate::cluster::{Cluster, Node};
use crate::history::{Attempt, Command, History, Moment, Outcome, Read, Stream, What};
use crate::trace::note;

/// A client waits this long for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Time in which every stream must have the last events, even without a bell.
const QUIET: Duration = Duration::from_secs(5);

/// The number of different moves: the most that a span allows.
const MOVES: u64 = 16;

/// Returns a game that doesn't end during a test.
pub fn far() -> Game {
    let text = format!("title = 'Far'\nstart = 0\ntarget = 1000000\nmoves = ['+1..{MOVES}']\n");
    let book = BookText { id: "far".into(), own_file: true, source_name: "far".into(), text };
    Game::new(book, "far".into(), &Changes::default()).unwrap()
}

/// A person with a browser.
pub struct Person {
    name: String,
    token: Secret,
    holder: Hash,
    chance: Chance,
    /// The last event that they have seen.
    knew: AtomicU64,
    /// The number of their moves.
    moves: AtomicU64,
    /// The events from their streams.
    seen: Mutex<Vec<(u64, String)>>,
}

impl Person {
    fn new(name: String, chance: Chance) -> Arc<Person> {
        let token = Secret::sent(&format!("{name}'s token"));
        let (holder, [knew, moves], seen) = (token.hash(), [0; 2].map(AtomicU64::new), Mutex::default());
        Arc::new(Person { name, token, holder, chance, knew, moves, seen })
    }

    fn knew(&self) -> u64 {
        self.knew.load(Ordering::Relaxed)
    }

    fn saw(&self, seq: u64) {
        self.knew.fetch_max(seq, Ordering::Relaxed);
    }

    fn seen(&self) -> MutexGuard<'_, Vec<(u64, String)>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Everything that the people share.
pub struct World {
    pub cluster: Arc<Cluster>,
    game: Game,
    history: Mutex<History>,
    places: AtomicU64,
    keys: AtomicU64,
}

impl World {
    pub fn new(cluster: Arc<Cluster>) -> Arc<World> {
        let (history, places, keys) = (Mutex::default(), AtomicU64::new(0), AtomicU64::new(0));
        Arc::new(World { cluster, game: far(), history, places, keys })
    }

    fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn end(&self) -> History {
        std::mem::take(&mut self.history())
    }

    fn moment(&self, id: SittingId) -> Moment {
        let database = &self.cluster.database;
        let place = self.places.fetch_add(1, Ordering::Relaxed);
        Moment { place, last: database.last(id), written: database.count_written() }
    }

    fn key(&self) -> Hash {
        Hash::digest(format!("key {}", self.keys.fetch_add(1, Ordering::Relaxed)))
    }

    /// Waits for a running node.
    async fn node(&self, chance: &Chance) -> Node {
        loop {
            if let Some(node) = self.cluster.any(chance) {
                return node;
            }
            wait(Duration::from_millis(20)).await;
        }
    }
}

/// A person at a sitting.
#[derive(Clone)]
struct Seat {
    world: Arc<World>,
    person: Arc<Person>,
    id: SittingId,
    /// The invitation's secret.
    secret: Secret,
}

/// Plays a few sittings during all trouble. After it, everyone reads at every node.
pub async fn play(world: &Arc<World>, chance: &Chance) {
    let mut sittings = JoinSet::new();
    let mut watchers = JoinSet::new();
    let mut seats = Vec::new();
    for number in 0..1 + chance.below(2) {
        let mut id = [0; 16];
        id[..8].copy_from_slice(&chance.next().to_be_bytes());
        let (id, secret) = (SittingId(id), Secret::sent(&format!("join {number}")));
        // If three people try, the second or third gets no seat.
        let people: Vec<Seat> = (0..2 + chance.below(2))
            .map(|place| {
                let name = format!("{}{number}", ["Ann", "Ben", "Cleo"][place as usize]);
                let (world, person) = (Arc::clone(world), Person::new(name, chance.fork()));
                Seat { world, person, id, secret: secret.clone() }
            })
            .collect();
        for seat in &people {
            watchers.spawn(seat.clone().watch());
        }
        sittings.spawn(play_sitting(people.clone()));
        seats.extend(people);
    }
    let cluster = Arc::clone(&world.cluster);
    let trouble = cluster.trouble(chance.fork());
    tokio::select! {
        biased;
        () = async { while let Some(done) = sittings.join_next().await { done.unwrap() } } => {}
        () = trouble => {}
    }
    world.cluster.heal();
    wait(QUIET).await;
    for seat in &seats {
        for node in world.cluster.running() {
            seat.read(&node, false).await;
        }
        let events = seat.person.seen().clone();
        world.history().streams.push(Stream { id: seat.id, events });
    }
    watchers.shutdown().await;
}

async fn play_sitting(people: Vec<Seat>) {
    let Some((host, guests)) = people.split_first() else { return };
    // Nobody else can join before that.
    if !host.act(What::Set, None, None).await {
        return;
    }
    let mut tabs = JoinSet::new();
    for guest in guests {
        let guest = guest.clone();
        tabs.spawn(async move {
            wait(guest.person.chance.between(0, 50)).await;
            let join = What::Join { secret: guest.secret.hash() };
            if guest.act(join, None, None).await || guest.has_seat().await {
                guest.tab().await;
            }
        });
    }
    for _ in 0..1 + host.person.chance.below(2) {
        let host = host.clone();
        tabs.spawn(async move { host.tab().await });
    }
    while let Some(done) = tabs.join_next().await {
        done.unwrap();
    }
}

impl Seat {
    fn chance(&self) -> &Chance {
        &self.person.chance
    }

    /// Plays in a browser tab.
    async fn tab(&self) {
        let mut room: Option<Arc<Room>> = None;
        for _ in 0..8 + self.chance().below(8) {
            wait(self.chance().between(0, 100)).await;
            let known = room.take().filter(|_| !self.chance().one_in(4));
            let act = known.as_ref().and_then(|room| self.choose(room));
            let (Some(known), Some(act)) = (known, act) else {
                let node = self.world.node(self.chance()).await;
                room = self.read(&node, self.chance().one_in(5)).await;
                continue;
            };
            let expected = self.chance().below(5) < 3;
            let expected = expected.then_some(known.seq());
            let is_move = matches!(act, Act::Move(_));
            let key = (!is_move || !self.chance().one_in(4)).then(|| self.world.key());
            self.act(What::Act(act), key, expected).await;
            room = match self.chance().one_in(2) {
                // A page that wasn't reloaded.
                true => Some(known),
                false => None,
            };
        }
    }

    /// Returns what to do; `None` to look first.
    fn choose(&self, room: &Room) -> Option<Act> {
        let chance = self.chance();
        let turn = room.sitting().round().position().turn();
        let own = if self.person.name.starts_with("Ann") { Player::One } else { Player::Two };
        if room.is_over() {
            return Some(Act::Offer(Offer::Rematch));
        }
        match chance.below(20) {
            0 => Some(Act::Resign),
            1 | 2 => Some(Act::Offer(Offer::TakeBack)),
            3 | 4 if room.offer().is_some() => Some(Act::Decline),
            _ if turn != own && !chance.one_in(4) => None,
            // Different moves in two tabs: without keys, nobody could distinguish equal ones.
            _ => {
                Some(Act::Move(format!("+{}", 1 + self.person.moves.fetch_add(1, Ordering::Relaxed) % MOVES)))
            }
        }
    }

    /// Looks at the board, or at the list of the person's rounds.
    async fn read(&self, node: &Node, in_list: bool) -> Option<Arc<Room>> {
        let (id, holder, knew) = (self.id, self.person.holder, self.person.knew());
        let tables = node.tables.clone();
        let look = async move {
            if !in_list {
                return tables.rooms.room(id).await;
            }
            let list = tables.store.sittings_of(holder, 10).await?;
            let (_, listed) = list.iter().find(|(listed, _)| *listed == id).ok_or(Failed::Unknown)?;
            tables.rooms.listed(id, listed).await
        };
        let found = node.run(timeout(PATIENCE, look)).await?.ok()?;
        let got = match &found {
            Ok(room) => room.seq(),
            // Strangers have an empty list.
            Err(Failed::Unknown) if !in_list => 0,
            Err(_) => return None,
        };
        note!(self.world.cluster.database.trace, "{} reads {got} at node {}", self.person.name, node.number);
        self.world.history().reads.push(Read { id, knew, got });
        self.person.saw(got);
        found.ok()
    }

    async fn has_seat(&self) -> bool {
        for _ in 0..20 {
            let node = self.world.node(self.chance()).await;
            let (tables, id, holder) = (node.tables.clone(), self.id, self.person.holder);
            let look = async move { tables.rooms.current(id).await };
            if let Some(Ok(Ok(seated))) = node.run(timeout(PATIENCE, look)).await {
                return !seated.seats(holder).is_empty();
            }
            wait(self.chance().between(10, 300)).await;
        }
        false
    }

    /// Sends a command until its outcome is known, or gives up. Returns whether it was acknowledged.
    async fn act(&self, what: What, key: Option<Hash>, expected: Option<u64>) -> bool {
        let key = key.or_else(|| matches!(what, What::Set).then(|| self.world.key()));
        let (id, holder, knew) = (self.id, self.person.holder, self.person.knew());
        let mut command = Command { id, holder, what, key, expected, knew, attempts: vec![] };
        loop {
            let node = self.world.node(self.chance()).await;
            if command.key.is_some() && self.chance().one_in(8) {
                // A proxy retries before the first answer.
                let other = self.world.node(self.chance()).await;
                let (one, two) = tokio::join!(
                    biased;
                    self.attempt(&node, &command),
                    self.attempt(&other, &command)
                );
                command.attempts.extend([one, two]);
            } else {
                let attempt = self.attempt(&node, &command).await;
                command.attempts.push(attempt);
            }
            let outcomes = command.attempts.iter().map(|attempt| &attempt.outcome);
            let is_known = |outcome: &Outcome| matches!(outcome, Outcome::Kept { .. } | Outcome::Refused(_));
            let gives_up = match command.attempts.last().map(|attempt| &attempt.outcome) {
                Some(Outcome::Nothing) => command.attempts.len() > 1 && self.chance().one_in(4),
                // A retry without a key could be a second move. An invitation works only once.
                _ if key.is_none() && matches!(command.what, What::Act(_)) => true,
                _ => false,
            };
            if outcomes.rev().take(2).any(is_known) || gives_up {
                break;
            }
            wait(self.chance().between(10, 500)).await;
        }
        let kept = command.attempts.iter().any(|attempt| matches!(attempt.outcome, Outcome::Kept { .. }));
        self.world.history().commands.push(command);
        kept
    }

    async fn attempt(&self, node: &Node, command: &Command) -> Attempt {
        let Seat { world, person, id, .. } = self;
        let (id, what, expected) = (*id, command.what.clone(), command.expected);
        let key = command.key.map(|key| (key, Hash::digest("the same request")));
        let (tables, holder) = (node.tables.clone(), person.holder);
        let (game, secret, name) = (world.game.clone(), self.secret.clone(), person.name.clone());
        let request = async move {
            match what {
                What::Set => {
                    let seats = ByPlayer([NewSeat::Me { name: Some(name) }, NewSeat::Friend]);
                    let terms = Terms { hints: false, take_back: true, discover: false };
                    let table = NewTable { game, book: None, seats, first: Player::One, terms };
                    tables.set_once(id, table, holder, &secret, key).await
                }
                What::Join { .. } => {
                    let seat = tables.take_seat(id, &secret, Some(name), holder).await;
                    Ok(seat.map(|(_, room)| room)?)
                }
                What::Act(act) => Ok(tables.act(id, holder, act, expected, key).await?),
            }
        };
        let sent = world.moment(id);
        let knew = person.knew();
        let answer = node.run(timeout(PATIENCE, request)).await;
        let outcome = match answer {
            Some(Ok(Ok(room))) => {
                person.saw(room.seq());
                Outcome::Kept { seq: room.seq(), event: room.last().cloned() }
            }
            Some(Ok(Err(NoTable::Failed(failed)))) => match failed {
                Failed::Busy | Failed::Unavailable(_) => Outcome::Nothing,
                Failed::Unsettled => Outcome::Unknown,
                Failed::Outdated(room) => {
                    world.history().reads.push(Read { id, knew, got: room.seq() });
                    person.saw(room.seq());
                    Outcome::Refused(Failed::Outdated(room))
                }
                other => Outcome::Refused(other),
            },
            Some(Ok(Err(other))) => panic!("{other}"),
            Some(Err(_)) | None => Outcome::Unknown,
        };
        let ended = world.moment(id);
        let (trace, number) = (&world.cluster.database.trace, node.number);
        note!(trace, "{} at node {number}: {:?} {expected:?}: {outcome:?}", person.name, command.what);
        Attempt { sent, ended, outcome }
    }

    /// Watches the sitting, at one node after another.
    async fn watch(self) {
        let chance = self.chance().fork();
        loop {
            wait(chance.between(1, 60)).await;
            if let Some((node, _reserved)) = self.world.cluster.reserve(&chance, self.id) {
                let (seat, chance) = (self.clone(), chance.fork());
                let (app, number) = (node.app.clone(), node.number);
                node.run(async move { seat.stream(app, &chance, number).await }).await;
            }
        }
    }

    /// Reads a stream until it ends, or leaves it.
    async fn stream(&self, app: axum::Router, chance: &Chance, number: usize) {
        let after = self.person.seen().last().map_or(0, |(seq, _)| *seq);
        let request = Request::get(format!("/api/v1/rounds/{}/events", self.id))
            .header("host", "localhost")
            .header("authorization", format!("Bearer {}", self.person.token.reveal()))
            .header("last-event-id", after)
            .body(Body::empty())
            .unwrap();
        let Ok(response) = app.oneshot(request).await;
        if response.status() != StatusCode::OK {
            return;
        }
        let mut body = response.into_body().into_data_stream();
        while let Some(Ok(bytes)) = body.next().await {
            let text = String::from_utf8_lossy(&bytes);
            let fields: BTreeMap<&str, &str> =
                text.lines().filter_map(|line| line.split_once(": ")).collect();
            let (Some(seq), Some(data)) = (fields.get("id"), fields.get("data")) else { continue };
            let seq = seq.parse().unwrap();
            note!(self.world.cluster.database.trace, "{} sees {seq} at node {number}", self.person.name);
            self.person.seen().push((seq, (*data).to_owned()));
            self.person.saw(seq);
            if chance.one_in(10) {
                return;
            }
        }
    }
}
