//! Looking back on a round that is over: which choices mattered, and where it turned.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use spoton::people::review::{self, Audience};

use super::{Told, html};
use crate::api::Problem;
use crate::ids::SittingId;
use crate::limits::TIME_TO_THINK;
use crate::picture;
use crate::tables::Tables;

#[derive(Template)]
#[template(path = "look_back.html")]
struct LookBack {
    id: String,
    picture: String,
    said: Vec<String>,
    rows: Vec<Row>,
}

struct Row {
    written: String,
    who: String,
    from: String,
    to: String,
    remark: String,
    class: &'static str,
}

pub async fn page(State(tables): State<Tables>, Path(text): Path<String>) -> Result<Response, Told> {
    let id: SittingId = text.parse().map_err(|_| Told::nothing_here())?;
    let room = tables.heads.room(id).await?;
    if !room.is_over() {
        return Err(Told::new(StatusCode::CONFLICT, "The round is not over yet."));
    }
    let round = room.sitting().round().clone();
    let names = room.all_names();
    let you = room.sitting().only_person();
    let discover = room.sitting().setup().help.discover;
    let drawn = tables.thinking.about(TIME_TO_THINK, move |ahead| {
        let review = ahead.ask(round.rulebook(), |game, budget| game.review(&round, budget))?;
        let audience = Audience { names: &names, you, discover };
        let turned = review.turning_point().filter(|_| !discover).map(|(place, _)| place);
        let rows = review.moves.iter().enumerate().map(|(place, judged)| Row {
            written: round.rulebook().write(judged.a_move),
            who: names[judged.player].clone(),
            from: judged.from.to_string(),
            to: judged.to.to_string(),
            remark: if turned == Some(place) { "the round turned here".to_owned() } else { String::new() },
            class: if turned == Some(place) { "turned" } else { "" },
        });
        let said = review::in_words(&review, &round, &audience);
        Ok::<_, spoton::solver::Unsolved>((picture::of_round(&round), said, rows.collect::<Vec<Row>>()))
    });
    let (picture, said, rows) = drawn.await.map_err(Problem::from)?.map_err(|why| {
        Told::new(StatusCode::UNPROCESSABLE_ENTITY, format!("too large here; spoton review can: {why}"))
    })?;
    Ok(html(&LookBack { id: id.to_string(), picture, said, rows }))
}
