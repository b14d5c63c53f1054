//! All rounds by id. Ids can't be guessed: anyone who knows one may play the round.
//!
//! A round without hints counts, so no other round may be in progress: in a second round from the same position, the
//! computer's moves would give the answer away.
//!
//! Rounds are replaced atomically (compare and swap), so that no lock is held during a solver job.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::answer::Refusal;
use crate::limits::{LEFT_AFTER, MOST_ROUNDS};
use crate::table::Table;

/// The alphabet of ids: without `i`, `l`, `o` and `u`, which are easily confused or spell words.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// All rounds in memory.
pub struct Rounds {
    kept: Mutex<Vec<Kept>>,
    house: House,
}

/// The server's mode.
#[derive(Clone, Copy, Debug, Default)]
pub struct House {
    /// Whether rounds are graded. Graded rounds are never evicted, because every one counts; the exam limits their
    /// number.
    pub is_graded: bool,
    /// Whether there may be several clients. Security: they must not learn each other's round ids.
    pub is_shared: bool,
}

struct Kept {
    id: String,
    table: Arc<Table>,
    /// When the round counts as abandoned. Every access extends it.
    left_at: Instant,
}

impl Kept {
    fn touch(&mut self) {
        self.left_at = Instant::now() + LEFT_AFTER;
    }

    fn is_left(&self) -> bool {
        Instant::now() >= self.left_at
    }

    /// Whether the round counts and isn't over.
    fn is_at_stake(&self) -> bool {
        !self.table.hints && !self.table.is_over()
    }
}

/// Why a round isn't available.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRound {
    #[error(
        "there is no round with this id; start_round starts one. Finished and idle rounds are removed to make room \
         for new ones"
    )]
    Unknown,
    #[error("the round has changed in the meantime; call look and try again")]
    Changed,
    #[error("the limit of {MOST_ROUNDS} rounds is reached; finish a round or give one up first")]
    Full,
    #[error(
        "a round without hints is in progress. Until it ends, you can't start or continue other rounds, and hints and \
         reviews are off. {}",
        match .0 {
            Some(id) => format!("Finish round \"{id}\" or call give_up first"),
            None => format!(
                "Finish it or call give_up first. If it isn't yours, it ends by itself after {} minutes without activity",
                LEFT_AFTER.as_secs() / 60
            ),
        }
    )]
    UnderWay(Option<String>),
}

impl From<NoRound> for Refusal {
    fn from(why: NoRound) -> Refusal {
        Refusal(why.to_string())
    }
}

