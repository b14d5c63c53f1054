//! The name last used in a browser, so that nobody types it twice.

use spoton::engine::position::Player;

use crate::seats::Browser;
use crate::tables::writer::Failed;
use crate::tables::{GUEST, Tables};

/// How many of the latest rounds to search.
const MOST_LOOKED_AT: usize = 5;

/// The name last entered in this browser; empty if there is none. Skips rounds with both seats here: they may be two
/// people.
pub async fn called(tables: &Tables, browser: Option<&Browser>) -> Result<String, Failed> {
    let Some(browser) = browser else { return Ok(String::new()) };
    let holder = browser.holder();
    for (id, listed) in tables.store.sittings_of(holder, MOST_LOOKED_AT).await? {
        let seats = tables.store.seats(id, holder).await?;
        let ([own], Ok(room)) = (seats.as_slice(), tables.rooms.listed(id, &listed).await) else { continue };
        let name = room.name(*own);
        let is_typed = name != GUEST && Player::BOTH.iter().all(|player| name != player.to_string());
        if is_typed {
            return Ok(name);
        }
    }
    Ok(String::new())
}
