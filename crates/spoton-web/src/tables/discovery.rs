//! Decides who may see what discovery mode hides. The library lists what it hides ([`Spoiler`]).

use spoton::discovery::{LEFT_OUT, Spoiler, View};
use spoton::format::unspoiled;

use crate::ids::{Hash, SittingId};
use crate::limits::{MOST_LOOKED_THROUGH, TIME_OF_A_CLASS};
use crate::room::Room;
use crate::tables::writer::Failed;
use crate::tables::{Tables, Terms};

/// Why something is hidden, in a class and outside.
pub(crate) const HIDDEN_IN_CLASS: &str = "Your class is in discovery mode, so this is hidden.";
pub const HIDDEN: &str = "Discovery mode is on, so this is hidden.";

/// The parts of a round that a browser may see.
pub async fn of_round(
    tables: &Tables,
    id: SittingId,
    room: &Room,
    holder: Option<Hash>,
) -> Result<View, Failed> {
    match room.sitting().setup().help.discover {
        true if opened_class_of(tables, id, holder).await? => Ok(View::of_host(true)),
        true => Ok(View::of_player(true)),
        false => of_games(tables, holder).await,
    }
}

/// The parts of games that a browser may see. Pupils of a class in discovery mode see no spoilers, and neither does
/// anyone during a round in discovery mode.
pub async fn of_games(tables: &Tables, holder: Option<Hash>) -> Result<View, Failed> {
    match hidden_from(tables, holder).await? {
        Some(_) => Ok(View::of_player(true)),
        None => Ok(View::of_everything()),
    }
}

/// Why answers are hidden from a browser, if they are.
pub(crate) async fn hidden_from(
    tables: &Tables,
    holder: Option<Hash>,
) -> Result<Option<&'static str>, Failed> {
    let Some(holder) = holder else { return Ok(None) };
    let since = tables.clock.now().saturating_sub(TIME_OF_A_CLASS);
    for (id, listed) in tables.store.sittings_of(holder, MOST_LOOKED_THROUGH).await? {
        // Newest first.
        if listed.at < since {
            break;
        }
        let Ok(room) = tables.rooms.listed(id, &listed).await else { continue };
        if !room.sitting().setup().help.discover {
            continue;
        }
        match tables.store.class_of(id).await? {
            Some(class) if class.holder != holder => return Ok(Some(HIDDEN_IN_CLASS)),
            None if !room.is_over() => return Ok(Some(HIDDEN)),
            _ => {}
        }
    }
    Ok(None)
}

/// A new round's terms outside a class. Pupils of a class in discovery mode get no hints there either.
pub async fn terms(tables: &Tables, holder: Hash, terms: Terms) -> Result<Terms, Failed> {
    let hides = of_games(tables, Some(holder)).await?.hides(Spoiler::Advice);
    Ok(Terms { discover: terms.discover || hides, ..terms })
}

/// A rule book's text without what the view hides; `None` if that can't be removed.
pub fn text(text: String, view: View) -> Option<String> {
    match view.hides(Spoiler::Claims) || view.hides(Spoiler::Notes) {
        true => Some(format!("# {LEFT_OUT}\n\n{}", unspoiled(&text)?.trim_start())),
        false => Some(text),
    }
}

/// Whether this browser opened the round's class.
async fn opened_class_of(tables: &Tables, id: SittingId, holder: Option<Hash>) -> Result<bool, Failed> {
    let class = tables.store.class_of(id).await?;
    Ok(class.is_some_and(|class| Some(class.holder) == holder))
}
