//! Who plays in a class, and what they are called there.

use std::collections::HashSet;

use spoton::engine::position::Player;

use super::{has_computer, open_seat, rounds};
use crate::ids::{Hash, SittingId};
use crate::names::look_alike;
use crate::room::Room;
use crate::store::OfClass;
use crate::tables::{Tables, now};
use crate::writer::Failed;

/// So many of the latest rounds of a browser are looked at for its classes.
const MOST_LOOKED_AT: usize = 20;

/// Somebody who plays in a class. A tablet may go from hand to hand, so a browser can have several of them.
#[derive(Debug)]
pub struct Pupil {
    /// Nobody else in the class has it.
    pub name: String,
    /// Where they play: with somebody else if they can, else the computer while they wait. Nowhere if they have stepped
    /// out and were not seated again.
    pub place: Option<SittingId>,
    waits: bool,
}

impl Pupil {
    /// Whether a name is theirs against a computer that is called alike.
    fn is_at_computer(&self, name: &str) -> bool {
        name == apart_from_self(&self.name)
    }

    /// Whether a name that was typed is theirs. Mia is known by it, though another Mia has made her Mia 2.
    pub(super) fn is_called(&self, typed: &str) -> bool {
        let (name, typed) = (self.name.to_lowercase(), typed.to_lowercase());
        let number = name.strip_prefix(&typed).and_then(|rest| rest.strip_prefix(' '));
        name == typed || number.is_some_and(|number| number.parse::<usize>().is_ok())
    }
}

/// Those who play at a browser in a class, in the order in which they came.
pub async fn pupils(tables: &Tables, code: &str, holder: Hash) -> Result<Vec<Pupil>, Failed> {
    let mut pupils: Vec<Pupil> = Vec::new();
    for (OfClass { id, .. }, room) in rounds(tables, code).await? {
        for own in tables.heads.seats(id, holder).await? {
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

/// Where those of a browser play in classes whose time has not passed: they go back there without a code.
pub async fn places(tables: &Tables, holder: Hash) -> Result<Vec<(String, SittingId)>, Failed> {
    let mut codes = Vec::new();
    for (id, _) in tables.store.sittings_of(holder, MOST_LOOKED_AT).await? {
        let class = tables.store.class_of(id).await?.filter(|class| class.until > now());
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

/// Where somebody plays in a class who sits at one of its rounds.
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

/// A name that looks like nobody else's in the class: the second Mia is Mia 2, and so is mia.
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

/// What somebody is called whose name is the computer's.
pub(super) fn apart_from_self(name: &str) -> String {
    told_apart(name.to_owned(), &HashSet::from([name.to_owned()]))
}
