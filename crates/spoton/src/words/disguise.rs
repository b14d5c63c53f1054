//! Disguises a game as another story, to measure how a language model plays rather than what it remembers.
//!
//! Every written move gets exactly one new name: a verb for the operation, whose number it changes, and the amount
//! (`feed-3` for `+3`). Only the words differ, so each answer maps back to the true move.
//!
//! ```
//! use spoton::format::catalog;
//! use spoton::words::disguise::Disguise;
//!
//! let maze = catalog::draft("number-maze").unwrap().build()?;
//! let disguise = Disguise::new(2, &maze)?;
//! let name = disguise.name("x2".parse()?);
//! assert_eq!(disguise.written(&name), Some("x2".parse()?));
//! assert!(disguise.rules(&maze).iter().any(|rule| rule.contains(&name)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::engine::computed::{Computed, Source};
use crate::engine::operation::{Kind, Operation};
use crate::engine::spelling::{Piece, Token, tokens};
use crate::engine::written::Written;
use crate::format::{Direction, Entry, Numbers, On, Op, Past, Reach, Rulebook};
use crate::words::describe;
use crate::words::listed;
use crate::words::phrases::capitalised;

/// A story, in which each number counts units that a holder has.
struct Story {
    title: &'static str,
    /// The owner of the number: `dragon`.
    holder: &'static str,
    /// The unit, singular and plural.
    unit: [&'static str; 2],
    /// Verbs to choose from for adding, subtracting, multiplying and dividing. No story uses a verb twice.
    verbs: [&'static [&'static str]; 4],
    /// Adding as a phrase, with `{holder}` and `{n}` (the amount with its unit).
    more: &'static str,
    fewer: &'static str,
}

const STORIES: [Story; 6] = [
    Story {
        title: "The Hungry Dragon",
        holder: "dragon",
        unit: ["berry", "berries"],
        verbs: [&["feed", "treat"], &["tease", "starve"], &["swell", "puff"], &["shrink", "calm"]],
        more: "feed {holder} {n}",
        fewer: "take {n} away from {holder}",
    },
    Story {
        title: "The Old Well",
        holder: "well",
        unit: ["bucket", "buckets"],
        verbs: [&["pour", "fill"], &["draw", "drain"], &["flood", "rain"], &["dry", "leak"]],
        more: "pour {n} into {holder}",
        fewer: "draw {n} from {holder}",
    },
    Story {
        title: "Lanterns on the Hill",
        holder: "hill",
        unit: ["lantern", "lanterns"],
        verbs: [&["light", "hang"], &["blow", "dim"], &["blaze", "glow"], &["fade", "dusk"]],
        more: "light {n} on {holder}",
        fewer: "put out {n} on {holder}",
    },
    Story {
        title: "The Beekeepers",
        holder: "hive",
        unit: ["bee", "bees"],
        verbs: [&["lure", "call"], &["shoo", "chase"], &["swarm", "breed"], &["part", "split"]],
        more: "lure {n} into {holder}",
        fewer: "shoo {n} out of {holder}",
    },
    Story {
        title: "A Train of Wagons",
        holder: "train",
        unit: ["wagon", "wagons"],
        verbs: [&["couple", "hook"], &["uncouple", "drop"], &["stretch", "extend"], &["halt", "cut"]],
        more: "couple {n} to {holder}",
        fewer: "uncouple {n} from {holder}",
    },
    Story {
        title: "The Baker's Shelf",
        holder: "shelf",
        unit: ["loaf", "loaves"],
        verbs: [&["bake", "stack"], &["sell", "eat"], &["rise", "prove"], &["slice", "crumble"]],
        more: "put {n} on {holder}",
        fewer: "take {n} from {holder}",
    },
];

/// The word between verb and amount of a move on the opponent's number.
const THEIRS: &str = "theirs";

/// A story for a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disguise {
    seed: u64,
    story: usize,
    /// The verbs for adding, subtracting, multiplying and dividing.
    verbs: [&'static str; 4],
}

