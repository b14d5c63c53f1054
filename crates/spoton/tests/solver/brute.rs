//! Brute-force perfect play: lists all reachable positions and iterates over them. The first pass finds finished
//! rounds, the next one wins and losses in one move, then in two, until nothing is new. The rest are draws. It knows
//! the rules only through the engine, and doesn't use the solver.
#![allow(dead_code)]

use std::collections::{HashMap, HashSet};

use spoton::engine::play::{Move, Situation, Step};
use spoton::engine::position::{Choice, Player, Position};
use spoton::format::Rulebook;
use spoton::solver::{Value, Verdict};

/// The result of a move.
#[derive(Clone, Copy)]
enum Leads {
    /// The round is over: won or drawn.
    Over(Option<Player>),
    /// A move to the position at this index.
    To(usize),
}

struct Entry {
    position: Position,
    /// The winner or a draw, if the player to move is stuck and that ends the round.
    over: Option<Option<Player>>,
    moves: Vec<(Move, Leads)>,
    /// `None` until known; at the end, a draw.
    verdict: Option<Verdict>,
}

pub struct Brute {
    entries: Vec<Entry>,
    numbers: HashMap<Position, usize>,
}

fn worth(winner: Option<Player>, player: Player) -> Value {
    match winner {
        None => Value::Draw,
        Some(winner) if winner == player => Value::Win,
        Some(_) => Value::Loss,
    }
}

/// The verdict of a move for the mover, from the opponent's verdict after it.
fn one_more(verdict: Verdict) -> Verdict {
    match (verdict.value, verdict.remoteness()) {
        (Value::Win, Some(moves)) => Verdict::new(Value::Loss, moves + 1),
        (Value::Loss, Some(moves)) => Verdict::new(Value::Win, moves + 1),
        _ => Verdict::DRAW,
    }
}

/// Orders by preference: quick wins, slow wins, draws, slow losses, quick losses.
pub fn rank(verdict: Verdict) -> (u8, i64) {
    let moves = verdict.remoteness().map_or(0, |moves| moves as i64);
    match verdict.value {
        Value::Win => (0, moves),
        Value::Draw => (1, 0),
        Value::Loss => (2, -moves),
    }
}

/// The options of the player to move: choices or a skip.
pub fn moves_of(rulebook: &Rulebook, position: &Position) -> Vec<Move> {
    match rulebook.situation(position) {
        Situation::Choose(choices) => choices.iter().map(Move::Operation).collect(),
        Situation::Skip => vec![Move::Skip],
        Situation::Over(_) => vec![],
    }
}

impl Brute {
    /// The game from its two openings, one per player.
    pub fn new(rulebook: &Rulebook, most: usize) -> Option<Brute> {
        let openings = Player::BOTH.map(|first| rulebook.opening(first));
        Brute::from(rulebook, &openings, &HashSet::new(), most)
    }

    /// The game from any positions, with moves to certain positions drawn. Returns `None` if more than `most`
    /// are reachable.
    pub fn from(
        rulebook: &Rulebook,
        roots: &[Position],
        drawn: &HashSet<Position>,
        most: usize,
    ) -> Option<Brute> {
        let mut brute = Brute { entries: Vec::new(), numbers: HashMap::new() };
        for root in roots {
            brute.number(*root);
        }
        let mut next = 0;
        while next < brute.entries.len() {
            if brute.entries.len() > most {
                return None;
            }
            brute.look_at(rulebook, next, drawn);
            next += 1;
        }
        brute.judge();
        Some(brute)
    }

    /// The index of a position. Appends it if it's new.
    fn number(&mut self, position: Position) -> usize {
        let new = self.entries.len();
        let number = *self.numbers.entry(position).or_insert(new);
        if number == new {
            self.entries.push(Entry { position, over: None, moves: vec![], verdict: None });
        }
        number
    }

