//! A rule book in words: what a stranger needs to know to play.
//!
//! ```
//! use spoton::format::catalog;
//! use spoton::words::describe;
//!
//! let maze = catalog::draft("number-maze").unwrap().build()?;
//! let rules = describe::rules(&maze);
//! assert!(rules.contains(&"Whoever lands exactly on 20 wins.".to_owned()), "{rules:?}");
//! # Ok::<(), spoton::format::Problems>(())
//! ```

use std::collections::BTreeSet;

use crate::engine::computed::{Computed, Source};
use crate::engine::number_kind::{Condition, NumberKind};
use crate::engine::operation::Kind;
use crate::engine::play::Move;
use crate::engine::position::{Choice, EntryIndex, Player, Position};
use crate::engine::written::Offer;
use crate::format::{
    Direction, Entry, Game, NoRepeat, Numbers, On, Op, Past, Pool, Reach, Rulebook, Stuck, Uses,
};
use crate::words::listed;
use crate::words::phrases::{self, and_list, count, match_form, times};

/// What a game is about: its book's own summary, or the goal if the book has none.
pub fn summary(rulebook: &Rulebook) -> String {
    match rulebook.summary() {
        "" => goal(rulebook),
        summary => summary.to_owned(),
    }
}

/// What to play for, in a sentence or two.
pub fn goal(rulebook: &Rulebook) -> String {
    goal_with(rulebook, landing(rulebook))
}

/// The same, but nobody is asked to land on a target that is
/// [out of reach](crate::people::solved_game::SolvedGame::out_of_reach).
pub fn goal_knowing(rulebook: &Rulebook, out_of_reach: Option<&str>) -> String {
    goal_with(rulebook, out_of_reach.map_or_else(|| landing(rulebook), |known| vec![known.to_owned()]))
}

/// [`at_a_glance`] in the same way.
pub fn at_a_glance_knowing(rulebook: &Rulebook, out_of_reach: Option<&str>) -> String {
    match out_of_reach {
        Some(_) => goal_knowing(rulebook, out_of_reach),
        None => at_a_glance(rulebook),
    }
}

/// What to play for and, where no target says it, what is done: for a line above a board.
pub fn at_a_glance(rulebook: &Rulebook) -> String {
    let leaves_nothing = rulebook.numbers() == Numbers::Shared
        && rulebook.target() == Some(0)
        && rulebook.direction() == Some(Direction::Countdown)
        && rulebook.past() == Past::Forbidden;
    if leaves_nothing {
        // Nobody lands on nothing, and less than nothing cannot be left.
        let landing = match rulebook.reach() {
            Reach::Wins => "Bring the number down to 0 to win.",
            Reach::Loses => "Whoever brings the number down to 0 loses.",
        };
        return goal_with(rulebook, vec![landing.to_owned()]);
    }
    let mut said = vec![goal(rulebook)];
    if rulebook.target().is_none() {
        let moves = phrases::or_list(rulebook.moves().iter().map(Entry::label));
        said.push(format!("{}.", phrases::capitalised(&moves)));
        said.extend(listed::forbidden(rulebook).map(|numbers| format!("No move may land on {numbers}.")));
    }
    said.join(" ")
}

/// The same with what may not be repeated: a player whose round counts must not learn that by a move.
pub fn at_a_glance_with_repeats(rulebook: &Rulebook, out_of_reach: Option<&str>) -> String {
    [at_a_glance_knowing(rulebook, out_of_reach)]
        .into_iter()
        .chain(no_repeat(rulebook))
        .collect::<Vec<_>>()
        .join(" ")
}

/// What becomes of whoever lands on the target or goes past it.
fn landing(rulebook: &Rulebook) -> Vec<String> {
    let Some(target) = rulebook.target() else { return Vec::new() };
    let strikes = strikes(rulebook);
    let landing = match rulebook.reach() {
        Reach::Wins if strikes => format!("The player whose number lands exactly on {target} wins."),
        Reach::Wins => format!("Land exactly on {target} to win."),
        Reach::Loses if strikes => format!("The player whose number lands on {target} loses."),
        Reach::Loses => format!("Whoever lands on {target} loses."),
    };
    let past = match rulebook.past() {
        Past::Loses => "Going past it loses.",
        Past::Forbidden => "Going past it is not allowed.",
        Past::Wins => "Going past it wins.",
    };
    vec![landing, past.to_owned()]
}

