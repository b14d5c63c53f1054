//! Facts about a game and its map, laid out for pages. All sentences and figures are the library's.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use quick_cache::sync::Cache;
use spoton::discovery::{Spoiler, View};
use spoton::evaluate::opponent::{Opponent, Table};
use spoton::format::{Game, Rulebook};
use spoton::sitting::Lookahead;
use spoton::solver::{Unsolved, chart};
use spoton::teach::map::{Map, Mark, Picture};
use spoton::words::audit::{self, Section};
use spoton::words::map::{self, LONGEST_SIDE, MOST_SINGLE};
use spoton::words::opponents::{self, Square};

use crate::ids::Hash;
use crate::limits::{MOST_FACTS, TIME_FOR_A_LINE, TIME_FOR_CARDS, TIME_FOR_FACTS};
use crate::tables::Tables;
use crate::thinking::{NoReport, soon};

/// The facts about a game.
pub struct Report {
    pub sections: Vec<Section>,
    pub ladder: Option<Ladder>,
}

/// A game's computer opponents and their results.
pub struct Ladder {
    pub heading: &'static str,
    pub over: &'static str,
    pub rungs: Vec<String>,
    pub for_comparison: &'static str,
    pub references: Vec<String>,
    pub squares: Vec<Odds>,
    pub below: &'static str,
}

/// Each opponent's results against all others.
pub struct Odds {
    pub heading: String,
    /// Wins out of 100 rounds; each row begins with its opponent.
    pub rows: Vec<(String, Vec<String>)>,
}

/// A game's map.
pub struct Drawn {
    pub picture: Drawing,
    /// The texts above and below.
    pub over: &'static str,
    pub below: &'static str,
    pub legend: Vec<(Sign, &'static str)>,
    pub remarks: Vec<String>,
    /// A note if the page doesn't show the whole map.
    pub left_out: Option<String>,
}

/// A map's picture.
pub enum Drawing {
    /// Numbers, each with its mark.
    Cells(Vec<(i64, Sign)>),
    /// Ranges of numbers, in words.
    Lines(Vec<String>),
    /// Numbers, each with the number of moves it takes.
    Distances(Vec<(i64, u64)>),
    /// A grid: own number down, the opponent's across.
    Square {
        numbers: Vec<i64>,
        rows: Vec<(i64, Vec<Sign>)>,
    },
    Nothing,
}

/// A mark: its letter and CSS class.
#[derive(Clone, Copy)]
pub struct Sign {
    pub letter: char,
    pub class: &'static str,
}

impl From<Mark> for Sign {
    fn from(mark: Mark) -> Sign {
        let class = match mark {
            Mark::Win => "win",
            Mark::Stone => "stone",
            Mark::Loss => "loss",
            Mark::Draw => "draw",
            Mark::Depends => "depends",
            Mark::Ends => "ends",
            Mark::Never | Mark::NotAfterThese => "never",
        };
        Sign { letter: mark.letter(), class }
    }
}

impl Report {
    fn find(rulebook: &Arc<Rulebook>, ahead: &mut Lookahead<'_>) -> Result<Report, Unsolved> {
        let audit = ahead.ask(rulebook, |game, budget| game.audit(budget))?;
        let ladder = audit.ladder.clone().map(|ladder| {
            let table = Table::new(ladder);
            let (rungs, references) = table.rows().split_at(table.ladder().rungs.len());
            let alike = |row: &Vec<Opponent>| {
                row.iter().map(|opponent| opponent.title()).collect::<Vec<_>>().join(" = ")
            };
            let named = |rows: &[Vec<Opponent>]| rows.iter().map(alike).collect::<Vec<String>>();
            let odds = |square: Square| Odds {
                heading: square.heading,
                rows: named(table.rows()).into_iter().zip(square.rows).collect(),
            };
            Ladder {
                heading: audit::LADDER,
                over: opponents::FROM_GENTLE_TO_STRONG,
                rungs: named(rungs),
                for_comparison: opponents::FOR_COMPARISON,
                references: named(references),
                squares: opponents::squares(&table).into_iter().map(odds).collect(),
                below: opponents::exactly(rulebook),
            }
        });
        Ok(Report { sections: audit::sections(rulebook, &audit), ladder })
    }
}

impl Drawn {
    fn find(rulebook: &Arc<Rulebook>, ahead: &mut Lookahead<'_>) -> Result<Drawn, Unsolved> {
        let found = ahead.ask(rulebook, |game, budget| game.map(None, budget))?;
        Ok(Drawn::from_map(&found, rulebook))
    }