impl Rounds {
    pub fn new(house: House) -> Rounds {
        Rounds { kept: Mutex::default(), house }
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a new round, if one may begin. If the limit is reached, evicts a finished round, or else an abandoned one.
    pub fn keep(&self, table: Table) -> Result<(String, Arc<Table>), NoRound> {
        let mut kept = self.kept();
        self.goes_alone(&mut kept, None)?;
        if kept.len() >= MOST_ROUNDS && !self.house.is_graded {
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

    /// Finds a round by id.
    pub fn find(&self, id: &str) -> Result<Arc<Table>, NoRound> {
        let mut kept = self.kept();
        let one = kept.iter_mut().find(|one| one.id == id).ok_or(NoRound::Unknown)?;
        one.touch();
        Ok(Arc::clone(&one.table))
    }

    /// All rounds, oldest first.
    pub fn all(&self) -> Vec<Arc<Table>> {
        self.kept().iter().map(|one| Arc::clone(&one.table)).collect()
    }

    /// Replaces a round, unless it has changed since `before`.
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

    /// Checks whether the computer may look ahead for a client: in the round `about`, or outside any round if `None`.
    ///
    /// It may not while another round without hints is in progress, because the results would help there. If that round
    /// was abandoned, it's forfeited instead.
    pub fn may_think(&self, about: Option<&str>) -> Result<(), NoRound> {
        self.goes_alone(&mut self.kept(), about)
    }

    fn goes_alone(&self, kept: &mut [Kept], about: Option<&str>) -> Result<(), NoRound> {
        let others = |one: &&mut Kept| one.is_at_stake() && Some(one.id.as_str()) != about;
        for one in kept.iter_mut().filter(others) {
            if !one.is_left() {
                return Err(NoRound::UnderWay((!self.house.is_shared).then(|| one.id.clone())));
            }
            one.table = Arc::new(one.table.as_if_left());
        }
        Ok(())
    }
}

/// 60 random bits in 12 letters.
fn new_id() -> String {
    let bits = random();
    (0..12).map(|place| char::from(LETTERS[(bits >> (5 * place)) as usize % LETTERS.len()])).collect()
}

/// A cryptographically random number.
pub fn random() -> u64 {
    getrandom::u64().unwrap_or_else(|error| panic!("the system has no random numbers: {error}"))
}

#[cfg(test)]
mod tests {
    use spoton::engine::play::Ending;
    use spoton::engine::position::Player;
    use spoton::evaluate::opponent::Opponent;
    use spoton::format::{BookText, Changes, Game, catalog};
    use spoton::sitting::{Command, Lookahead};
    use spoton::solved::SolvedGames;

    use super::*;
    use crate::table::Terms;

    fn table(hints: bool) -> Table {
        let book = BookText::shipped(catalog::FIRST).unwrap();
        let game = Game::new(book, catalog::FIRST.to_owned(), &Changes::default()).unwrap();
        let opponent = Opponent::parse("random").unwrap();
        let terms = Terms { opponent, you: Player::One, hints, take_back: false, seed: 1, number: 1 };
        let games = SolvedGames::new(1 << 20);
        Table::begin(game, &terms, &mut Lookahead { games: &games, keep_going: &mut |_| true }).unwrap()
    }

    fn over() -> Table {
        let mut table = table(false);
        table.sitting.act(Command::Resign(Player::One)).unwrap();
        table
    }

    /// Makes a round count as abandoned.
    fn leave(rounds: &Rounds, id: &str) {
        rounds.kept().iter_mut().find(|one| one.id == id).unwrap().left_at = Instant::now();
    }

    /// Ungraded rounds of a single client.
    fn rounds() -> Rounds {
        Rounds::new(House::default())
    }

    #[test]
    fn a_round_without_hints_goes_on_alone() {
        let rounds = rounds();
        let (with_hints, _) = rounds.keep(table(true)).unwrap();
        rounds.keep(over()).unwrap();
        assert_eq!(rounds.may_think(None), Ok(()));
        let (id, _) = rounds.keep(table(false)).unwrap();
        let under_way = Err(NoRound::UnderWay(Some(id.clone())));
        assert_eq!(rounds.may_think(None), under_way);
        assert_eq!(rounds.may_think(Some(&with_hints)), under_way);
        assert_eq!(rounds.may_think(Some(&id)), Ok(()));
        for hints in [false, true] {
            assert_eq!(rounds.keep(table(hints)).map(|_| ()), under_way);
        }
        let before = rounds.find(&id).unwrap();
        rounds.replace(&id, &before, over()).unwrap();
        assert_eq!(rounds.may_think(Some(&with_hints)), Ok(()));
        rounds.keep(table(false)).unwrap();
    }

    #[test]
    fn with_several_clients_round_ids_stay_private() {
        let rounds = Rounds::new(House { is_shared: true, ..House::default() });
        let (id, _) = rounds.keep(table(false)).unwrap();
        let refused = rounds.may_think(None).unwrap_err().to_string();
        assert!(!refused.contains(&id) && refused.contains("30 minutes"), "{refused}");
    }

    #[test]
    fn a_round_that_was_left_holds_nobody_up_and_is_forfeited() {
        let rounds = rounds();
        let (id, _) = rounds.keep(table(false)).unwrap();
        leave(&rounds, &id);
        assert_eq!(rounds.may_think(None), Ok(()));
        // The computer has looked ahead since, so the round can't continue.
        let record = rounds.find(&id).unwrap().record();
        assert_eq!(record.ending, Some(Ending::Forfeited), "{record}");
    }

    #[test]
    fn rounds_that_are_over_make_room_and_then_those_that_were_left() {
        let rounds = rounds();
        let (left, _) = rounds.keep(table(true)).unwrap();
        leave(&rounds, &left);
        let (finished, _) = rounds.keep(over()).unwrap();
        let mut ids: Vec<String> = (2..MOST_ROUNDS).map(|_| rounds.keep(table(true)).unwrap().0).collect();
        for gone in [finished, left] {
            assert!(rounds.kept().iter().any(|one| one.id == gone));
            ids.push(rounds.keep(table(true)).unwrap().0);
            assert!(!rounds.kept().iter().any(|one| one.id == gone));
        }
        assert_eq!(rounds.keep(table(true)).map(|_| ()), Err(NoRound::Full));
        assert!(ids.iter().all(|id| rounds.find(id).is_ok()));
    }

    #[test]
    fn graded_rounds_are_never_removed() {
        let rounds = Rounds::new(House { is_graded: true, ..House::default() });
        let ids: Vec<String> = (0..=MOST_ROUNDS).map(|_| rounds.keep(over()).unwrap().0).collect();
        assert!(ids.iter().all(|id| rounds.find(id).is_ok()));
    }

    #[test]
    fn one_of_two_simultaneous_changes_is_made() {
        let rounds = rounds();
        let (id, before) = rounds.keep(table(false)).unwrap();
        rounds.replace(&id, &before, over()).unwrap();
        assert_eq!(rounds.replace(&id, &before, table(false)).map(|_| ()), Err(NoRound::Changed));
        assert!(rounds.find(&id).unwrap().is_over());
    }
}