fn goal_with(rulebook: &Rulebook, landing: Vec<String>) -> String {
    let mut said = landing;
    let whose = for_its_owner(rulebook);
    said.extend(listed::winning(rulebook).map(|numbers| format!("Landing on {numbers} wins{whose}.")));
    said.extend(listed::losing(rulebook).map(|numbers| format!("Landing on {numbers} loses{whose}.")));
    said.extend(which_goes_first(rulebook));
    if let Some(turns) = turns(rulebook) {
        said.push(turns);
    } else if rulebook.stuck() == Stuck::Closest {
        let target = rulebook.target().unwrap_or_default();
        said.push(format!("When neither player can move, the number closer to {target} wins."));
    }
    if said.is_empty() {
        said.push(stuck(rulebook));
    }
    said.join(" ")
}

/// For whom landing counts, if that goes without saying for nobody.
pub(crate) fn for_its_owner(rulebook: &Rulebook) -> &'static str {
    if strikes(rulebook) { " for the player whose number it is" } else { "" }
}

/// Whether some move changes the other player's number.
pub(crate) fn strikes(rulebook: &Rulebook) -> bool {
    rulebook.moves().iter().any(|entry| entry.on == On::Other)
}

/// The title of a game, with what was changed.
pub fn title(game: &Game, rulebook: &Rulebook) -> String {
    let drawn = game.targets.as_ref().map(|targets| format!("target={}..{}", targets.start(), targets.end()));
    let changes = game.variant.iter().cloned().chain(game.written_settings()).chain(drawn);
    rulebook.title().to_owned() + &changes.map(|change| format!(", {change}")).collect::<String>()
}

/// The same as people say it. A target that the title names already goes without saying.
///
/// ```
/// use spoton::format::{BookText, Changes, Game, Setting};
/// use spoton::words::describe;
///
/// let changes = Changes { variant: None, settings: vec![Setting::Target("17".to_owned())] };
/// let said = |id: &str| {
///     let game = Game::new(BookText::shipped(id).unwrap(), id.to_owned(), &changes)?;
///     Ok::<_, spoton::format::BadGame>(describe::spoken_title(&game, &game.rulebook()?))
/// };
/// assert_eq!(said("race-to-23")?, "Race to 17");
/// assert_eq!(said("number-maze")?, "Number Maze, target 17");
/// # Ok::<(), spoton::format::BadGame>(())
/// ```
pub fn spoken_title(game: &Game, rulebook: &Rulebook) -> String {
    let title = rulebook.title();
    let is_named = |target: &str| title.split_whitespace().any(|word| word == target);
    let spoken = |setting: String| match setting.strip_prefix("target=").map(str::trim) {
        Some(target) if is_named(target) => None,
        Some(target) => Some(format!("target {target}")),
        None => Some(setting),
    };
    let variant = game.variant.iter().map(|variant| variant.replace('-', " "));
    let drawn =
        game.targets.as_ref().map(|targets| format!("target {} to {}", targets.start(), targets.end()));
    let changes = variant.chain(game.written_settings().into_iter().filter_map(spoken)).chain(drawn);
    title.to_owned() + &changes.map(|change| format!(", {change}")).collect::<String>()
}