    fn from_map(found: &Map, rulebook: &Rulebook) -> Drawn {
        let (mut over, mut below) = ("", "");
        let more = |more: usize| format!("and {more} more (all of them: `spoton map --json`)");
        let beyond = |all: usize| (all > MOST_SINGLE).then(|| more(all - MOST_SINGLE));
        let mut left_out = None;
        let picture = match &found.picture {
            _ if found.is_empty() => {
                over = map::NOTHING_FITS;
                Drawing::Nothing
            }
            Picture::Strip { lowest, marks, .. } if marks.len() <= MOST_SINGLE => {
                let cells = (*lowest..).zip(marks.iter().copied().map(Sign::from));
                Drawing::Cells(cells.collect())
            }
            Picture::Strip { lowest, marks, .. } => match map::split(rulebook, *lowest, marks) {
                Some(split) => Drawing::Lines(vec![split]),
                None => {
                    let pieces: Vec<_> = chart::pieces(*lowest, marks).take(MOST_SINGLE).collect();
                    let shown = pieces.last().map_or(0, |last| last.to.abs_diff(*lowest) as usize + 1);
                    left_out = (shown < marks.len()).then(|| more(marks.len() - shown));
                    Drawing::Lines(pieces.iter().map(|piece| map::stretch(piece, rulebook)).collect())
                }
            },
            Picture::Ranges(ranges) => {
                left_out = beyond(ranges.len());
                let lines = ranges.iter().take(MOST_SINGLE).map(|piece| map::stretch(piece, rulebook));
                Drawing::Lines(lines.collect())
            }
            Picture::Scattered(marks) => {
                left_out = beyond(marks.len());
                let cells = marks.iter().take(MOST_SINGLE).map(|(number, mark)| (*number, (*mark).into()));
                Drawing::Cells(cells.collect())
            }
            Picture::Distances(distances) => {
                (over, below) = (map::DISTANCES, map::WHO_IS_AHEAD);
                left_out = beyond(distances.len());
                Drawing::Distances(distances.iter().take(MOST_SINGLE).copied().collect())
            }
            Picture::Square { numbers, .. } if numbers.len() > LONGEST_SIDE => {
                let side = numbers.len();
                left_out = Some(format!(
                    "A map of {side} by {side} numbers doesn't fit on a page; the limit is {LONGEST_SIDE} by \
                     {LONGEST_SIDE}. Run `spoton map --json` for all of it."
                ));
                Drawing::Nothing
            }
            Picture::Square { numbers, .. } => {
                over = map::DOWN_AND_ACROSS;
                let row = |own: &i64| {
                    let signs = numbers.iter().map(|other| found.pair(*own, *other).into());
                    (*own, signs.collect())
                };
                Drawing::Square { numbers: numbers.clone(), rows: numbers.iter().map(row).collect() }
            }
        };
        let legend = found.marks(None).into_iter().map(|mark| (mark.into(), mark.meaning_in(rulebook)));
        Drawn {
            picture,
            over,
            below,
            legend: legend.collect(),
            remarks: map::remarks(found, rulebook),
            left_out,
        }
    }
}

/// Cache of facts, maps and badges: safe to drop.
pub struct Known {
    reports: Latest<Report>,
    maps: Latest<Drawn>,
    out_of_reach: Latest<Option<String>>,
    /// The shipped games' badges.
    badges: Mutex<HashMap<String, Vec<String>>>,
}

/// The latest results, by the SHA-256 of the whole book and all changes to it: a forged book can't collide with
/// another.
type Latest<T> = Cache<Hash, Arc<T>>;

impl Default for Known {
    fn default() -> Known {
        Known {
            reports: Cache::new(MOST_FACTS),
            maps: Cache::new(MOST_FACTS),
            out_of_reach: Cache::new(MOST_FACTS),
            badges: Mutex::default(),
        }
    }
}

/// The SHA-256 of a whole book and all changes to it.
pub fn key(game: &Game) -> Hash {
    let variant = game.variant.clone().unwrap_or_default();
    // Hashes each part separately to avoid collisions between text alone and text plus a setting.
    let parts = [game.book.text.clone(), variant].into_iter().chain(game.written_settings());
    Hash::digest(parts.map(|part| Hash::digest(part).0).collect::<Vec<_>>().concat())
}

/// The notes for a game that is too large for the server.
pub const TOO_LARGE: &str = "Too large here. Try `spoton audit` in a terminal.";
pub(crate) const MAP_TOO_LARGE: &str = "Too large here. Try `spoton map` in a terminal.";

/// The facts about a game; `None` if it's too large.
pub async fn report(
    tables: &Tables,
    browser: Option<Hash>,
    game: &Game,
    rulebook: &Arc<Rulebook>,
) -> Result<Option<Arc<Report>>, NoReport> {
    found(tables, &tables.known.reports, browser, game, rulebook, Report::find).await
}

/// A game's map; `None` if the game is too large.
pub async fn map(
    tables: &Tables,
    browser: Option<Hash>,
    game: &Game,
    rulebook: &Arc<Rulebook>,
) -> Result<Option<Arc<Drawn>>, NoReport> {
    found(tables, &tables.known.maps, browser, game, rulebook, Drawn::find).await
}

/// Both, within the time limit for one.
pub(crate) async fn report_and_map(
    tables: &Tables,
    browser: Option<Hash>,
    game: &Game,
    rulebook: &Arc<Rulebook>,
) -> Result<(Option<Arc<Report>>, Option<Arc<Drawn>>), NoReport> {
    let (book, known) = (key(game), &tables.known);
    let (report, map) = (known.reports.get(&book), known.maps.get(&book));
    if report.is_some() && map.is_some() {
        return Ok((report, map));
    }
    let asked = Arc::clone(rulebook);
    let find = move |ahead: &mut Lookahead<'_>| {
        let report = report.or_else(|| Report::find(&asked, ahead).ok().map(Arc::new));
        let map = map.or_else(|| Drawn::find(&asked, ahead).ok().map(Arc::new));
        (report, map)
    };
    let (report, map) = tables.thinking.report(browser, TIME_FOR_FACTS, find).await?;
    if let Some(report) = &report {
        known.reports.insert(book, Arc::clone(report));
    }
    if let Some(map) = &map {
        known.maps.insert(book, Arc::clone(map));
    }
    Ok((report, map))
}

