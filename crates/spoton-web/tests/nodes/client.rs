//! A client that plays and watches through any node, with the patience of a person and the care of a program: it asks
//! again with the same key until it knows what became of a command.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::history::{Act, Command, Outcome, Read};
use crate::random::Random;
use crate::support::{Answer, PATIENCE, of_program, request, text};

/// The pause before a client asks again.
const PAUSE: Duration = Duration::from_millis(50);

/// Where clients ask, and what they share.
pub struct World {
    /// The addresses of nodes, or of nginx in front of them.
    pub doors: Vec<String>,
    /// How long to wait for an answer before asking somewhere else.
    pub patience: Duration,
}

/// Counts what happens to all clients, so the order is known.
pub fn tick() -> u64 {
    static CLOCK: AtomicU64 = AtomicU64::new(0);
    CLOCK.fetch_add(1, Ordering::SeqCst)
}

/// A request's result.
pub enum Got {
    Answer(Answer),
    /// It wasn't sent.
    NotSent,
    /// It was sent, but the answer is missing or incomplete.
    Lost,
}

impl World {
    pub fn new(doors: Vec<String>, patience: Duration) -> World {
        World { doors, patience }
    }

    pub fn door(&self, random: &mut Random) -> &str {
        &self.doors[random.below(self.doors.len() as u64) as usize]
    }

    /// Sends one request to one node.
    pub async fn ask(&self, door: &str, method: &str, path: &str, headers: &str, body: &str) -> Got {
        self.send(door, &request(door, method, path, headers, body)).await
    }

    /// Sends an order once to one node.
    pub async fn give(&self, door: &str, order: &Order) -> Got {
        self.send(door, &order.request(door)).await
    }

    async fn send(&self, door: &str, request: &str) -> Got {
        let sent = tokio::time::timeout(self.patience, async {
            let Ok(mut stream) = TcpStream::connect(door).await else { return Got::NotSent };
            let mut whole = Vec::new();
            if stream.write_all(request.as_bytes()).await.is_err()
                || stream.read_to_end(&mut whole).await.is_err()
            {
                return Got::Lost;
            }
            match Answer::read(&whole) {
                Some(answer) if is_whole(&answer) => Got::Answer(answer),
                _ => Got::Lost,
            }
        });
        sent.await.unwrap_or(Got::Lost)
    }
}

fn is_whole(answer: &Answer) -> bool {
    let length = answer.head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    length.is_none_or(|length: usize| length == answer.body.len())
}

/// A command to send.
#[derive(Clone)]
pub struct Order {
    pub path: String,
    pub token: String,
    pub body: Json,
    pub act: Act,
    pub key: String,
}

/// Returns a key that no other call returns and nobody can guess.
pub fn key() -> String {
    spoton_web::ids::SittingId::random().to_string()
}

impl Order {
    pub fn new(path: String, token: &str, body: Json, act: Act) -> Order {
        Order { path: format!("/api/v1{path}"), token: token.to_owned(), body, act, key: key() }
    }

    pub fn a_move(id: &str, token: &str, player: u64, written: &str, expected: u64) -> Order {
        let act = Act { kind: "move", player: Some(player), written: Some(written.to_owned()) };
        let body = json!({ "move": written, "expected_seq": expected });
        Order::new(format!("/rounds/{id}/moves"), token, body, act)
    }

    /// Returns it as bytes for a node.
    pub fn request(&self, door: &str) -> String {
        let headers = format!("{}idempotency-key: {}\r\n", of_program(&self.token), self.key);
        request(door, "POST", &self.path, &headers, &self.body.to_string())
    }

    /// Returns what became of this order.
    pub fn became(&self, sent: u64, ended: u64, outcome: Outcome, was_unknown: bool) -> Command {
        let expected = self.body["expected_seq"].as_u64();
        Command { key: self.key.clone(), act: self.act.clone(), expected, sent, ended, outcome, was_unknown }
    }

    /// Sends it to any nodes until the outcome is known, and returns it with the answer of a success.
    pub async fn send(&self, world: &World, random: &mut Random) -> (Command, Json) {
        self.settle(world, random, false).await
    }

    /// Sends it. Once a node may have saved it, only an answer to the same key settles the outcome.
    pub async fn settle(&self, world: &World, random: &mut Random, mut is_unknown: bool) -> (Command, Json) {
        let (sent, begun) = (tick(), Instant::now());
        while begun.elapsed() < PATIENCE {
            let door = world.door(random);
            match world.give(door, self).await {
                Got::NotSent => {}
                Got::Lost => is_unknown = true,
                Got::Answer(answer) => {
                    let outcome = match answer.status {
                        200 | 201 => Some(Outcome::Acknowledged(answer.json()["seq"].as_u64().unwrap())),
                        503 if answer.body.contains("same key") => {
                            is_unknown = true;
                            None
                        }
                        503 if is_unknown => None,
                        status => Some(Outcome::Refused(status)),
                    };
                    if let Some(outcome) = outcome {
                        let command = self.became(sent, tick(), outcome, is_unknown);
                        return (command, answer.json());
                    }
                }
            }
            tokio::time::sleep(PAUSE).await;
        }
        (self.became(sent, tick(), Outcome::Unknown, true), Json::Null)
    }
}