/// The rules, a sentence or two each, in the order in which a player meets them.
pub fn rules(rulebook: &Rulebook) -> Vec<String> {
    let mut rules = vec![opening(rulebook), operations(rulebook)];
    rules.extend(amounts(rulebook));
    let whoever = if strikes(rulebook) {
        let all = rulebook.moves().iter().all(|entry| entry.on == On::Other);
        let which = if all { "Every move changes" } else { "Some moves change" };
        rules.push(format!("{which} the other player's number. What a number lands on counts for the player whose number it is, whoever made the move."));
        "The player whose number"
    } else {
        "Whoever"
    };
    if let Some(target) = rulebook.target() {
        rules.push(match rulebook.reach() {
            Reach::Wins => format!("{whoever} lands exactly on {target} wins."),
            Reach::Loses => format!("{whoever} lands exactly on {target} loses."),
        });
        rules.push(match rulebook.past() {
            Past::Loses => format!("{whoever} goes past {target} loses at once."),
            Past::Forbidden => format!("A move that would go past {target} is not allowed."),
            Past::Wins => format!("{whoever} goes past {target} wins."),
        });
    }
    rules.extend(listed::winning(rulebook).map(|numbers| format!("{whoever} lands on {numbers} wins.")));
    rules.extend(listed::losing(rulebook).map(|numbers| format!("{whoever} lands on {numbers} loses.")));
    rules.extend(listed::forbidden(rulebook).map(|numbers| format!("No move may land on {numbers}.")));
    rules.extend(further_rules(rulebook));
    if let Some(form) = rulebook.match_form() {
        rules.push(format!("Suggested match: {}. The players take turns to start.", match_form(form)));
    }
    rules
}

/// The rules that follow those about the moves and what they land on.
pub(super) fn further_rules(rulebook: &Rulebook) -> Vec<String> {
    let mut rules: Vec<String> = which_goes_first(rulebook).into_iter().chain(range(rulebook)).collect();
    if rulebook.moves().iter().any(|entry| matches!(entry.op, Op::Fixed(operation) if operation.divides())) {
        rules.push("A division is only allowed where nothing is left over.".to_owned());
    }
    rules.extend(no_repeat(rulebook));
    if let Some(passes) = rulebook.passes().filter(|_| can_pass(rulebook)) {
        rules.push(match passes {
            0 => "A move must change the number.".to_owned(),
            passes => format!(
                "A move that leaves the number as it is counts as a pass; each player has {} in a round.",
                count(passes, "pass", "passes")
            ),
        });
    }
    rules.push(match rulebook.stuck() {
        Stuck::Skips | Stuck::Closest => "You must move if you can.".to_owned(),
        Stuck::Loses | Stuck::Wins | Stuck::Draws => {
            "There is no skipping: you must move on your turn.".to_owned()
        }
    });
    rules.push(stuck(rulebook));
    rules.extend(turns(rulebook));
    if let Some(most) = rulebook.repetition()
        && rulebook.may_repeat()
    {
        rules.push(format!(
            "House rule: if the same position comes up for the {} time, with the same player to move, the round is a draw.",
            phrases::ordinal(most)
        ));
    }
    rules
}

/// Whether some move could leave a number as it is.
fn can_pass(rulebook: &Rulebook) -> bool {
    let (low, high) = rulebook.range();
    let scales = |entry: &Entry| matches!(entry.kind(), Kind::Multiply | Kind::Divide);
    let by_one = |entry: &Entry| matches!(entry.op, Op::Fixed(operation) if operation.amount() == 1);
    rulebook.moves().iter().any(|entry| scales(entry) && (by_one(entry) || (low..=high).contains(&0)))
}

fn no_repeat(rulebook: &Rulebook) -> Option<String> {
    let mut said = vec![match rulebook.no_repeat() {
        NoRepeat::None => return None,
        NoRepeat::Own => "You may not repeat your own last move.",
        NoRepeat::Opponent => "You may not repeat the other player's last move.",
        NoRepeat::Both => "You may not repeat your own last move, nor the other player's.",
    }];
    // What counts as the same move, wherever one could wonder.
    if !rulebook.has_only_fixed_moves() {
        said.push("With another amount it is another move.");
    }
    let moves = rulebook.moves();
    let some_pair = |fits: fn(&Entry, &Entry) -> bool| {
        moves.iter().enumerate().any(|(place, one)| moves[..place].iter().any(|other| fits(one, other)))
    };
    if some_pair(|one, other| one.on != other.on && can_be_written_alike(one, other)) {
        said.push("The same on the other player's number is another move, too.");
    }
    if some_pair(|one, other| one.on == other.on && can_be_written_alike(one, other)) {
        said.push("The same operation with the same amount is the same move, whatever it is called.");
    }
    Some(said.join(" "))
}

