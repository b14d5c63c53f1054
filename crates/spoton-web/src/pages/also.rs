//! What a board says beside its game: who comes in a class, what the duel of a day came to, the way to another device.

use spoton::engine::position::Player;
use spoton::people::today::{self, PRACTICE};

use crate::classes;
use crate::duels;
use crate::ids::{Hash, SittingId};
use crate::room::Room;
use crate::seats::Browser;
use crate::tables::{Tables, now};
use crate::writer::Failed;

/// All of it, as far as it is there.
#[derive(Debug, Default)]
pub struct Also {
    /// Whether the second player is to come from the same class.
    pub waits_in_class: bool,
    /// The round in which somebody has come meanwhile, and who.
    pub partner: Option<(String, String)>,
    pub today: Option<Todays>,
    /// Whether there is a seat that could go to another device.
    pub has_seat: bool,
    /// The look back on the round that is tried out here, and whether both seats are played.
    pub copy_of: Option<(String, bool)>,
    /// The code of the class, for whoever has opened it and only looks on.
    pub class: Option<String>,
    /// The way to the next partner in a class.
    pub next: Option<Next>,
    /// The code of the class, for whoever plays in it: somebody else may take over the tablet.
    pub of_class: Option<String>,
}

/// The way to the next partner.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    /// The round is over, or the other player has gone on.
    Through,
    /// The round goes on. It can be left while the other player is away.
    Leave { other: u8, name: String, is_away: bool },
    /// Somebody else waits, too.
    PlayWith(String),
}

/// What the duel of a day came to.
#[derive(Debug)]
pub struct Todays {
    /// The line to paste.
    pub line: String,
    /// How many days in a row it makes, or that it counts for nothing.
    pub streak: String,
}

impl Also {
    pub async fn of(
        tables: &Tables,
        id: SittingId,
        room: &Room,
        seats: &[Player],
        browser: Option<&Browser>,
    ) -> Result<Also, Failed> {
        let Some(browser) = browser else { return Ok(Also::default()) };
        let holder = browser.holder();
        if seats.is_empty() {
            let class = tables.store.class_of(id).await?.filter(|class| class.holder == holder);
            return Ok(Also { class: class.map(|class| class.code), ..Also::default() });
        }
        let copy_of = room.from().filter(|_| room.sitting().setup().tried_out);
        let copy_of =
            copy_of.map(|(id, round)| (format!("/r/{id}/look-back?round={round}"), seats.len() == 2));
        let mut also = Also { has_seat: true, copy_of, ..Also::default() };
        let waits = classes::open_seat(room).is_some();
        let has_computer = classes::has_computer(room);
        if let ([own], Some(class)) = (seats, tables.store.class_of(id).await?) {
            also.waits_in_class = waits;
            // A class whose time is over has nobody to give.
            if class.until > now() {
                also.next = next(tables, &class.code, (id, room), (*own, holder)).await?;
                also.of_class = Some(class.code.clone());
            }
            // Who plays the computer meanwhile is told when somebody comes.
            if has_computer {
                let place = classes::place_of(tables, &class.code, room, (*own, holder)).await?;
                also.partner = match place.filter(|place| *place != id) {
                    Some(place) => partner(tables, place, browser).await?,
                    None => None,
                };
            }
        }
        if let Some((attempt, score)) = room.sitting().todays_score() {
            let now = duels::today();
            let title = room.sitting().rulebook().title();
            let streak = duels::standing(tables, holder).await?.streak;
            let counted = attempt.counts && streak.score(attempt.day) == Some(score);
            let line = today::line(attempt.day, now, title, score, counted);
            let streak = if counted { streak.in_words(attempt.day) } else { PRACTICE.to_owned() };
            also.today = Some(Todays { line, streak });
        }
        Ok(also)
    }
}

/// Who has come to the round in which somebody waited, if it goes on.
async fn partner(
    tables: &Tables,
    place: SittingId,
    browser: &Browser,
) -> Result<Option<(String, String)>, Failed> {
    let room = tables.heads.room(place).await?;
    let seats = tables.store.seats(place, browser.holder()).await?;
    let own = seats.first().filter(|_| classes::open_seat(&room).is_none() && !room.is_over());
    Ok(own.map(|own| (place.to_string(), room.name(!*own))))
}

/// The way to the next partner from a round of a class.
async fn next(
    tables: &Tables,
    code: &str,
    (id, room): (SittingId, &Room),
    (own, holder): (Player, Hash),
) -> Result<Option<Next>, Failed> {
    if classes::waiting(room) == Some(own) {
        return Ok(classes::who_waits_too(tables, code, holder).await?.map(Next::PlayWith));
    }
    if classes::has_computer(room) || classes::open_seat(room).is_some() {
        return Ok(None);
    }
    let is_through = room.is_over() || room.is_left_by_anybody();
    Ok(Some(match is_through {
        true => Next::Through,
        false => Next::Leave {
            other: (!own).number(),
            name: room.name(!own),
            is_away: classes::may_go_on(tables, id, room, own),
        },
    }))
}
