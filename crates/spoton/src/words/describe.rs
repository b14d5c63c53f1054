//! A rule book in words: everything a new player needs to know.
//!
//! ```
//! use spoton::format::catalog;
//! use spoton::words::describe;
//!
//! let maze = catalog::draft("number-maze").unwrap().build()?;
//! let rules = describe::rules(&maze);
//! assert!(rules.contains(&"Land exactly on 20 to win.".to_owned()), "{rules:?}");
//! # Ok::<(), spoton::format::Problems>(())
//! ```

use std::collections::BTreeSet;

use crate::engine::computed::Source;
use crate::engine::number_kind::{Condition, NumberKind};
use crate::engine::operation::Kind;
use crate::engine::play::Move;
use crate::engine::position::{Choice, EntryIndex, Player, Position};
use crate::engine::written::Offer;
use crate::format::{
    Direction, Entry, Game, NoRepeat, Numbers, On, Op, Past, Pool, Reach, Rulebook, Stuck, Uses,
};
pub(super) use spoton_core::words::amounts_allowed;
pub use spoton_core::words::condition;

use crate::words::listed;
use crate::words::phrases::{self, and_list, count, match_form, separated, times};

/// The book's summary, or its goal if it has none.
pub fn summary(rulebook: &Rulebook) -> String {
    match rulebook.summary() {
        "" => goal(rulebook),
        summary => summary.to_owned(),
    }
}

/// How a player wins and loses, in a sentence or two.
pub fn goal(rulebook: &Rulebook) -> String {
    goal_with(rulebook, landing(rulebook))
}

/// [`goal`], but if the target is [out of reach](crate::solved::SolvedGame::out_of_reach), `out_of_reach`
/// replaces it.
pub fn goal_knowing(rulebook: &Rulebook, out_of_reach: Option<&str>) -> String {
    goal_with(rulebook, out_of_reach.map_or_else(|| landing(rulebook), |known| vec![known.to_owned()]))
}

/// [`at_a_glance`], but if the target is out of reach, `out_of_reach` replaces it.
pub fn at_a_glance_knowing(rulebook: &Rulebook, out_of_reach: Option<&str>) -> String {
    match out_of_reach {
        Some(_) if rulebook.unplayable().is_none() => goal_knowing(rulebook, out_of_reach),
        _ => at_a_glance(rulebook),
    }
}