/// The rule book contains something that no story has words for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("disguises have no words for {0}. Play this game without one")]
pub struct NoWords(&'static str);

impl Disguise {
    /// A disguise for a game. The same seed always gives the same story.
    ///
    /// # Errors
    ///
    /// If no story has words for the game. For example, a dragon can't have fewer than 0 berries.
    pub fn new(seed: u64, rulebook: &Rulebook) -> Result<Disguise, NoWords> {
        let is_below = |number: i64| number < 0;
        if is_below(rulebook.numbers_on_turn().0) || rulebook.target().is_some_and(is_below) {
            return Err(NoWords("numbers below 0"));
        }
        let mut words = ChaCha8Rng::seed_from_u64(seed);
        let mut below = |bound: usize| ((u64::from(words.next_u32()) * bound as u64) >> 32) as usize;
        let story = below(STORIES.len());
        let verbs = STORIES[story].verbs.map(|verbs| verbs[below(verbs.len())]);
        Ok(Disguise { seed, story, verbs })
    }

    /// The seed of the story.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The title of the story.
    pub fn title(&self) -> &'static str {
        self.story().title
    }

    fn story(&self) -> &'static Story {
        &STORIES[self.story]
    }

    /// A written move's name.
    pub fn name(&self, written: Written) -> String {
        self.called(written.operation.kind(), written.on, &written.operation.amount().to_string())
    }

    /// The written move with this name (case-insensitive).
    pub fn written(&self, name: &str) -> Option<Written> {
        let tokens = tokens(name);
        self.named_at(&tokens, 0).filter(|(_, length)| *length == tokens.len()).map(|(written, _)| written)
    }

    /// The move whose name begins at a token, and the name's length in tokens: `feed-3`, `feed 3`, `feed-theirs-3`.
    pub(crate) fn named_at(&self, tokens: &[Token], begin: usize) -> Option<(Written, usize)> {
        let verb = tokens.get(begin)?.word()?;
        let kind = Kind::ALL.into_iter().find(|kind| self.verb(*kind) == verb)?;
        let is_hyphen = |token: &Token| token.glued && token.piece == Piece::Sign(Kind::Subtract);
        let behind_hyphen = |place: usize| place + usize::from(tokens.get(place).is_some_and(is_hyphen));
        let mut place = behind_hyphen(begin + 1);
        let is_theirs = tokens.get(place)?.word() == Some(THEIRS);
        if is_theirs {
            place = behind_hyphen(place + 1);
        }
        let Piece::Number(amount) = tokens.get(place)?.piece else { return None };
        let on = if is_theirs { On::Other } else { On::Own };
        Some((Written { operation: Operation::new(kind, amount)?, on }, place + 1 - begin))
    }

    /// A move as a phrase in the rules: `feed the dragon 3 berries`.
    pub(crate) fn sentence(&self, rulebook: &Rulebook, written: Written) -> String {
        self.does(rulebook, &Entry::from(written))
    }

    fn verb(&self, kind: Kind) -> &'static str {
        let place = Kind::ALL.iter().position(|known| *known == kind).unwrap_or_default();
        self.verbs[place]
    }

    fn called(&self, kind: Kind, on: On, amount: &str) -> String {
        match on {
            On::Own => format!("{}-{amount}", self.verb(kind)),
            On::Other => format!("{}-{THEIRS}-{amount}", self.verb(kind)),
        }
    }

    /// The name of an entry of `moves`, with N for a computed amount.
    pub fn entry(&self, entry: &Entry) -> String {
        match entry.op {
            Op::Fixed(operation) => self.name(Written { operation, on: entry.on }),
            Op::Computed(computed) => self.called(computed.kind(), entry.on, "N"),
        }
    }

    /// A number with its unit.
    pub fn count(&self, number: i128) -> String {
        let [one, many] = self.story().unit;
        format!("{number} {}", if number == 1 { one } else { many })
    }

    /// The owner of a number: `the dragon`, `your dragon`.
    pub fn holder(&self, rulebook: &Rulebook, on: On) -> String {
        let holder = self.story().holder;
        match (rulebook.numbers(), on) {
            (Numbers::Shared, _) => format!("the {holder}"),
            (Numbers::Separate, On::Own) => format!("your {holder}"),
            (Numbers::Separate, On::Other) => format!("your opponent's {holder}"),
        }
    }

    /// An entry as a phrase: `feed the dragon 3 berries`.
    fn does(&self, rulebook: &Rulebook, entry: &Entry) -> String {
        let Story { unit: [one, many], more, fewer, .. } = self.story();
        let holder = self.holder(rulebook, entry.on);
        let amount = match entry.op {
            Op::Fixed(operation) => operation.amount().to_string(),
            Op::Computed(_) => "N".to_owned(),
        };
        let so_many = format!("{amount} {}", if amount == "1" { one } else { many });
        let does = match (entry.kind(), amount.as_str()) {
            (Kind::Add, _) => more.replace("{holder}", &holder).replace("{n}", &so_many),
            (Kind::Subtract, _) => fewer.replace("{holder}", &holder).replace("{n}", &so_many),
            (Kind::Multiply, "2") => format!("double the {many} of {holder}"),
            (Kind::Multiply, _) => format!("multiply the {many} of {holder} by {amount}"),
            (Kind::Divide, "2") => format!("halve the {many} of {holder}"),
            (Kind::Divide, _) => format!("divide the {many} of {holder} by {amount}"),
        };
        match entry.op {
            Op::Fixed(_) => does,
            Op::Computed(computed) => format!("{does}, where N is {}", from_where(computed)),
        }
    }

    /// The rules: [`describe::rules`] in the story's words.
    pub fn rules(&self, rulebook: &Rulebook) -> Vec<String> {
        let Story { holder, unit: [_, many], .. } = self.story();
        let mut rules = vec![
            self.opening(rulebook),
            format!("Every number below is how many {many} the {holder} has."),
            self.operations(rulebook),
        ];
        rules.extend(describe::amounts(rulebook));
        let strikes = describe::strikes(rulebook);
        let whose = match rulebook.numbers() {
            Numbers::Shared => "the",
            Numbers::Separate => "their",
        };
        let player = match strikes {
            true => format!("The player whose {holder} reaches"),
            false => format!("The player who brings {whose} {holder} to"),
        };
        if strikes {
            rules.push(format!(
                "The count of a {holder} wins or loses for its owner, no matter who made the move."
            ));
        }
        if let Some(target) = rulebook.target() {
            let reach = match rulebook.reach() {
                Reach::Wins => "wins",
                Reach::Loses => "loses",
            };
            let past = match rulebook.direction() {
                Some(Direction::Countdown) => "fewer than",
                _ => "more than",
            };
            let target = self.count(target.into());
            rules.push(format!("The target is {target}. {player} exactly {target} {reach}."));
            rules.push(match rulebook.past() {
                Past::Loses => format!("{player} {past} {target} loses immediately."),
                Past::Forbidden => {
                    format!("A move after which the {holder} would have {past} {target} is not allowed.")
                }
                Past::Wins => format!("{player} {past} {target} wins."),
            });
        }
        let number_of = |numbers: String| format!("a number of {many} that is {numbers}");
        rules.extend(listed::winning(rulebook).map(|it| format!("{player} {} wins.", number_of(it))));
        rules.extend(listed::losing(rulebook).map(|it| format!("{player} {} loses.", number_of(it))));
        rules.extend(
            listed::forbidden(rulebook)
                .map(|it| format!("No move may bring a {holder} to {}.", number_of(it))),
        );
        rules.extend(describe::further_rules(rulebook));
        rules
    }

    fn opening(&self, rulebook: &Rulebook) -> String {
        let holder = self.story().holder;
        let (starter, other) = rulebook.start();
        let [starter, other] = [starter, other].map(|number| self.count(number.into()));
        match rulebook.numbers() {
            Numbers::Shared => {
                format!("Both players share one {holder}. It starts with {starter}.")
            }
            Numbers::Separate if starter == other => {
                format!("Each player has their own {holder}. Both start with {starter}.")
            }
            Numbers::Separate => format!(
                "Each player has their own {holder}. The {holder} of the player who goes first starts with {starter}, the other one with {other}."
            ),
        }
    }

    fn operations(&self, rulebook: &Rulebook) -> String {
        let list = rulebook.moves().iter().map(|entry| {
            let mut said = vec![self.does(rulebook, entry)];
            if let Op::Computed(computed) = entry.op {
                said.extend(describe::amounts_allowed(computed).map(|bounds| format!("N is {bounds}")));
            }
            if !entry.when.is_empty() {
                said.push(format!("only from {}", describe::condition(&entry.when)));
            }
            said.extend(entry.uses.map(describe::limit));
            format!("{} ({})", self.entry(entry), said.join("; "))
        });
        let list: Vec<String> = list.collect();
        let which = if list.len() == 1 { "make this move" } else { "make one of these moves" };
        format!("Players take turns. On your turn, {which}: {}.", list.join(", "))
    }

    /// A number as a sentence: `The dragon has 3 berries.`
    pub fn standing(&self, rulebook: &Rulebook, on: On, number: i128) -> String {
        format!("{} has {}.", capitalised(&self.holder(rulebook, on)), self.count(number))
    }
}

/// The source of a computed amount.
fn from_where(computed: Computed) -> &'static str {
    match computed.source() {
        Source::Divisor => "a divisor of the number being changed",
        Source::Prime => "a prime factor of the number being changed",
        Source::Digit => "a digit of the number being changed",
        Source::Half => "at most half of the number being changed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_verb_means_two_operations() {
        for story in &STORIES {
            let mut verbs: Vec<&str> = story.verbs.concat();
            let many = verbs.len();
            verbs.sort_unstable();
            verbs.dedup();
            assert_eq!(verbs.len(), many, "{}", story.title);
            assert!(verbs.iter().all(|verb| verb.chars().all(|c| c.is_ascii_lowercase())), "{verbs:?}");
        }
    }
}