/// The notice that nobody can land on the target, and who loses; `None` if a player can, if it isn't known, or if the
/// viewer may not see facts.
pub async fn out_of_reach(tables: &Tables, rulebook: &Arc<Rulebook>, view: View) -> Option<String> {
    if view.hides(Spoiler::Facts) { None } else { find_out_of_reach(tables, rulebook).await }
}

/// Whether [`out_of_reach`] has a notice for anyone.
pub async fn is_out_of_reach(tables: &Tables, rulebook: &Arc<Rulebook>) -> bool {
    find_out_of_reach(tables, rulebook).await.is_some()
}

async fn find_out_of_reach(tables: &Tables, rulebook: &Arc<Rulebook>) -> Option<String> {
    rulebook.target()?;
    let book = Hash::digest(rulebook.whole_line());
    if let Some(known) = tables.known.out_of_reach.get(&book) {
        return known.as_ref().clone();
    }
    let asked = Arc::clone(rulebook);
    // Needs no solution, so it has its own key and doesn't wait for solver jobs.
    let key = Hash::digest([&b"out of reach "[..], &book.0].concat());
    let find = move |ahead: &mut Lookahead<'_>| {
        ahead.ask(&asked, |game, _| Ok(game.out_of_reach(View::of_everything())))
    };
    let found = tables.thinking.moves(key, TIME_FOR_A_LINE, find);
    let found = soon(async { found.await.ok()?.ok() }).await?;
    tables.known.out_of_reach.insert(book, Arc::new(found.clone()));
    found
}