/// A client with its memory of a round.
pub struct Client<'a> {
    pub world: &'a World,
    pub random: Random,
    /// The last event that it has seen in any way.
    pub knows: u64,
    pub commands: Vec<Command>,
    pub reads: Vec<Read>,
}

impl<'a> Client<'a> {
    pub fn new(world: &'a World, seed: u64) -> Client<'a> {
        Client { world, random: Random::new(seed), knows: 0, commands: vec![], reads: vec![] }
    }

    fn learns(&mut self, command: &Command) {
        if let Outcome::Acknowledged(seq) = command.outcome {
            self.knows = self.knows.max(seq);
        }
        self.commands.push(command.clone());
    }

    /// Sends an order until its outcome is known. Returns the answer of a success.
    pub async fn send(&mut self, order: &Order) -> Option<Json> {
        let (command, answer) = order.send(self.world, &mut self.random).await;
        self.learns(&command);
        matches!(command.outcome, Outcome::Acknowledged(_)).then_some(answer)
    }

    /// Sends an order until it's done. A server that can't save refuses it, and only that is an excuse.
    pub async fn does(&mut self, order: &Order) {
        let (begun, mut order) = (Instant::now(), order.clone());
        while self.send(&order).await.is_none() {
            let refused = self.commands.last();
            let may_try = refused.is_some_and(|it| it.outcome == Outcome::Refused(503));
            assert!(may_try && begun.elapsed() < PATIENCE, "{refused:?}");
            order.key = key();
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Sends an order again whose outcome is unknown.
    pub async fn settle(&mut self, order: &Order) {
        let (command, _) = order.settle(self.world, &mut self.random, true).await;
        self.learns(&command);
    }

    /// Sends several orders to any nodes at the same time.
    pub async fn send_together(&mut self, orders: [Order; 2]) {
        let [mut one, mut two] = [(); 2].map(|()| Random::new(self.random.below(u64::MAX >> 16)));
        let (one, two) =
            tokio::join!(orders[0].send(self.world, &mut one), orders[1].send(self.world, &mut two));
        for (command, _) in [one, two] {
            self.learns(&command);
        }
    }

    /// Reads a round's state from any node.
    pub async fn read(&mut self, id: &str) -> Json {
        let begun = Instant::now();
        loop {
            let (path, knew) = (format!("/api/v1/rounds/{id}"), self.knows);
            let door = self.world.door(&mut self.random);
            if let Got::Answer(answer) = self.world.ask(door, "GET", &path, "", "").await {
                match answer.status {
                    200 => {
                        let state = answer.json();
                        let got = state["seq"].as_u64().unwrap();
                        self.reads.push(Read { knew, got });
                        self.knows = knew.max(got);
                        return state;
                    }
                    // Every client knows that the round exists.
                    404 => self.reads.push(Read { knew, got: 0 }),
                    503 => {}
                    _ => panic!("{answer:?}"),
                }
            }
            assert!(begun.elapsed() < PATIENCE, "no node shows the round");
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Sets up a round for two. Returns its id and both tokens.
    pub async fn sets_up(&mut self) -> (String, [String; 2]) {
        let asked = json!({ "game": "number-maze", "target": 100_000 });
        let act = Act { kind: "created", player: None, written: None };
        let set = loop {
            let order = Order::new("/rounds".to_owned(), "", asked.clone(), act.clone());
            if let Some(set) = self.send(&order).await {
                break set;
            }
            // A refused round has another id, so it's no part of this round's history.
            let refused = self.commands.pop().map(|command| command.outcome);
            assert_eq!(refused, Some(Outcome::Refused(503)), "a new round is refused");
        };
        let id = text(&set["id"]);
        let secret = json!({ "secret": set["invitation"]["secret"] });
        let act = Act { kind: "seat-taken", player: Some(2), written: None };
        let taken = loop {
            let path = format!("/rounds/{id}/seats");
            let order = Order::new(path, "", secret.clone(), act.clone());
            if let Some(taken) = self.send(&order).await {
                break taken;
            }
            let is_503 = self.commands.last().is_some_and(|it| it.outcome == Outcome::Refused(503));
            assert!(is_503, "joining is refused: {:?}", self.commands);
        };
        (id, [text(&set["tokens"]["1"]), text(&taken["token"])])
    }
}