/// Whether some move of one entry has the same operation and amount as some move of another.
fn can_be_written_alike(one: &Entry, other: &Entry) -> bool {
    match (one.op, other.op) {
        (Op::Fixed(one), Op::Fixed(other)) => one == other,
        _ => one.kind() == other.kind(),
    }
}

fn opening(rulebook: &Rulebook) -> String {
    let (starter, other) = rulebook.start();
    match rulebook.numbers() {
        Numbers::Shared => format!("Both players change one number. It begins at {starter}."),
        Numbers::Separate if starter == other => {
            format!("Each player has a number of their own. Both begin at {starter}.")
        }
        Numbers::Separate => format!(
            "Each player has a number of their own. Whoever starts begins at {starter}, the other player at {other}."
        ),
    }
}

fn operations(rulebook: &Rulebook) -> String {
    // A limit that holds for each of many operations is said once.
    let each = match rulebook.moves() {
        [first, rest @ ..] if rest.len() > 2 && rest.iter().all(|entry| entry.uses == first.uses) => {
            first.uses
        }
        _ => None,
    };
    let list = rulebook.moves().iter().map(|entry| {
        let mut said = vec![entry.to_string()];
        if entry.on == On::Other && entry.label.is_some() {
            said.push("on the other player's number".to_owned());
        }
        if let Op::Computed(computed) = entry.op {
            said.extend(amounts_allowed(computed));
        }
        if !entry.when.is_empty() {
            said.push(format!("only from {}", condition(&entry.when)));
        }
        if let Some(uses) = entry.uses.filter(|_| each.is_none()) {
            said.push(limit(uses));
        }
        format!("{} ({})", entry.label(), said.join("; "))
    });
    let which = match rulebook.moves() {
        [Entry { op: Op::Fixed(_), .. }] => "this operation",
        [_] => "an amount for this operation",
        _ => "one operation",
    };
    format!(
        "The players take turns and choose {which}: {}.{}",
        list.collect::<Vec<_>>().join(", "),
        each.map_or(String::new(), |uses| format!(" Each may be used {}.", limit(uses)))
    )
}

pub(super) fn limit(uses: Uses) -> String {
    let by = match uses.pool {
        Pool::Own => "by each player",
        Pool::Shared => "by both together",
    };
    format!("at most {} in a round {by}", times(uses.limit))
}

/// Which amounts may be chosen: `2 or more`; `None` if the rule book sets no bounds.
pub(super) fn amounts_allowed(computed: Computed) -> Option<String> {
    match (computed.from, computed.to) {
        (None, None) => None,
        (Some(from), None) => Some(format!("{from} or more")),
        (None, Some(to)) => Some(format!("{to} or less")),
        (Some(from), Some(to)) if from == to => Some(format!("only {from}")),
        (Some(from), Some(to)) => Some(format!("from {from} to {to}")),
    }
}

/// The same behind what has them: `of at least 2`; `None` if the rule book sets no bounds.
pub(crate) fn bounds_of_amounts(computed: Computed) -> Option<String> {
    match (computed.from, computed.to) {
        (None, None) => None,
        (Some(from), None) => Some(format!("of at least {from}")),
        (None, Some(to)) => Some(format!("of at most {to}")),
        (Some(from), Some(to)) if from == to => Some(format!("of just {from}")),
        (Some(from), Some(to)) => Some(format!("from {from} to {to}")),
    }
}

