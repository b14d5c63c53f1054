//! The state that every tool works with.

use crate::exam::{Exam, Progress};
use crate::rounds::{House, Rounds};
use crate::thinking::Thinking;

/// The server's state. All clients share it.
pub struct ServerState {
    pub rounds: Rounds,
    pub thinking: Thinking,
    /// The exam, if this is a grading server. An exam has no hints, no undo and no other rounds.
    pub exam: Option<Exam>,
}

impl ServerState {
    pub fn new(house: House, exam: Option<Exam>) -> ServerState {
        ServerState { rounds: Rounds::new(house), thinking: Thinking::default(), exam }
    }

    pub fn is_graded(&self) -> bool {
        self.exam.is_some()
    }

    /// The exam and its progress; `None` if rounds aren't graded.
    pub fn progress(&self) -> Option<Progress<'_>> {
        let finished = self.rounds.all().iter().filter(|table| table.is_over()).count();
        Some(self.exam.as_ref()?.progress(finished))
    }
}