/// The goal, for a line above a board. If there's no target, adds the moves. If the game can't be played, only mentions
/// that.
pub fn at_a_glance(rulebook: &Rulebook) -> String {
    if let Some(why) = rulebook.unplayable() {
        return why;
    }
    let leaves_nothing = rulebook.numbers() == Numbers::Shared
        && rulebook.target() == Some(0)
        && rulebook.direction() == Some(Direction::Countdown)
        && rulebook.past() == Past::Forbidden;
    if leaves_nothing {
        // "Land on 0" reads badly for counters, and going past 0 is impossible.
        let landing = match rulebook.reach() {
            Reach::Wins => "Bring the number down to 0 to win.",
            Reach::Loses => "If you bring the number down to 0, you lose.",
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

/// [`at_a_glance_knowing`] plus the rule about repeating moves. In a round that counts, a player shouldn't learn that
/// rule by having a move rejected.
pub fn at_a_glance_with_repeats(rulebook: &Rulebook, out_of_reach: Option<&str>) -> String {
    [at_a_glance_knowing(rulebook, out_of_reach)]
        .into_iter()
        .chain(no_repeat(rulebook))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The consequences of landing on the target and going past it.
fn landing(rulebook: &Rulebook) -> Vec<String> {
    let Some(target) = rulebook.target().map(separated) else { return Vec::new() };
    let (reach, past, strikes) = (rulebook.reach(), rulebook.past(), strikes(rulebook));
    let landing = match (reach, past) {
        (Reach::Wins, Past::Wins) if strikes => {
            format!("If your number lands on {target} or goes past it, you win.")
        }
        (Reach::Wins, Past::Wins) => format!("Land on {target} or go past it to win."),
        (Reach::Wins, _) if strikes => format!("If your number lands exactly on {target}, you win."),
        (Reach::Wins, _) => format!("Land exactly on {target} to win."),
        (Reach::Loses, Past::Loses) if strikes => {
            format!("If your number lands on {target} or goes past it, you lose.")
        }
        (Reach::Loses, Past::Loses) => format!("If you land on {target} or go past it, you lose."),
        (Reach::Loses, _) if strikes => format!("If your number lands on {target}, you lose."),
        (Reach::Loses, _) => format!("If you land on {target}, you lose."),
    };
    let past = match (reach, past) {
        (_, Past::Forbidden) if strikes => Some("No number can go past it."),
        (_, Past::Forbidden) => Some("You can't go past it."),
        (Reach::Wins, Past::Loses) => Some("Going past it loses."),
        (Reach::Loses, Past::Wins) => Some("Going past it wins."),
        (Reach::Wins, Past::Wins) | (Reach::Loses, Past::Loses) => None,
    };
    [Some(landing), past.map(str::to_owned)].into_iter().flatten().collect()
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
        said.push(format!("If neither player can move, the number closer to {} wins.", separated(target)));
    }
    if said.is_empty() {
        said.push(stuck(rulebook));
    }
    said.join(" ")
}

/// Names the player for whom landing counts, if a move can change the opponent's number.
pub(crate) fn for_its_owner(rulebook: &Rulebook) -> &'static str {
    if strikes(rulebook) { " for the number's owner" } else { "" }
}

/// Whether any move changes the opponent's number.
pub(crate) fn strikes(rulebook: &Rulebook) -> bool {
    rulebook.moves().iter().any(|entry| entry.on == On::Other)
}

/// A game's title with its variant and settings as a player types them.
pub fn title(game: &Game, rulebook: &Rulebook) -> String {
    let drawn = game.targets.as_ref().map(|targets| format!("target={}..{}", targets.start(), targets.end()));
    let changes = game.variant.iter().cloned().chain(game.written_settings()).chain(drawn);
    rulebook.title().to_owned() + &changes.map(|change| format!(", {change}")).collect::<String>()
}

/// [`title`] as people say it. Leaves out a target that the title already names.
///
/// ```
/// use spoton::format::{BookText, Changes, Game, Setting};
/// use spoton::words::describe;
///
/// let changes = Changes { variant: None, settings: vec![Setting::Target("17".to_owned())] };
/// let title = |id: &str| {
///     let game = Game::new(BookText::shipped(id).unwrap(), id.to_owned(), &changes)?;
///     Ok::<_, spoton::format::BadGame>(describe::spoken_title(&game, &game.rulebook()?))
/// };
/// assert_eq!(title("race-to-23")?, "Race to 17");
/// assert_eq!(title("number-maze")?, "Number Maze, target 17");
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

/// The rules, a sentence or two each, in the order a player needs them.
pub fn rules(rulebook: &Rulebook) -> Vec<String> {
    let mut rules = vec![opening(rulebook), operations(rulebook)];
    rules.extend(amounts(rulebook));
    let strikes = strikes(rulebook);
    if strikes {
        let all = rulebook.moves().iter().all(|entry| entry.on == On::Other);
        let which = if all { "Every move changes" } else { "Some moves change" };
        rules.push(format!(
            "{which} your opponent's number. Landing counts for the number's owner, no matter who moved."
        ));
    }
    let (lands, goes) =
        if strikes { ("your number lands", "your number goes") } else { ("you land", "you go") };
    if let Some(target) = rulebook.target().map(separated) {
        rules.push(match rulebook.reach() {
            Reach::Wins if !strikes => format!("Land exactly on {target} to win."),
            Reach::Wins => format!("If {lands} exactly on {target}, you win."),
            Reach::Loses => format!("If {lands} exactly on {target}, you lose."),
        });
        rules.push(match rulebook.past() {
            Past::Loses => format!("If {goes} past {target}, you lose."),
            Past::Forbidden => cannot_go(rulebook, &format!("past {target}")),
            Past::Wins => format!("If {goes} past {target}, you win."),
        });
    }
    rules.extend(listed::winning(rulebook).map(|numbers| format!("If {lands} on {numbers}, you win.")));
    rules.extend(listed::losing(rulebook).map(|numbers| format!("If {lands} on {numbers}, you lose.")));
    rules.extend(listed::forbidden(rulebook).map(|numbers| format!("No move may land on {numbers}.")));
    rules.extend(further_rules(rulebook));
    if let Some(form) = rulebook.match_form() {
        rules.push(format!("Suggested match: {}. Take turns going first.", match_form(form)));
    }
    rules
}

/// The moves and their limits in a sentence or two, without the goal. For games that nobody has seen before.
pub fn moves_in_short(rulebook: &Rulebook) -> String {
    let entries = rulebook.moves().iter().map(|entry| match entry.uses {
        Some(uses) => format!("{entry} ({})", limit(uses)),
        None => entry.to_string(),
    });
    let mut said = Vec::new();
    if rulebook.numbers() == Numbers::Separate {
        said.push("Each player has a number.".to_owned());
    }
    said.push(format!("Moves: {}.", and_list(entries)));
    said.extend(amounts(rulebook));
    said.extend(listed::forbidden(rulebook).map(|numbers| format!("No move may land on {numbers}.")));
    said.extend(no_repeat(rulebook));
    said.join(" ")
}

/// The rules that come after those about moves and landing.
pub(super) fn further_rules(rulebook: &Rulebook) -> Vec<String> {
    let mut rules: Vec<String> = which_goes_first(rulebook).into_iter().chain(range(rulebook)).collect();
    if rulebook.moves().iter().any(|entry| matches!(entry.op, Op::Fixed(operation) if operation.divides())) {
        rules.push("You can only divide if there's no remainder.".to_owned());
    }
    rules.extend(no_repeat(rulebook));
    if let Some(passes) = rulebook.passes().filter(|_| can_pass(rulebook)) {
        rules.push(match passes {
            0 => "Every move must change the number.".to_owned(),
            passes => format!(
                "A move that leaves the number unchanged is a pass. Each player has {} per round.",
                count(passes, "pass", "passes")
            ),
        });
    }
    rules.push(match rulebook.stuck() {
        Stuck::Skips | Stuck::Closest => "You must move if you can.".to_owned(),
        Stuck::Loses | Stuck::Wins | Stuck::Draws => "You can't skip your turn.".to_owned(),
    });
    rules.push(stuck(rulebook));
    rules.extend(turns(rulebook));
    if let Some(most) = rulebook.repetition()
        && rulebook.may_repeat()
    {
        rules.push(format!(
            "House rule: the {} time the same position comes up with the same player to move, the round is a draw.",
            phrases::ordinal(most)
        ));
    }
    rules
}

/// Whether any move could leave a number unchanged.
fn can_pass(rulebook: &Rulebook) -> bool {
    let (low, high) = rulebook.range();
    let scales = |entry: &Entry| matches!(entry.kind(), Kind::Multiply | Kind::Divide);
    let by_one = |entry: &Entry| matches!(entry.op, Op::Fixed(operation) if operation.amount() == 1);
    rulebook.moves().iter().any(|entry| scales(entry) && (by_one(entry) || (low..=high).contains(&0)))
}

/// The rule against repeating a move.
fn no_repeat(rulebook: &Rulebook) -> Option<String> {
    let mut said = vec![match rulebook.no_repeat() {
        NoRepeat::None => return None,
        NoRepeat::Own => "You can't repeat your own last move.",
        NoRepeat::Opponent => "You can't repeat your opponent's last move.",
        NoRepeat::Both => "You can't repeat your own last move or your opponent's.",
    }];
    // Explains what counts as the same move only if that could be unclear.
    if !rulebook.has_only_fixed_moves() {
        said.push("With a different amount, it's a different move.");
    }
    let moves = rulebook.moves();
    let some_pair = |fits: fn(&Entry, &Entry) -> bool| {
        moves.iter().enumerate().any(|(place, one)| moves[..place].iter().any(|other| fits(one, other)))
    };
    if some_pair(|one, other| one.on != other.on && can_be_written_alike(one, other)) {
        said.push("On the other number, it's a different move.");
    }
    if some_pair(|one, other| one.on == other.on && can_be_written_alike(one, other)) {
        said.push("Moves with the same sign and amount are the same move, even with different labels.");
    }
    Some(said.join(" "))
}

/// Whether the two entries share a move: the same operation and amount.
fn can_be_written_alike(one: &Entry, other: &Entry) -> bool {
    match (one.op, other.op) {
        (Op::Fixed(one), Op::Fixed(other)) => one == other,
        _ => one.kind() == other.kind(),
    }
}

fn opening(rulebook: &Rulebook) -> String {
    let (starter, other) = rulebook.start();
    let (starter, other) = (separated(starter), separated(other));
    match rulebook.numbers() {
        Numbers::Shared => format!("You share one number. It starts at {starter}."),
        Numbers::Separate if starter == other => {
            format!("Each player has a number. Both start at {starter}.")
        }
        Numbers::Separate => format!(
            "Each player has a number. The player who goes first starts at {starter}, the other at {other}."
        ),
    }
}

fn operations(rulebook: &Rulebook) -> String {
    // If many moves share a limit, states it only once.
    let each = match rulebook.moves() {
        [first, rest @ ..] if rest.len() > 2 && rest.iter().all(|entry| entry.uses == first.uses) => {
            first.uses
        }
        _ => None,
    };
    let list = rulebook.moves().iter().map(|entry| {
        let mut said = vec![entry.to_string()];
        if entry.on == On::Other && entry.label.is_some() {
            said.push("on your opponent's number".to_owned());
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
        [Entry { op: Op::Fixed(_), .. }] => "Take turns making this move",
        [_] => "On your turn, choose an amount for this move",
        _ => "Take turns choosing a move",
    };
    format!(
        "{which}: {}.{}",
        list.collect::<Vec<_>>().join(", "),
        each.map_or(String::new(), |uses| format!(" Each can be used {}.", limit(uses)))
    )
}

pub(super) fn limit(uses: Uses) -> String {
    let by = match uses.pool {
        Pool::Own => "by each player",
        Pool::Shared => "by both players together",
    };
    format!("at most {} per round {by}", times(uses.limit))
}

/// Definitions of the computed amounts, a sentence each.
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
        said.push("A divisor divides the number evenly and is smaller than the number itself.".to_owned());
    }
    if has(Source::Divisor, true) {
        said.push(
            "When you divide, the divisor must be above 1 and smaller than the number itself.".to_owned(),
        );
    }
    if has(Source::Prime, false) || has(Source::Prime, true) {
        said.push("A prime factor is a prime that divides the number evenly.".to_owned());
    }
    if has(Source::Digit, false) {
        said.push("Any digit of the number counts except 0.".to_owned());
    }
    if has(Source::Half, false) {
        said.push("At most half means from 1 up to half the number, rounded down.".to_owned());
    }
    let on_other = |entry: &Entry| entry.on == On::Other && matches!(entry.op, Op::Computed(_));
    if rulebook.moves().iter().any(on_other) {
        said.push("Use the number you change, as it is before your move.".to_owned());
    }
    let (low, _) = rulebook.numbers_on_turn();
    if !said.is_empty() && low < 1 {
        said.push("From a number below 1, you can't make such a move.".to_owned());
    }
    said
}

/// The rules' precedence if several apply to a number. Returns `None` if that can't happen.
fn which_goes_first(rulebook: &Rulebook) -> Option<String> {
    /// Assumes an overlap in wider ranges.
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
        "If several of these rules apply to a number, the first of these decides: {target}numbers listed one by one, forbidden numbers, winning numbers."
    ))
}