/// What the computed amounts are, a sentence each.
pub(super) fn amounts(rulebook: &Rulebook) -> Vec<String> {
    let sources: BTreeSet<(Source, bool)> = rulebook
        .moves()
        .iter()
        .filter_map(|entry| match entry.op {
            Op::Computed(computed) => Some((computed.source(), computed.kind() == Kind::Divide)),
            Op::Fixed(_) => None,
        })
        .collect();
    let has = |source, dividing| sources.contains(&(source, dividing));
    let mut said = Vec::new();
    if has(Source::Divisor, false) {
        said.push(
            "A divisor is a whole number that divides the number evenly and is less than it.".to_owned(),
        );
    }
    if has(Source::Divisor, true) {
        said.push(
            "A divisor to divide by is more than 1 and less than the number, and divides it evenly."
                .to_owned(),
        );
    }
    if has(Source::Prime, false) || has(Source::Prime, true) {
        said.push("A prime factor is a prime number that divides the number evenly.".to_owned());
    }
    if has(Source::Digit, false) {
        said.push("A digit is any digit of the number but 0.".to_owned());
    }
    if has(Source::Half, false) {
        said.push("At most half means any amount from 1 to half of the number, rounded down.".to_owned());
    }
    let on_other = |entry: &Entry| entry.on == On::Other && matches!(entry.op, Op::Computed(_));
    if rulebook.moves().iter().any(on_other) {
        said.push("What counts is the number that is changed, as it is before the move.".to_owned());
    }
    let (low, _) = rulebook.numbers_on_turn();
    if !said.is_empty() && low < 1 {
        said.push("A number below 1 has none of these.".to_owned());
    }
    said
}

/// Which rule decides if several speak of a number; `None` if that does not come up.
fn which_goes_first(rulebook: &Rulebook) -> Option<String> {
    /// More numbers are not looked through.
    const MOST: u64 = 10_000;
    let lists = [rulebook.winning(), rulebook.losing(), rulebook.forbidden()];
    let (low, high) = rulebook.range();
    let speak = |number: i64| {
        let number = i128::from(number);
        let is_target = rulebook.target().map(i128::from) == Some(number);
        let in_lists = lists.iter().filter(|list| list.lists(number) || list.describes(number)).count();
        !rulebook.passes_target(number) && usize::from(is_target) + in_lists > 1
    };
    let comes_up = || high.abs_diff(low) > MOST || (low..=high).any(speak);
    if !lists.iter().any(|list| list.has_descriptions()) || !comes_up() {
        return None;
    }
    let target = if rulebook.target().is_some() { "the target, " } else { "" };
    Some(format!(
        "Where several of these rules fit a number, the first of these decides: {target}the numbers named one by one, what is not allowed, what wins."
    ))
}

/// A number that meets all of some conditions: `an odd number`, `a multiple of 7 below 50`.
pub fn condition(when: &[Condition]) -> String {
    let mut adjectives = Vec::new();
    let mut multiples = Vec::new();
    let mut bounds = Vec::new();
    for condition in when {
        match condition {
            Condition::Kind(NumberKind::MultipleOf(factor)) => {
                multiples.push(format!("multiple of {factor}"))
            }
            Condition::Kind(kind) => adjectives.push(kind.to_string()),
            bound => bounds.push(bound.to_string()),
        }
    }
    if adjectives.is_empty() && multiples.is_empty() && bounds.is_empty() {
        return "any number".to_owned();
    }
    let noun = if multiples.is_empty() { "number".to_owned() } else { multiples.join(" and ") };
    let bounds = and_list(bounds);
    let words = adjectives.into_iter().chain([noun]).chain(Some(bounds).filter(|said| !said.is_empty()));
    with_article(&words.collect::<Vec<_>>().join(" "))
}

/// The numbers of a kind: `even numbers`, `multiples of 7`.
pub fn numbers_of(kind: NumberKind) -> String {
    match kind {
        NumberKind::MultipleOf(_) => kind.to_string(),
        plain => format!("{plain} numbers"),
    }
}

/// One number of a kind: `an even number`, `a multiple of 7`.
pub fn a_number(kind: NumberKind) -> String {
    condition(&[Condition::Kind(kind)])
}

/// The words for numbers with the article that fits them.
fn with_article(words: &str) -> String {
    let vowel = words.starts_with(['a', 'e', 'i', 'o']);
    format!("{} {words}", if vowel { "an" } else { "a" })
}

