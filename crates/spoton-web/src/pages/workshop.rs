//! Make your own game: a rule book as text, next to its results. The server stores it only if it's shared or played.

use std::sync::Arc;

use askama::Template;
use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use serde::Deserialize;
use spoton::design::audit::better::better;
use spoton::discovery::Spoiler;
use spoton::format::{
    self, BookText, Changes, Game, Problem as BookProblem, Rulebook, Setting, TEMPLATE, catalog, text_like,
};
use spoton::words::audit::{self, NOTHING_BETTER};
use spoton::words::{describe, phrases};

use super::{ErrorPage, book, games, html};
use crate::api::Problem;
use crate::limits::{MOST_MISTAKES, TIME_TO_MAKE_IT_BETTER};
use crate::routes::{Route, Stores, Who};
use crate::seats::Browser;
use crate::tables::books::{self, Checked, TooLong};
use crate::tables::discovery::{self, HIDDEN};
use crate::tables::facts::{self, Drawing, Drawn, MAP_TOO_LARGE, Report, TOO_LARGE};
use crate::tables::{Tables, shipped};

/// The routes of this file.
pub fn routes() -> Vec<Route> {
    vec![
        Route::takes("/workshop", Who::Anyone, Stores::Nothing, get(page).post(look).layer(book())),
        Route::takes(
            "/workshop/share",
            Who::Anyone,
            Stores::Books,
            get(async || Redirect::to("/workshop")).post(share).layer(book()),
        ),
    ]
}

/// The default text.
const EXAMPLE: &str = include_str!("workshop.toml");

/// The source name of the text in errors.
const NAME: &str = "rule book";

/// Extra line numbers, for people who add lines without scripts.
const LINES_BELOW: usize = 20;

/// The maximum height of the text field, in lines. Longer texts scroll inside it.
const MOST_ROWS: usize = 2000;

#[derive(Template)]
#[template(path = "workshop.html")]
struct Workshop {
    text: String,
    /// Whether the text is a template that the player hasn't submitted.
    is_begun: bool,
    lines: String,
    rows: usize,
    opponents: Vec<games::Rival>,
    games: Vec<(String, String)>,
    /// The preselected game.
    like: &'static str,
    looked: Looked,
    meaning: Option<Meaning>,
    better: Option<Better>,
}

/// The results without the rest of the page, for scripts.
#[derive(Template)]
#[template(path = "part_looked.html")]
struct Parts {
    looked: Looked,
    meaning: Option<Meaning>,
    better: Option<Better>,
}

/// The result of a check, with any errors.
#[derive(Default)]
struct Looked {
    verdict: String,
    mistakes: Vec<Mistake>,
    more: usize,
}

struct Mistake {
    /// The range in the text, in UTF-16 code units; `None` if it's in another text.
    place: Option<(usize, usize)>,
    line: usize,
    is_error: bool,
    message: String,
    help: Option<String>,
}

/// The results for a valid rule book.
struct Meaning {
    title: String,
    summary: String,
    rules: Vec<String>,
    notes: Vec<String>,
    report: Option<Arc<Report>>,
    drawn: Option<Arc<Drawn>>,
    too_large: &'static str,
    map_too_large: &'static str,
}

/// Suggested changes.
struct Better {
    changes: Vec<Change>,
    /// The text to show if there are none.
    none: &'static str,
}

struct Change {
    /// The new rules in words.
    rules: Vec<String>,
    said: String,
    /// The whole book with the change.
    text: Option<String>,
}

/// The starting point.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Begin {
    like: Option<String>,
    book: Option<String>,
    /// The template with every key explained.
    every_key: Option<String>,
}

pub async fn page(
    State(tables): State<Tables>,
    browser: Option<Browser>,
    Query(begin): Query<Begin>,
) -> Result<Response, ErrorPage> {
    let view = discovery::of_games(&tables, browser.as_ref().map(Browser::holder)).await?;
    let seen = |text: String| discovery::text(text, view).ok_or_else(|| ErrorPage::hidden(HIDDEN));
    let text = match (begin.like, begin.book, begin.every_key) {
        (Some(name), _, _) => {
            let book = shipped(&name)?;
            text_like(&BookText { text: seen(book.text.clone())?, ..book })
        }
        (None, Some(short), _) => seen(super::books::find(&tables, &short).await?)?,
        (None, None, Some(_)) => TEMPLATE.to_owned(),
        (None, None, None) => EXAMPLE.to_owned(),
    };
    Ok(html(&Workshop { is_begun: true, ..Workshop::from_text(text, Looked::default(), None, None) }))
}

