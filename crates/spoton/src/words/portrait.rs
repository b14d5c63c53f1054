//! The card of a game in words.

use crate::design::portrait::{HowMuchChoice, Portrait};

impl HowMuchChoice {
    /// The words on a card.
    pub fn words(self) -> &'static str {
        match self {
            HowMuchChoice::None => "no choice matters",
            HowMuchChoice::One => "one choice matters",
            HowMuchChoice::Few => "few choices matter",
            HowMuchChoice::Many => "many choices matter",
        }
    }
}

impl Portrait {
    /// The badges on a card.
    pub fn badges(&self) -> Vec<String> {
        // Rounded up to an even number: an exact count would reveal who moves last, and so who wins.
        let length = self.length.map(|moves| {
            format!("about {} moves", moves.max(1).checked_next_multiple_of(2).unwrap_or(moves))
        });
        let endless = self.endless.then(|| "can go on forever".to_owned());
        length.into_iter().chain([self.choice().words().to_owned()]).chain(endless).collect()
    }
}