/// The range; `None` if no move could leave it without going past the target.
fn range(rulebook: &Rulebook) -> Option<String> {
    let (low, high) = rulebook.range();
    // Dividing counts as down and multiplying as up, by 1 too.
    let goes_down = |entry: &Entry| matches!(entry.kind(), Kind::Subtract | Kind::Divide);
    let down = rulebook.moves().iter().any(goes_down);
    let up = rulebook.moves().iter().any(|entry| !goes_down(entry));
    // Below 0, multiplying goes down and dividing goes up.
    let (down, up) = if low < 0 { (true, true) } else { (down, up) };
    match rulebook.direction() {
        Some(Direction::Climb) => down.then(|| format!("A move that would go below {low} is not allowed.")),
        Some(Direction::Countdown) => {
            up.then(|| format!("A move that would go above {high} is not allowed."))
        }
        None if rulebook.has_only_fixed_moves() => {
            Some(format!("A move that would leave the numbers from {low} to {high} is not allowed."))
        }
        None => match (down && !stays_above(rulebook, low), up) {
            (false, false) => None,
            (true, false) => Some(format!("A move that would go below {low} is not allowed.")),
            (false, true) => Some(format!("A move that would go above {high} is not allowed.")),
            (true, true) => {
                Some(format!("A move that would leave the numbers from {low} to {high} is not allowed."))
            }
        },
    }
}

/// Whether no move leads below a number of 1 or less, since none takes all of a number away.
fn stays_above(rulebook: &Rulebook, low: i64) -> bool {
    let takes_a_part = |entry: &Entry| match entry.op {
        Op::Fixed(operation) => matches!(operation.kind(), Kind::Add | Kind::Multiply | Kind::Divide),
        Op::Computed(computed) => {
            computed.kind() != Kind::Subtract || matches!(computed.source(), Source::Divisor | Source::Half)
        }
    };
    (0..=1).contains(&low) && rulebook.moves().iter().all(takes_a_part)
}

fn stuck(rulebook: &Rulebook) -> String {
    match rulebook.stuck() {
        Stuck::Loses => "Whoever has no legal move loses.",
        Stuck::Wins => "Whoever has no legal move wins.",
        Stuck::Draws => "When somebody has no legal move, the round is a draw.",
        Stuck::Skips => {
            "If you have no legal move, your turn is skipped. If neither player has one, the round is a draw."
        }
        Stuck::Closest => {
            "If you have no legal move, your turn is skipped. If neither player has one, the number closer to the target wins; if both are equally close, it is a draw."
        }
    }
    .to_owned()
}

/// How many turns there are; `None` if they are not limited.
fn turns(rulebook: &Rulebook) -> Option<String> {
    let turns = count(rulebook.turns()?, "turn", "turns");
    Some(format!(
        "Each player has {turns}. If nobody has won by then, the number closer to the target wins; if both are equally close, it is a draw."
    ))
}

/// What is left to the player on turn of the limited uses and passes that a move would take; `None` if it takes none.
pub fn left(rulebook: &Rulebook, position: &Position, offer: &Offer) -> Option<String> {
    let mut left = Vec::new();
    // The uses of an entry with computed amounts are for all amounts together.
    let computed = rulebook.entry(offer.entry).is_some_and(|entry| matches!(entry.op, Op::Computed(_)));
    let of_what = if computed { " of this kind" } else { "" };
    left.extend(
        uses_left(rulebook, position, position.turn(), offer.entry)
            .map(|uses| format!("{uses}{of_what} left")),
    );
    if let Some(passes) = rulebook.passes()
        && let Some(written) = offer.choice.and_then(|choice| rulebook.written(choice))
        && let before = position.number_of(written.on.of(position.turn()))
        && written.operation.apply(before) == Some(before.into())
    {
        let passes = passes.saturating_sub(position.passes_of(position.turn()));
        left.push(format!("{} left", count(passes, "pass", "passes")));
    }
    (!left.is_empty()).then(|| and_list(left))
}

/// Which of their turns the player on turn has, such as `3 of 10`; `None` if turns are not limited.
pub fn which_turn(rulebook: &Rulebook, position: &Position) -> Option<String> {
    rulebook.turns().map(|turns| format!("{} of {turns}", position.plies() / 2 + 1))
}