/// The shipped games' badges: length and choices, but not who wins. Computed once. If time runs out, a game gets no
/// badges for now.
pub async fn badges(tables: &Tables, games: &[Arc<Rulebook>]) -> Vec<Vec<String>> {
    let known = || tables.known.badges.lock().unwrap_or_else(PoisonError::into_inner);
    let unknown: Vec<_> = {
        let known = known();
        games.iter().filter(|game| !known.contains_key(game.title())).cloned().collect()
    };
    if !unknown.is_empty() {
        let find = move |ahead: &mut Lookahead<'_>| {
            let mut badges = |game: Arc<Rulebook>| {
                let portrait = ahead.ask(&game, |game, budget| game.portrait(budget)).ok()?;
                Some((game.title().to_owned(), portrait.badges()))
            };
            unknown.into_iter().filter_map(&mut badges).collect::<Vec<_>>()
        };
        if let Ok(found) = tables.thinking.report(None, TIME_FOR_CARDS, find).await {
            known().extend(found);
        }
    }
    let known = known();
    games.iter().map(|game| known.get(game.title()).cloned().unwrap_or_default()).collect()
}

async fn found<T: Send + Sync + 'static>(
    tables: &Tables,
    known: &Latest<T>,
    browser: Option<Hash>,
    game: &Game,
    rulebook: &Arc<Rulebook>,
    find: fn(&Arc<Rulebook>, &mut Lookahead<'_>) -> Result<T, Unsolved>,
) -> Result<Option<Arc<T>>, NoReport> {
    let book = key(game);
    if let Some(found) = known.get(&book) {
        return Ok(Some(found));
    }
    let asked = Arc::clone(rulebook);
    let found = tables.thinking.report(browser, TIME_FOR_FACTS, move |ahead| find(&asked, ahead)).await?;
    let found = found.ok().map(Arc::new);
    if let Some(found) = &found {
        known.insert(book, Arc::clone(found));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use spoton::format::{BookText, Changes, Setting};

    use super::*;

    fn game(text: &str, settings: &[&str]) -> Game {
        let book =
            BookText { id: "own".into(), own_file: true, source_name: "own".into(), text: text.to_owned() };
        let settings = settings.iter().map(|setting| Setting::Set((*setting).to_owned())).collect();
        Game::new(book, "own".into(), &Changes { variant: None, settings }).unwrap()
    }

    const BOOK: &str = "title = 'A'\nstart = 0\ntarget = 5\nmoves = ['+1', '+2']\n";

    #[test]
    fn a_book_is_known_by_all_of_its_text_and_by_what_lies_over_it() {
        let others = [
            game(&BOOK.replace("'A'", "'B'"), &[]),
            game(&format!("{BOOK}claims = ['ends']\n"), &[]),
            game(&format!("{BOOK}# a remark\n"), &[]),
            game(BOOK, &["target=6"]),
            game(&format!("{BOOK}target=6"), &[]),
        ];
        for (place, one) in others.iter().enumerate() {
            assert_ne!(key(one), key(&game(BOOK, &[])));
            assert!(others[place + 1..].iter().all(|other| key(one) != key(other)));
        }
        assert_eq!(key(&game(BOOK, &["target=6"])), key(&game(BOOK, &["target=6"])));
    }

    #[test]
    fn a_full_cache_makes_room_for_the_latest() {
        let cache = Known::default().out_of_reach;
        let hash = |number: usize| Hash::digest(number.to_string());
        for number in 0..4 * MOST_FACTS {
            cache.insert(hash(number), Arc::new(Some(number.to_string())));
            assert_eq!(cache.get(&hash(number)), Some(Arc::new(Some(number.to_string()))));
        }
        let kept = (0..4 * MOST_FACTS).filter(|number| cache.get(&hash(*number)).is_some()).count();
        assert!(kept <= MOST_FACTS, "{kept}");
    }
}
