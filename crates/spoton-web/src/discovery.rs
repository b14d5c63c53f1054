//! Who sees what discovery hides. The list of that is the library's ([`Spoiler`]); here it is decided who looks.

use spoton::format::unspoiled;
use spoton::sitting::discovery::{LEFT_OUT, Spoiler, View};

use crate::ids::{Hash, SittingId};
use crate::limits::{MOST_LOOKED_THROUGH, TIME_OF_A_CLASS};
use crate::room::Room;
use crate::tables::{Tables, Terms, now};
use crate::writer::Failed;

/// Why a page or an answer is hidden, in a class and outside of one.
pub const HIDDEN_IN_CLASS: &str = "Your class is in discovery mode, so this is hidden.";
pub const HIDDEN: &str = "Discovery mode is on, so this is hidden.";

/// What somebody may see of a round.
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

/// What somebody may see of games. Nothing is shown to those who are in a class with discovery, nor while they play a
/// round with it.
pub async fn of_games(tables: &Tables, holder: Option<Hash>) -> Result<View, Failed> {
    match hidden_from(tables, holder).await? {
        Some(_) => Ok(View::of_player(true)),
        None => Ok(View::of_everything()),
    }
}

/// Why the answers of games are hidden from somebody, if they are.
pub async fn hidden_from(tables: &Tables, holder: Option<Hash>) -> Result<Option<&'static str>, Failed> {
    let Some(holder) = holder else { return Ok(None) };
    let since = now().saturating_sub(TIME_OF_A_CLASS);
    for (id, listed) in tables.store.sittings_of(holder, MOST_LOOKED_THROUGH).await? {
        // The latest come first.
        if listed.at < since {
            break;
        }
        let Ok(room) = tables.heads.room(id).await else { continue };
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

/// The terms of a new round outside of a class: pupils in a class with discovery get no hints elsewhere either.
pub async fn terms(tables: &Tables, holder: Hash, terms: Terms) -> Result<Terms, Failed> {
    let hides = of_games(tables, Some(holder)).await?.hides(Spoiler::Advice);
    Ok(Terms { discover: terms.discover || hides, ..terms })
}

/// The text of a rule book as far as somebody may see it; `None` if what is hidden cannot be cut out of it.
pub fn text(text: String, view: View) -> Option<String> {
    match view.hides(Spoiler::Claims) || view.hides(Spoiler::Notes) {
        true => Some(format!("# {LEFT_OUT}\n\n{}", unspoiled(&text)?.trim_start())),
        false => Some(text),
    }
}

/// Whether somebody opened the class of a round.
async fn opened_class_of(tables: &Tables, id: SittingId, holder: Option<Hash>) -> Result<bool, Failed> {
    let class = tables.store.class_of(id).await?;
    Ok(class.is_some_and(|class| Some(class.holder) == holder))
}