/// How often a player may still use an entry of `moves`; `None` if that is not limited.
fn uses_left(rulebook: &Rulebook, position: &Position, player: Player, entry: EntryIndex) -> Option<u8> {
    let uses = rulebook.entry(entry)?.uses?;
    Some(uses.limit.saturating_sub(position.uses_of(player, entry)))
}

/// How many passes a player may still make; `None` if that is not limited.
fn passes_left(rulebook: &Rulebook, position: &Position, player: Player) -> Option<u8> {
    rulebook.passes().map(|passes| passes.saturating_sub(position.passes_of(player)))
}

/// What is left of limited uses and passes to the player on turn, as a list.
pub fn limits(rulebook: &Rulebook, position: &Position) -> Vec<String> {
    let turn = position.turn();
    let uses = rulebook.entries().filter_map(|(index, entry)| {
        let left = uses_left(rulebook, position, turn, index)?;
        Some(format!("{} ({})", entry.label(), count(left, "use", "uses")))
    });
    let passes = passes_left(rulebook, position, turn);
    uses.chain(passes.map(|left| count(left, "pass", "passes"))).collect()
}

/// What else decides beside the numbers and whose turn it is, in sentences for the player on turn: the last moves, as far
/// as they may not be repeated, and what is left of limited moves, passes and turns. Empty if nothing does.
pub fn memory(rulebook: &Rulebook, position: &Position) -> Vec<String> {
    memory_by(rulebook, position, &|choice| rulebook.write(Move::Operation(choice)), &Entry::label)
}

/// The same with other names for moves and entries.
pub(super) fn memory_by(
    rulebook: &Rulebook,
    position: &Position,
    write: &dyn Fn(Choice) -> String,
    label: &dyn Fn(&Entry) -> String,
) -> Vec<String> {
    let (you, they) = (position.turn(), !position.turn());
    let no_repeat = rulebook.no_repeat();
    let mut said = Vec::new();
    let last = |player: Player| position.last_of(player).map(write);
    said.extend(last(you).map(|made| match no_repeat.looks_at_own() {
        true => format!("You played {made} last, and may not play it now."),
        false => format!("You played {made} last."),
    }));
    said.extend(last(they).map(|made| match (no_repeat.looks_at_own(), no_repeat.looks_at_opponent()) {
        (true, true) => format!("They played {made} last, and neither of you may play it next."),
        (true, false) => format!("They played {made} last, and may not play it next."),
        _ => format!("They played {made} last, so you may not play it now."),
    }));
    let uses_of = |player: Player, pool: Pool| {
        let of_pool =
            rulebook.entries().filter(move |(_, entry)| entry.uses.is_some_and(|uses| uses.pool == pool));
        of_pool.filter_map(move |(index, entry)| {
            let left = uses_left(rulebook, position, player, index)?;
            Some(format!("{} of {}", no_more(left, "use", "uses"), label(entry)))
        })
    };
    let own = |player: Player| -> Vec<String> {
        let passes = passes_left(rulebook, position, player);
        uses_of(player, Pool::Own).chain(passes.map(|left| no_more(left, "pass", "passes"))).collect()
    };
    let (yours, theirs) = (own(you), own(they));
    if !yours.is_empty() {
        said.push(format!("You have {} left, they have {}.", and_list(yours), and_list(theirs)));
    }
    let together: Vec<String> = uses_of(you, Pool::Shared).collect();
    if !together.is_empty() {
        said.push(format!("Both together have {} left.", and_list(together)));
    }
    if let Some(turns) = rulebook.turns() {
        let theirs = u64::from(turns).saturating_sub(u64::from(position.plies()).div_ceil(2));
        said.push(format!("They have {} left.", no_more(theirs, "turn", "turns")));
    }
    said
}

/// So many of something that may be none.
fn no_more(number: impl Into<u64>, one: &str, many: &str) -> String {
    match number.into() {
        0 => format!("no {one}"),
        number => count(number, one, many),
    }
}