impl Workshop {
    fn from_text(text: String, looked: Looked, meaning: Option<Meaning>, better: Option<Better>) -> Workshop {
        let count = (text.matches('\n').count() + 1).min(MOST_ROWS);
        let lines: Vec<String> = (1..=count + LINES_BELOW).map(|line| line.to_string()).collect();
        let (opponents, games) = (games::opponents(), games::titles());
        Workshop {
            text,
            is_begun: false,
            lines: lines.join("\n"),
            rows: count,
            opponents,
            games,
            like: catalog::FIRST,
            looked,
            meaning,
            better,
        }
    }
}

impl Looked {
    fn from_check(text: &str, checked: &Checked) -> Looked {
        let mistake = |problem: &BookProblem| {
            let span = &problem.place.span;
            let units = |to: usize| text[..to].encode_utf16().count();
            let is_here = problem.place.source.text == text;
            Mistake {
                place: is_here.then(|| (units(span.start), units(span.end))),
                line: problem.place.line_column().0,
                is_error: problem.is_error(),
                message: problem.message.clone(),
                help: problem.help.clone(),
            }
        };
        // In text order; problems in another text come last.
        let mut problems: Vec<&BookProblem> = checked.problems.iter().collect();
        problems.sort_by_key(|problem| (problem.place.source.text != text, problem.place.span.start));
        let errors = checked.problems.iter().filter(|problem| problem.is_error()).count() as u64;
        let verdict = match &checked.rulebook {
            Some(rulebook) => {
                phrases::is_valid(rulebook, checked.variants, &checked.unplayable_variants).join(" ")
            }
            None => format!("{}.", phrases::count(errors, "error", "errors")),
        };
        Looked {
            verdict,
            mistakes: problems.into_iter().take(MOST_MISTAKES).map(mistake).collect(),
            more: checked.problems.len().saturating_sub(MOST_MISTAKES),
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct WorkshopForm {
    rulebook: String,
    /// The part a script wants: `mistakes`, `meaning` or `better`.
    part: Option<String>,
    /// Whether the whole page should include suggestions.
    better: Option<String>,
}

/// Reads the text from the form.
fn text(form: Result<Form<WorkshopForm>, FormRejection>) -> Result<(String, WorkshopForm), ErrorPage> {
    match form {
        Ok(Form(asked)) => Ok((books::sent(&asked.rulebook).map_err(Problem::from)?, asked)),
        Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            Err(Problem::from(TooLong).into())
        }
        Err(rejection) => Err(ErrorPage::new(rejection.status(), rejection.body_text())),
    }
}

/// Checks a rule book. Returns it if it's valid.
async fn at_first_sight(tables: &Tables, text: &str) -> Result<(Looked, Option<Arc<Rulebook>>), ErrorPage> {
    match books::check(tables, NAME, text).await.map_err(Problem::from)? {
        Ok(checked) => Ok((Looked::from_check(text, &checked), checked.rulebook)),
        Err(too_much) => {
            let verdict = format!("{}.", phrases::capitalised(&too_much.to_string()));
            Ok((Looked { verdict, ..Looked::default() }, None))
        }
    }
}

/// Checks a rule book and shows the results.
pub async fn look(
    State(tables): State<Tables>,
    browser: Option<Browser>,
    form: Result<Form<WorkshopForm>, FormRejection>,
) -> Result<Response, ErrorPage> {
    let (text, asked) = text(form)?;
    let (looked, rulebook) = at_first_sight(&tables, &text).await?;
    let part = asked.part.as_deref();
    let book = match rulebook {
        Some(rulebook) => Some((tables.find_game(None, Some(&text), &Changes::default()).await?, rulebook)),
        None => None,
    };
    let (mut meaning, mut better) = (None, None);
    if let Some((game, rulebook)) = &book {
        let holder = browser.map(|browser| browser.holder());
        let hides = discovery::of_games(&tables, holder).await?.hides(Spoiler::Facts);
        if matches!(part, None | Some("meaning")) {
            let (report, drawn) = match hides {
                true => (None, None),
                false => facts::report_and_map(&tables, holder, game, rulebook).await?,
            };
            meaning = Some(Meaning::from_report(rulebook, report, drawn, hides));
        }
        if !hides && (part == Some("better") || part.is_none() && asked.better.is_some()) {
            better = Some(Better::find(&tables, holder, game, rulebook).await?);
        }
    }
    Ok(match part {
        Some(_) => html(&Parts { looked, meaning, better }),
        None => html(&Workshop::from_text(text, looked, meaning, better)),
    })
}

impl Meaning {
    fn from_report(
        rulebook: &Rulebook,
        report: Option<Arc<Report>>,
        drawn: Option<Arc<Drawn>>,
        hides: bool,
    ) -> Meaning {
        Meaning {
            title: rulebook.title().to_owned(),
            summary: describe::summary(rulebook),
            rules: describe::rules(rulebook),
            notes: rulebook.notes().to_vec(),
            report,
            drawn,
            too_large: if hides { phrases::NO_ANSWERS } else { TOO_LARGE },
            map_too_large: if hides { phrases::NO_ANSWERS } else { MAP_TOO_LARGE },
        }
    }
}

impl Better {
    async fn find(
        tables: &Tables,
        holder: Option<crate::ids::Hash>,
        game: &Game,
        rulebook: &Arc<Rulebook>,
    ) -> Result<Better, ErrorPage> {
        let (asked, known, rulebook) = (game.clone(), Arc::clone(rulebook), Arc::clone(rulebook));
        let found = tables.thinking.report(holder, TIME_TO_MAKE_IT_BETTER, move |ahead| {
            let audit = ahead.ask(&rulebook, |game, budget| game.audit(budget))?;
            ahead.ask(&rulebook, |_, budget| better(&asked, &rulebook, &audit, budget))
        });
        let Ok(found) = found.await? else { return Ok(Better { changes: vec![], none: TOO_LARGE }) };
        let before = describe::rules(&known);
        let rules = |settings: &[String]| {
            let settings = settings.iter().cloned().map(Setting::Set).collect();
            let changed = game.changed(&Changes { variant: None, settings }).ok()?.rulebook().ok()?;
            Some(describe::rules(&changed).into_iter().filter(|rule| !before.contains(rule)).collect())
        };
        let change = |better: &spoton::design::audit::better::Better| Change {
            rules: rules(&better.settings).unwrap_or_default(),
            said: audit::change(better),
            text: format::edited(&game.book.text, &better.settings),
        };
        Ok(Better { changes: found.iter().map(change).collect(), none: NOTHING_BETTER })
    }
}

/// The text of a valid book, or the page with its errors.
pub(super) async fn playable(tables: &Tables, text: &str) -> Result<Result<String, Response>, ErrorPage> {
    let text = books::sent(text).map_err(Problem::from)?;
    let (looked, rulebook) = at_first_sight(tables, &text).await?;
    if rulebook.is_some() {
        return Ok(Ok(text));
    }
    let page = html(&Workshop::from_text(text, looked, None, None));
    Ok(Err((StatusCode::UNPROCESSABLE_ENTITY, page).into_response()))
}

/// Publishes a book at its own address.
pub async fn share(
    State(tables): State<Tables>,
    browser: Browser,
    form: Result<Form<WorkshopForm>, FormRejection>,
) -> Result<Response, ErrorPage> {
    let (text, _) = text(form)?;
    match playable(&tables, &text).await? {
        Ok(text) => {
            let hash = books::share(&tables, browser.holder(), text).await?;
            let address = format!("/b/{}?shared", hash.short());
            Ok(([browser.cookie()], Redirect::to(&address)).into_response())
        }
        Err(mistakes) => Ok(mistakes),
    }
}