/// The numbers of a kind: `even numbers`, `multiples of 7`.
pub fn numbers_of(kind: NumberKind) -> String {
    match kind {
        NumberKind::MultipleOf(_) => kind.to_string(),
        plain => format!("{plain} numbers"),
    }
}

/// One number of a kind: `an even number`, `a multiple of 7`.
pub(crate) fn a_number(kind: NumberKind) -> String {
    condition(&[Condition::Kind(kind)])
}

/// The range's limits. Returns `None` if no move could leave the range without going past the target.
fn range(rulebook: &Rulebook) -> Option<String> {
    let (low, high) = rulebook.range();
    // Dividing counts as down and multiplying as up, even by 1.
    let goes_down = |entry: &Entry| matches!(entry.kind(), Kind::Subtract | Kind::Divide);
    let down = rulebook.moves().iter().any(goes_down);
    let up = rulebook.moves().iter().any(|entry| !goes_down(entry));
    // Below 0, multiplying goes down and dividing goes up.
    let (down, up) = if low < 0 { (true, true) } else { (down, up) };
    let (down, up) = match rulebook.direction() {
        Some(Direction::Climb) => (down, false),
        Some(Direction::Countdown) => (false, up),
        None if rulebook.has_only_fixed_moves() => (true, true),
        None => (down && !stays_above(rulebook, low), up),
    };
    let (low, high) = (separated(low), separated(high));
    match (down, up) {
        (false, false) => None,
        (true, false) => Some(cannot_go(rulebook, &format!("below {low}"))),
        (false, true) => Some(cannot_go(rulebook, &format!("above {high}"))),
        (true, true) => Some(match rulebook.numbers() {
            Numbers::Shared => format!("The number must stay from {low} to {high}."),
            Numbers::Separate => format!("Both numbers must stay from {low} to {high}."),
        }),
    }
}

