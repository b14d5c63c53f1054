//! A class's pupils, and their names.

use std::collections::HashSet;

use spoton::engine::position::Player;

use super::{has_computer, open_seat, rounds};
use crate::ids::{Hash, SittingId};
use crate::names::look_alike;
use crate::room::Room;
use crate::store::OfClass;
use crate::tables::Tables;
use crate::tables::writer::Failed;

/// How many of a browser's latest rounds to search for classes.
const MOST_LOOKED_AT: usize = 20;

/// A pupil. Pupils share tablets, so a browser can have several.
#[derive(Debug)]
pub struct Pupil {
    /// Unique in the class.
    pub name: String,
    /// Their round: with a partner if there is one, else with the computer, else the one where they wait. `None` if
    /// they left and have no seat.
    pub place: Option<SittingId>,
    waits: bool,
}

impl Pupil {
    /// Whether a name is theirs in a round against a computer with the same name.
    fn is_at_computer(&self, name: &str) -> bool {
        name == apart_from_self(&self.name)
    }

    /// Whether an entered name is theirs. "Mia" also finds Mia 2.
    pub(super) fn is_called(&self, typed: &str) -> bool {
        let (name, typed) = (self.name.to_lowercase(), typed.to_lowercase());
        let number = name.strip_prefix(&typed).and_then(|rest| rest.strip_prefix(' '));
        name == typed || number.is_some_and(|number| number.parse::<usize>().is_ok())
    }
}

/// A browser's pupils in a class, in the order they joined.
pub async fn pupils(tables: &Tables, code: &str, holder: Hash) -> Result<Vec<Pupil>, Failed> {
    let mut pupils: Vec<Pupil> = Vec::new();
    for (OfClass { id, .. }, room) in rounds(tables, code).await? {
        for own in tables.rooms.seats(id, holder).await? {
            let name = room.name(own);
            let alone = has_computer(&room);
            let waits = open_seat(&room).is_some();
            match pupils.iter_mut().find(|pupil| pupil.name == name || alone && pupil.is_at_computer(&name)) {
                Some(pupil) if alone && !pupil.waits => {}
                Some(pupil) if alone => pupil.place = Some(id),
                Some(_) if room.has_gone_on(own) => {}
                Some(pupil) => (pupil.place, pupil.waits) = (Some(id), waits),
                None if room.has_gone_on(own) => pupils.push(Pupil { name, place: None, waits: false }),
                None => pupils.push(Pupil { name, place: Some(id), waits }),
            }
        }
    }
    Ok(pupils)
}

/// A browser's pupils and their rounds in classes that haven't expired. They can return without a code.
pub async fn places(tables: &Tables, holder: Hash) -> Result<Vec<(String, SittingId)>, Failed> {
    let mut codes = Vec::new();
    for (id, _) in tables.store.sittings_of(holder, MOST_LOOKED_AT).await? {
        let class = tables.store.class_of(id).await?.filter(|class| class.until > tables.clock.now());
        if let Some(class) = class.filter(|class| !codes.contains(&class.code)) {
            codes.push(class.code);
        }
    }
    let mut places = Vec::new();
    for code in codes {
        let pupils = pupils(tables, &code, holder).await?.into_iter();
        places.extend(pupils.filter_map(|pupil| Some((pupil.name, pupil.place?))));
    }
    Ok(places)
}

/// The current round of a pupil who has a seat in this one.
pub async fn place_of(
    tables: &Tables,
    code: &str,
    room: &Room,
    (own, holder): (Player, Hash),
) -> Result<Option<SittingId>, Failed> {
    let (name, alone) = (room.name(own), has_computer(room));
    let pupils = pupils(tables, code, holder).await?;
    let mut same =
        pupils.into_iter().filter(|pupil| pupil.name == name || alone && pupil.is_at_computer(&name));
    Ok(same.next().and_then(|pupil| pupil.place))
}

/// Makes a name unique in the class: a second Mia becomes Mia 2, and so does mia.
pub(super) fn told_apart(name: String, names: &HashSet<String>) -> String {
    let mut apart = name.clone();
    for count in 2.. {
        if !names.iter().any(|name| look_alike(name, &apart)) {
            break;
        }
        let end = format!(" {count}");
        // Names have at most 32 characters.
        apart = name.chars().take(32 - end.len()).chain(end.chars()).collect();
    }
    apart
}

/// The name for a pupil whose name is also the computer's.
pub(super) fn apart_from_self(name: &str) -> String {
    told_apart(name.to_owned(), &HashSet::from([name.to_owned()]))
}
