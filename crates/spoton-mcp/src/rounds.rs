//! The rounds that are kept, by ids that nobody can guess: whoever knows a round's id plays it.
//!
//! A round without hints counts, and goes on alone: whatever the computer does in another round, which may be a copy of it
//! begun where it stands, would tell the player what to do.
//!
//! A round is replaced as a whole or not at all, so that nothing is held up while somebody thinks about it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::limits::{LEFT_AFTER, MOST_ROUNDS};
use crate::table::Table;

/// The letters of ids: no `i`, `l`, `o` or `u`, which are mistaken for others or spell words.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Every round there is.
pub struct Rounds {
    kept: Mutex<Vec<Kept>>,
    house: House,
}

/// For whom rounds are kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct House {
    /// Whether rounds are graded: then none makes room for another, or it would be missing from the grade. The exam is bounded.
    pub is_graded: bool,
    /// Whether there may be several clients, who are not to learn the ids of each other's rounds.
    pub is_shared: bool,
}

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

    /// Whether it counts, and is not over.
    fn is_at_stake(&self) -> bool {
        !self.table.hints && !self.table.is_over()
    }
}

/// Why a round cannot be had as it is wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
        "a round without hints is under way, and as long as it is, no other round begins or goes on, and there are no hints \
         and no reviews. {}",
        match .0 {
            Some(id) => format!("It is round \"{id}\": play it to the end or give_up first"),
            None => format!(
                "Play it to the end or give_up first; if it is not yours, it ends by itself once nobody has touched it for {} \
                 minutes",
                LEFT_AFTER.as_secs() / 60
            ),
        }
    )]
    UnderWay(Option<String>),
}

impl Rounds {
    pub fn new(house: House) -> Rounds {
        Rounds { kept: Mutex::default(), house }
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a new round, if one may begin. If there are too many, a finished one makes room, or one that was left.
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

    /// The round of an id.
    pub fn find(&self, id: &str) -> Result<Arc<Table>, NoRound> {
        let mut kept = self.kept();
        let one = kept.iter_mut().find(|one| one.id == id).ok_or(NoRound::Unknown)?;
        one.touch();
        Ok(Arc::clone(&one.table))
    }

    /// Every round, in the order in which they were begun.
    pub fn all(&self) -> Vec<Arc<Table>> {
        self.kept().iter().map(|one| Arc::clone(&one.table)).collect()
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

    /// Whether the computer may think for somebody: about the round of this id, or about something else. Not while another
    /// round without hints is under way, since what it finds would help there. A round that was left for long is forfeited
    /// instead.
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
    use spoton::engine::play::Ending;
    use spoton::engine::position::Player;
    use spoton::format::{BookText, Changes, Game, catalog};
    use spoton::people::opponent::Opponent;
    use spoton::people::solved_game::SolvedGames;
    use spoton::sitting::{Command, Lookahead};

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

    /// Makes it seem that nobody has touched a round for long.
    fn leave(rounds: &Rounds, id: &str) {
        rounds.kept().iter_mut().find(|one| one.id == id).unwrap().left_at = Instant::now();
    }

    /// Rounds of one client that are not graded.
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
    fn where_there_may_be_several_clients_the_id_of_a_round_is_not_told_to_others() {
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
        // What was told could help in it, so nobody goes on with it.
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
    fn what_is_graded_makes_no_room() {
        let rounds = Rounds::new(House { is_graded: true, ..House::default() });
        let ids: Vec<String> = (0..=MOST_ROUNDS).map(|_| rounds.keep(over()).unwrap().0).collect();
        assert!(ids.iter().all(|id| rounds.find(id).is_ok()));
    }

    #[test]
    fn of_two_changes_at_once_one_is_made() {
        let rounds = rounds();
        let (id, before) = rounds.keep(table(false)).unwrap();
        rounds.replace(&id, &before, over()).unwrap();
        assert_eq!(rounds.replace(&id, &before, table(false)).map(|_| ()), Err(NoRound::Changed));
        assert!(rounds.find(&id).unwrap().is_over());
    }
}