/// `You can't go past 20.`
fn cannot_go(rulebook: &Rulebook, limit: &str) -> String {
    match strikes(rulebook) {
        true => format!("No number can go {limit}."),
        false => format!("You can't go {limit}."),
    }
}

/// Whether no move can go below a minimum of 0 or 1, because none subtracts the number itself or more.
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
        Stuck::Loses => "If you have no legal move, you lose.",
        Stuck::Wins => "If you have no legal move, you win.",
        Stuck::Draws => "If a player has no legal move, the round is a draw.",
        Stuck::Skips => {
            "If you have no legal move, your turn is skipped. If neither player has one, the round is a draw."
        }
        Stuck::Closest => {
            "If you have no legal move, your turn is skipped. If neither player has one, the number closer to the target wins. If both are equally close, it's a draw."
        }
    }
    .to_owned()
}

/// The limit on turns; `None` without one.
fn turns(rulebook: &Rulebook) -> Option<String> {
    let turns = count(rulebook.turns()?, "turn", "turns");
    Some(format!(
        "Each player has {turns}. If nobody has won by then, the number closer to the target wins. If both are equally close, it's a draw."
    ))
}

/// The limited uses and passes that the player to move has left for a move. Returns `None` if the move needs none.
pub fn left(rulebook: &Rulebook, position: &Position, offer: &Offer) -> Option<String> {
    let mut left = Vec::new();
    // All of a computed entry's amounts share its uses.
    let computed = rulebook.entry(offer.entry).is_some_and(|entry| matches!(entry.op, Op::Computed(_)));
    let of_what = if computed { " of this kind" } else { "" };
    left.extend(
        uses_left(rulebook, position, position.turn(), offer.entry)
            .map(|uses| format!("{uses}{of_what} left")),
    );
    if let Some(passes) = rulebook.passes()
        && let Some(written) = offer.choice.and_then(|choice| rulebook.written(choice))
        && let before = position.number_of(written.on.affected(position.turn()))
        && written.operation.apply(before) == Some(before.into())
    {
        let passes = passes.saturating_sub(position.passes_of(position.turn()));
        left.push(format!("{} left", count(passes, "pass", "passes")));
    }
    (!left.is_empty()).then(|| and_list(left))
}

