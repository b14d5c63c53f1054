//! The ladder: the opponents from easiest to strongest, with this browser's wins against each.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use spoton::evaluate::opponent::Opponent;
use spoton::records::{Record, RoundResult};

use super::{ErrorPage, html};
use crate::limits::ROUNDS_ON_A_PAGE;
use crate::picture::face::{Mood, face};
use crate::routes::Route;
use crate::seats::Browser;
use crate::tables::Tables;
use crate::tables::writer::Failed;

/// The routes of this file.
pub fn routes() -> Vec<Route> {
    vec![Route::reads("/ladder", page)]
}

#[derive(Template)]
#[template(path = "ladder.html")]
struct Ladder {
    rungs: Vec<Rung>,
}

/// An opponent on the ladder.
struct Rung {
    id: String,
    name: &'static str,
    face: String,
    habit: String,
    wins: usize,
    rounds: usize,
    /// Whether it's the easiest one that hasn't been beaten.
    is_next: bool,
}

pub async fn page(State(tables): State<Tables>, browser: Option<Browser>) -> Result<Response, ErrorPage> {
    let mut rounds = Vec::new();
    if let Some(browser) = browser {
        let holder = browser.holder();
        for (id, _) in tables.store.sittings_of(holder, ROUNDS_ON_A_PAGE).await.map_err(Failed::from)? {
            let Ok(room) = tables.rooms.room(id).await else { continue };
            let seats = tables.store.seats(id, holder).await.map_err(Failed::from)?;
            let [own] = seats[..] else { continue };
            let against = |record: &Record| {
                Some((record.computers[!own].clone()?, record.result == RoundResult::Won(own)))
            };
            rounds.extend(room.rounds().iter().filter_map(against));
        }
    }
    Ok(html(&Ladder { rungs: rungs(&rounds) }))
}

/// The ladder with the results of rounds: each opponent's id, and whether it was beaten.
fn rungs(rounds: &[(String, bool)]) -> Vec<Rung> {
    let mut has_next = false;
    let mut rung = |opponent: Opponent| {
        let id = opponent.to_string();
        let against = || rounds.iter().filter(|(other, _)| *other == id);
        let wins = against().filter(|(_, is_won)| *is_won).count();
        let is_next = wins == 0 && !has_next;
        has_next |= is_next;
        Rung {
            name: opponent.title(),
            face: face(opponent, if wins > 0 { Mood::Beaten } else { Mood::Waiting }),
            habit: opponent.habit().into_owned(),
            wins,
            rounds: against().count(),
            is_next,
            id: id.clone(),
        }
    };
    Opponent::for_people().map(&mut rung).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_opponent_is_the_easiest_one_not_beaten() {
        let rounds =
            [("pip", true), ("pip", false), ("momo", true), ("dash", false), ("dash:slip=0.5", true)];
        let rungs = rungs(&rounds.map(|(id, is_won)| (id.to_owned(), is_won)));
        let shown: Vec<_> =
            rungs.iter().take(3).map(|rung| (rung.name, rung.wins, rung.rounds, rung.is_next)).collect();
        assert_eq!(shown, [("Pip", 1, 2, false), ("Dash", 0, 1, true), ("Momo", 1, 1, false)]);
        assert_eq!(rungs.iter().filter(|rung| rung.is_next).count(), 1);
    }
}
