//! The rounds that are kept, by ids that nobody can guess: whoever knows a round's id plays it.
//!
//! A round is replaced as a whole or not at all, so that nothing is held up while somebody thinks about it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use spoton::sitting::Command;
use spoton::words::phrases;

use crate::limits::{LEFT_AFTER, MOST_ROUNDS};
use crate::table::Table;

/// The letters of ids: no `i`, `l`, `o` or `u`, which are mistaken for others or spell words.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Every round there is.
#[derive(Default)]
pub struct Rounds(Mutex<Vec<Kept>>);

struct Kept {
    id: String,
    table: Arc<Table>,
    /// When it is taken for left, unless somebody touches it before.
    left_at: Instant,
}

impl Kept {
    fn touch(&mut self) {
        self.left_at = Instant::now() + LEFT_AFTER;
    }

    fn is_left(&self) -> bool {
        Instant::now() >= self.left_at
    }
}

/// Why a round cannot be had as it is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRound {
    #[error(
        "there is no round of this id; start_round begins one and tells its id. Rounds that nobody has touched for long \
         make room for others"
    )]
    Unknown,
    #[error("something else has just happened in this round; look at it again")]
    Changed,
    #[error(
        "{MOST_ROUNDS} rounds are being played here, and no more are kept; finish one or give one up first"
    )]
    Full,
    #[error(
        "while a round without hints is being played on this server, nobody is told what any position is worth, and {} \
         under way: play to the end or give_up first",
        phrases::count(*.0 as u64, "such round is", "such rounds are")
    )]
    UnderWay(usize),
}

impl Rounds {
    fn kept(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a new round. If there are too many, a finished one makes room, or one that was left.
    pub fn keep(&self, table: Table) -> Result<(String, Arc<Table>), NoRound> {
        let mut kept = self.kept();
        if kept.len() >= MOST_ROUNDS {
            let may_go = |one: &&Kept| one.table.is_over() || one.is_left();
            let oldest = kept.iter().filter(may_go).min_by_key(|one| (!one.table.is_over(), one.left_at));
            let id = oldest.map(|one| one.id.clone()).ok_or(NoRound::Full)?;
            kept.retain(|one| one.id != id);
        }
        let (id, table) = (new_id(), Arc::new(table));
        let left_at = Instant::now() + LEFT_AFTER;
        kept.push(Kept { id: id.clone(), table: Arc::clone(&table), left_at });
        Ok((id, table))
    }

    /// The round of an id.
    pub fn find(&self, id: &str) -> Result<Arc<Table>, NoRound> {
        let mut kept = self.kept();
        let one = kept.iter_mut().find(|one| one.id == id).ok_or(NoRound::Unknown)?;
        one.touch();
        Ok(Arc::clone(&one.table))
    }

    /// The rounds that are over, in the order in which they were begun.
    pub fn over(&self) -> Vec<Arc<Table>> {
        self.kept().iter().filter(|one| one.table.is_over()).map(|one| Arc::clone(&one.table)).collect()
    }

    /// Keeps what became of a round, unless something else has happened in it meanwhile.
    pub fn replace(&self, id: &str, before: &Arc<Table>, after: Table) -> Result<Arc<Table>, NoRound> {
        let mut kept = self.kept();
        let one = kept.iter_mut().find(|one| one.id == id).ok_or(NoRound::Unknown)?;
        if !Arc::ptr_eq(&one.table, before) {
            return Err(NoRound::Changed);
        }
        one.table = Arc::new(after);
        one.touch();
        Ok(Arc::clone(&one.table))
    }

    /// Whether anybody may be told what a position is worth: not while a round without hints is being played, since what is
    /// told of one round helps in another. A round that was left for long is abandoned instead.
    pub fn may_tell_values(&self) -> Result<(), NoRound> {
        let mut kept = self.kept();
        let mut under_way = 0;
        for one in kept.iter_mut().filter(|one| !one.table.hints && !one.table.is_over()) {
            if !one.is_left() {
                under_way += 1;
                continue;
            }
            let mut table = Table::clone(&one.table);
            // It goes on, so it can be abandoned.
            let _ = table.sitting.act(Command::Abandon);
            one.table = Arc::new(table);
        }
        if under_way == 0 { Ok(()) } else { Err(NoRound::UnderWay(under_way)) }
    }
}

/// Sixty random bits, in twelve letters.
fn new_id() -> String {
    let bits = random();
    (0..12).map(|place| char::from(LETTERS[(bits >> (5 * place)) as usize % LETTERS.len()])).collect()
}

/// A number that nobody can guess.
pub fn random() -> u64 {
    getrandom::u64().unwrap_or_else(|error| panic!("the system has no random numbers: {error}"))
}

#[cfg(test)]
mod tests {
    use spoton::engine::position::Player;
    use spoton::format::{BookText, Changes, Game, catalog};
    use spoton::people::opponent::Opponent;
    use spoton::people::solved_game::SolvedGames;
    use spoton::sitting::Lookahead;