/// The number of the current turn, such as `3 of 10`. Returns `None` if turns are unlimited.
pub fn which_turn(rulebook: &Rulebook, position: &Position) -> Option<String> {
    rulebook.turns().map(|turns| format!("{} of {turns}", position.plies() / 2 + 1))
}

/// The uses of an entry that a player has left; `None` if unlimited.
fn uses_left(rulebook: &Rulebook, position: &Position, player: Player, entry: EntryIndex) -> Option<u8> {
    let uses = rulebook.entry(entry)?.uses?;
    Some(uses.limit.saturating_sub(position.uses_of(player, entry)))
}

/// The passes a player has left; `None` if unlimited.
fn passes_left(rulebook: &Rulebook, position: &Position, player: Player) -> Option<u8> {
    rulebook.passes().map(|passes| passes.saturating_sub(position.passes_of(player)))
}

/// The limited uses and passes that the player to move has left.
pub fn limits(rulebook: &Rulebook, position: &Position) -> Vec<String> {
    let turn = position.turn();
    let uses = rulebook.entries().filter_map(|(index, entry)| {
        let left = uses_left(rulebook, position, turn, index)?;
        Some(format!("{} ({})", entry.label(), count(left, "use", "uses")))
    });
    let passes = passes_left(rulebook, position, turn);
    uses.chain(passes.map(|left| count(left, "pass", "passes"))).collect()
}

/// Everything that affects later play except for the numbers and the turn, in sentences for the player to move: last
/// moves that can't be repeated, and the moves, passes and turns left. Empty if nothing else matters.
pub fn memory(rulebook: &Rulebook, position: &Position) -> Vec<String> {
    memory_by(rulebook, position, &|choice| rulebook.write(Move::Operation(choice)), &Entry::label)
}

/// [`memory`] with other names for moves and entries.
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
        true => format!("You played {made} last, so you can't play it now."),
        false => format!("You played {made} last."),
    }));
    said.extend(last(they).map(|made| match (no_repeat.looks_at_own(), no_repeat.looks_at_opponent()) {
        (true, true) => format!("They played {made} last. Neither of you can play it next."),
        (true, false) => format!("They played {made} last, so they can't play it next."),
        _ => format!("They played {made} last, so you can't play it now."),
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
        said.push(format!("You have {} left. They have {}.", and_list(yours), and_list(theirs)));
    }
    let together: Vec<String> = uses_of(you, Pool::Shared).collect();
    if !together.is_empty() {
        said.push(format!("Together, you both have {} left.", and_list(together)));
    }
    if let Some(turns) = rulebook.turns() {
        let theirs = u64::from(turns).saturating_sub(u64::from(position.plies()).div_ceil(2));
        said.push(format!("They have {} left.", no_more(theirs, "turn", "turns")));
    }
    said
}

/// `no passes`, `1 pass`, `2 passes`.
fn no_more(number: impl Into<u64>, one: &str, many: &str) -> String {
    match number.into() {
        0 => format!("no {many}"),
        number => count(number, one, many),
    }
}
