//! Finds out whether a batch was saved whose commit lost its connection.

use std::time::Duration;

use tokio::time::Instant;

use super::Waiting;
use crate::metrics::{FOUND, Metrics, REFUSED, WRITTEN};
use crate::store::{Refused, Store, Unavailable, Write};

/// The pause before each try: the database may be restarting.
const PAUSE: Duration = Duration::from_millis(100);

/// Commits the batch again until the store answers; `None` if it doesn't in time.
///
/// Reading alone can't settle it: a lost commit may still be in progress and finish later. Committing again waits for
/// it. Then a write that was saved is refused, because its key is used or its events are in the log.
pub(super) async fn settle(
    store: &dyn Store,
    metrics: &Metrics,
    waiting: &[Waiting],
    until: Instant,
) -> Option<Vec<Result<(), Refused>>> {
    let settled = async {
        loop {
            tokio::time::sleep(PAUSE).await;
            let writes: Vec<Write> = waiting.iter().map(Waiting::write).collect();
            if let Ok(answers) = store.commit(writes).await
                && let Ok(answers) = with_those_saved_before(store, waiting, answers).await
            {
                return answers;
            }
        }
    };
    let (answers, outcomes) = tokio::time::timeout_at(until, settled).await.ok()?;
    outcomes.into_iter().for_each(|outcome| metrics.settled(outcome));
    Some(answers)
}

/// Answers, and how each write was settled.
type Settled = (Vec<Result<(), Refused>>, Vec<&'static str>);

/// Accepts the refused writes that were saved before. A write with a key was saved if its key was: the same events may
/// come from another request. Only a write without a key is known by its events and the seats that it takes.
async fn with_those_saved_before(
    store: &dyn Store,
    waiting: &[Waiting],
    mut answers: Vec<Result<(), Refused>>,
) -> Result<Settled, Unavailable> {
    let outcome = |answer: &Result<_, _>| if answer.is_ok() { WRITTEN } else { REFUSED };
    let mut outcomes: Vec<_> = answers.iter().map(outcome).collect();
    for ((waiting, answer), outcome) in waiting.iter().zip(&mut answers).zip(&mut outcomes) {
        let Err(refused) = &answer else { continue };
        let Write { id, events, asked, seats, .. } = waiting.write();
        let was_saved = match (asked, events.first()) {
            (Some(asked), _) => *refused == Refused::Again(asked),
            (None, Some(first)) if store.events(id, first.seq - 1, events.len()).await? == events => {
                let holders = store.holders(id).await?;
                seats.iter().all(|seat| holders.contains(seat))
            }
            (None, _) => false,
        };
        if was_saved {
            (*answer, *outcome) = (Ok(()), FOUND);
        }
    }
    Ok((answers, outcomes))
}