    use super::*;
    use crate::table::Terms;

    fn table(hints: bool) -> Table {
        let book = BookText::shipped(catalog::FIRST).unwrap();
        let game = Game::new(book, catalog::FIRST.to_owned(), &Changes::default()).unwrap();
        let opponent = Opponent::parse("random").unwrap();
        let terms = Terms { opponent, you: Player::One, hints, take_back: false, seed: 1 };
        let games = SolvedGames::new(1 << 20);
        Table::begin(game, &terms, &mut Lookahead { games: &games, keep_going: &mut |_| true }).unwrap()
    }

    fn over() -> Table {
        let mut table = table(false);
        table.sitting.act(Command::Resign(Player::One)).unwrap();
        table
    }

    /// Makes it seem that nobody has touched a round for long.
    fn leave(rounds: &Rounds, id: &str) {
        rounds.kept().iter_mut().find(|one| one.id == id).unwrap().left_at = Instant::now();
    }

    #[test]
    fn a_round_that_was_left_keeps_nobody_from_looking_back() {
        let rounds = Rounds::default();
        rounds.keep(table(true)).unwrap();
        rounds.keep(over()).unwrap();
        assert_eq!(rounds.may_tell_values(), Ok(()));
        let (id, _) = rounds.keep(table(false)).unwrap();
        assert_eq!(rounds.may_tell_values(), Err(NoRound::UnderWay(1)));
        leave(&rounds, &id);
        assert_eq!(rounds.may_tell_values(), Ok(()));
        // What was told could help in it, so nobody goes on with it.
        let record = rounds.find(&id).unwrap().sitting.record();
        assert!(record.ending.is_some_and(|ending| ending.is_without_result()), "{record}");
    }

    #[test]
    fn rounds_that_are_over_make_room_and_then_those_that_were_left() {
        let rounds = Rounds::default();
        let (left, _) = rounds.keep(table(false)).unwrap();
        leave(&rounds, &left);
        let (finished, _) = rounds.keep(over()).unwrap();
        let mut ids: Vec<String> = (2..MOST_ROUNDS).map(|_| rounds.keep(table(false)).unwrap().0).collect();
        for gone in [finished, left] {
            assert!(rounds.kept().iter().any(|one| one.id == gone));
            ids.push(rounds.keep(table(false)).unwrap().0);
            assert!(!rounds.kept().iter().any(|one| one.id == gone));
        }
        assert_eq!(rounds.keep(table(false)).map(|_| ()), Err(NoRound::Full));
        assert!(ids.iter().all(|id| rounds.find(id).is_ok()));
    }

    #[test]
    fn of_two_changes_at_once_one_is_made() {
        let rounds = Rounds::default();
        let (id, before) = rounds.keep(table(false)).unwrap();
        rounds.replace(&id, &before, over()).unwrap();
        assert_eq!(rounds.replace(&id, &before, table(false)).map(|_| ()), Err(NoRound::Changed));
        assert!(rounds.find(&id).unwrap().is_over());
    }
}
