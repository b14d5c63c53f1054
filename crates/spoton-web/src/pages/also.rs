//! The extras below a board: partners in a class, the result of today's duel, the link to another device.

use spoton::engine::position::Player;
use spoton::words::today::{self, PRACTICE};

use crate::ids::{Hash, SittingId};
use crate::room::Room;
use crate::seats::Browser;
use crate::tables::Tables;
use crate::tables::classes;
use crate::tables::daily;
use crate::tables::writer::Failed;

/// All the extras; absent ones are `None` or false.
#[derive(Debug, Default)]
pub struct Also {
    /// Whether the second player will come from the same class.
    pub waits_in_class: bool,
    /// The round that a partner has joined in the meantime, and their name.
    pub partner: Option<(String, String)>,
    pub today: Option<Todays>,
    /// Whether this browser has a seat, which could move to another device.
    pub has_seat: bool,
    /// The review that this practice copy was started from, and whether the reader plays both seats.
    pub copy_of: Option<(String, bool)>,
    /// The class code, for the teacher who is watching.
    pub class: Option<String>,
    /// The button for the next partner in a class.
    pub next: Option<Next>,
    /// The class code, for a pupil: another pupil may take over the tablet.
    pub of_class: Option<String>,
}

/// The button for the next partner.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    /// The round is over, or the opponent moved on.
    Through,
    /// The round isn't over. The pupil can leave it while the opponent is away.
    Leave { other: u8, name: String, is_away: bool },
    /// Another pupil is also waiting.
    PlayWith(String),
}

/// The result of today's duel.
#[derive(Debug)]
pub struct Todays {
    /// The line to share.
    pub line: String,
    /// The streak, or that this was practice.
    pub streak: String,
}

impl Also {
    pub async fn for_room(
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
            // An expired class has no partners.
            if class.until > tables.clock.now() {
                also.next = next(tables, &class.code, (id, room), (*own, holder)).await?;
                also.of_class = Some(class.code.clone());
            }
            // A pupil who plays the computer while waiting sees when a partner joins.
            if has_computer {
                let place = classes::place_of(tables, &class.code, room, (*own, holder)).await?;
                also.partner = match place.filter(|place| *place != id) {
                    Some(place) => partner(tables, place, browser).await?,
                    None => None,
                };
            }
        }
        if let Some((attempt, score)) = room.sitting().todays_score() {
            let now = tables.clock.today();
            let title = room.sitting().rulebook().title();
            let streak = daily::standing(tables, holder).await?.streak;
            let counted = attempt.counts && streak.score(attempt.day) == Some(score);
            let line = today::line(attempt.day, now, title, score, counted);
            let streak = if counted { streak.in_words(attempt.day) } else { PRACTICE.to_owned() };
            also.today = Some(Todays { line, streak });
        }
        Ok(also)
    }
}

/// The partner who joined the round where a pupil was waiting, if it isn't over.
async fn partner(
    tables: &Tables,
    place: SittingId,
    browser: &Browser,
) -> Result<Option<(String, String)>, Failed> {
    let room = tables.rooms.room(place).await?;
    let seats = tables.store.seats(place, browser.holder()).await?;
    let own = seats.first().filter(|_| classes::open_seat(&room).is_none() && !room.is_over());
    Ok(own.map(|own| (place.to_string(), room.name(!*own))))
}

/// How a pupil gets from a class round to the next partner.
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