    fn look_at(&mut self, rulebook: &Rulebook, number: usize, drawn: &HashSet<Position>) {
        let position = self.entries[number].position;
        if let Situation::Over(outcome) = rulebook.situation(&position) {
            self.entries[number].over = Some(outcome.winner);
        }
        for a_move in moves_of(rulebook, &position) {
            let leads = match rulebook.play(&position, a_move).expect("the move is legal") {
                Step::Over { outcome, .. } => Leads::Over(outcome.winner),
                Step::On(next) if drawn.contains(&next) => Leads::Over(None),
                Step::On(next) => Leads::To(self.number(next)),
            };
            self.entries[number].moves.push((a_move, leads));
        }
    }

    /// Iterates until nothing changes.
    fn judge(&mut self) {
        let mut open: Vec<usize> = (0..self.entries.len()).collect();
        for round in 0.. {
            let mut found: Vec<(usize, Verdict)> = Vec::new();
            open.retain(|number| match self.found(*number) {
                Some(verdict) => {
                    found.push((*number, verdict));
                    false
                }
                None => true,
            });
            if found.is_empty() && round > 0 {
                break;
            }
            for (number, verdict) in found {
                self.entries[number].verdict = Some(verdict);
            }
        }
    }

    /// The verdict of a position, if already known.
    fn found(&self, number: usize) -> Option<Verdict> {
        let Entry { position, over, moves, .. } = &self.entries[number];
        if let Some(winner) = over {
            return Some(Verdict::new(worth(*winner, position.turn()), 0));
        }
        let mut shortest_win: Option<u64> = None;
        let mut longest_loss: Option<u64> = None;
        let mut all_lose = true;
        for (_, leads) in moves {
            let Some(verdict) = self.leads_to(position.turn(), *leads) else {
                all_lose = false;
                continue;
            };
            let moves = verdict.remoteness().unwrap_or(0);
            match verdict.value {
                Value::Win => shortest_win = Some(shortest_win.map_or(moves, |known| known.min(moves))),
                Value::Draw => all_lose = false,
                Value::Loss => longest_loss = Some(longest_loss.map_or(moves, |known| known.max(moves))),
            }
        }
        match (shortest_win, longest_loss) {
            (Some(moves), _) => Some(Verdict::new(Value::Win, moves)),
            (None, Some(moves)) if all_lose => Some(Verdict::new(Value::Loss, moves)),
            _ => None,
        }
    }

    /// The verdict of a move for the player who makes it, if known.
    fn leads_to(&self, player: Player, leads: Leads) -> Option<Verdict> {
        match leads {
            Leads::Over(winner) => Some(Verdict::new(worth(winner, player), 1)),
            Leads::To(next) => self.entries[next].verdict.map(one_more),
        }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn positions(&self) -> impl Iterator<Item = &Position> {
        self.entries.iter().map(|entry| &entry.position)
    }

    fn entry(&self, position: &Position) -> &Entry {
        &self.entries[self.numbers[position]]
    }

    pub fn knows(&self, position: &Position) -> bool {
        self.numbers.contains_key(position)
    }

    pub fn verdict(&self, position: &Position) -> Verdict {
        self.entry(position).verdict.unwrap_or(Verdict::DRAW)
    }

    pub fn is_over(&self, position: &Position) -> bool {
        self.entry(position).over.is_some()
    }

    /// All moves with their verdicts, best first; ties in the order of the book.
    pub fn moves(&self, position: &Position) -> Vec<(Move, Verdict)> {
        let worth = |leads: Leads| self.leads_to(position.turn(), leads).unwrap_or(Verdict::DRAW);
        let entry = self.entry(position);
        let mut moves: Vec<(Move, Verdict)> =
            entry.moves.iter().map(|(a_move, leads)| (*a_move, worth(*leads))).collect();
        moves.sort_by_key(|(_, verdict)| rank(*verdict));
        moves
    }
}

/// A position as the player to move sees it, in either seat.
pub type Seen = [(i64, Option<Choice>, Vec<u8>, u8); 2];

pub fn seen(rulebook: &Rulebook, position: &Position) -> Seen {
    [position.turn(), !position.turn()].map(|player| {
        let uses = rulebook.entries().map(|(entry, _)| position.uses_of(player, entry)).collect();
        (position.number_of(player), position.last_of(player), uses, position.passes_of(player))
    })
}
