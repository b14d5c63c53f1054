//! Errors as problem+json (RFC 9457), worded as in the terminal.

use std::time::Duration;

use axum::Json as Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use spoton::format::BadGame;
use spoton::sitting::Cannot;
use spoton_host::NoGame;

use super::state::TableState;
use crate::limits::MOST_MISTAKES;
use crate::rates::TooMany;
use crate::room::Refusal;
use crate::tables::NoTable;
use crate::tables::books::TooLong;
use crate::tables::discovery::HIDDEN;
use crate::tables::writer::Failed;
use crate::thinking::{NoReport, TooBusy};

/// An error response.
#[derive(Debug)]
pub struct Problem {
    pub status: StatusCode,
    pub detail: String,
    /// The round's current state, if it has changed.
    pub state: Option<Box<TableState>>,
    /// When to retry, if known.
    pub wait: Option<Duration>,
}

impl Problem {
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Problem {
        Problem { status, detail: detail.into(), state: None, wait: None }
    }

    pub fn bad_request(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, detail)
    }

    /// The same answer for unknown, removed and private rounds.
    pub fn not_found() -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "nothing here; check the address")
    }

    /// Refuses what discovery mode hides from a player.
    pub fn hidden() -> Problem {
        Problem::new(StatusCode::FORBIDDEN, HIDDEN)
    }

    /// Sets when to retry.
    #[must_use]
    pub fn after(mut self, wait: Duration) -> Problem {
        self.wait = Some(wait);
        self
    }
}

/// An error (RFC 9457).
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub(super) struct ProblemBody {
    #[serde(rename = "type")]
    #[schemars(extend("const" = "about:blank"))]
    kind: &'static str,
    title: &'static str,
    status: u16,
    /// A sentence about the error.
    detail: String,
    /// The current state, if the round has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<Box<TableState>>,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let title = self.status.canonical_reason().unwrap_or_default();
        let body = ProblemBody {
            kind: "about:blank",
            title,
            status: self.status.as_u16(),
            detail: self.detail,
            state: self.state,
        };
        let kind = [(header::CONTENT_TYPE, "application/problem+json")];
        let again = again(self.status, self.wait).map(|seconds| [(header::RETRY_AFTER, seconds)]);
        (self.status, kind, again, Body(body)).into_response()
    }
}

/// Returns the seconds until a retry, if a retry may help.
pub fn again(status: StatusCode, wait: Option<Duration>) -> Option<HeaderValue> {
    let may_help = matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS);
    // Rounds up to whole seconds.
    let seconds = wait.map_or(1, |wait| wait.as_secs() + u64::from(wait.subsec_nanos() > 0));
    may_help.then(|| HeaderValue::from(seconds.max(1)))
}

impl From<Failed> for Problem {
    fn from(failed: Failed) -> Problem {
        let status = match &failed {
            Failed::Unknown => return Problem::not_found(),
            Failed::Refused(Refusal::NotYourSeat) => StatusCode::FORBIDDEN,
            Failed::Refused(refusal) => return refusal.into(),
            Failed::Outdated(_) => StatusCode::CONFLICT,
            Failed::KeyUsed => StatusCode::UNPROCESSABLE_ENTITY,
            Failed::NoInvitation => StatusCode::GONE,
            Failed::Damaged | Failed::ClosedClass => StatusCode::CONFLICT,
            Failed::TooMany(too_many) => return (*too_many).into(),
            // The log has the cause, for the operator.
            Failed::Unavailable(_) => {
                let sentence = "the server can't save moves right now; nothing changed, so try again soon";
                return Problem::new(StatusCode::SERVICE_UNAVAILABLE, sentence).after(Duration::from_secs(5));
            }
            Failed::Unsettled => {
                let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, failed.to_string());
                return problem.after(Duration::from_secs(2));
            }
            Failed::Full => {
                let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, failed.to_string());
                return problem.after(Duration::from_secs(60 * 60));
            }
            Failed::Busy => StatusCode::SERVICE_UNAVAILABLE,
        };
        Problem::new(status, failed.to_string())
    }
}

impl From<&Refusal> for Problem {
    fn from(refusal: &Refusal) -> Problem {
        let status = match refusal {
            Refusal::NotYourSeat => StatusCode::FORBIDDEN,
            Refusal::BadName | Refusal::LooksAlike => StatusCode::UNPROCESSABLE_ENTITY,
            Refusal::Cannot(Cannot::Refused(_)) => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::CONFLICT,
        };
        Problem::new(status, refusal.to_string())
    }
}

impl From<TooMany> for Problem {
    fn from(too_many: TooMany) -> Problem {
        Problem::new(StatusCode::TOO_MANY_REQUESTS, too_many.to_string()).after(too_many.wait)
    }
}

impl From<NoGame> for Problem {
    fn from(none: NoGame) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, none.to_string())
    }
}

impl From<BadGame> for Problem {
    fn from(bad: BadGame) -> Problem {
        let body = match bad {
            BadGame::Invalid(problems) => {
                let mut lines: Vec<String> =
                    problems.iter().take(MOST_MISTAKES).map(ToString::to_string).collect();
                if let Some(more @ 1..) = problems.len().checked_sub(MOST_MISTAKES) {
                    lines.push(format!("and {more} more"));
                }
                lines.join("\n")
            }
            bad => bad.to_string(),
        };
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, body)
    }
}

impl From<Cannot> for Problem {
    fn from(cannot: Cannot) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, cannot.to_string())
    }
}

impl From<TooBusy> for Problem {
    fn from(busy: TooBusy) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, busy.to_string())
    }
}

impl From<NoReport> for Problem {
    fn from(none: NoReport) -> Problem {
        match none {
            NoReport::TooBusy(busy) => busy.into(),
            NoReport::Replaced => Problem::new(StatusCode::CONFLICT, none.to_string()),
        }
    }
}

impl From<TooLong> for Problem {
    fn from(too_long: TooLong) -> Problem {
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, too_long.to_string())
    }
}

impl From<NoTable> for Problem {
    fn from(no_table: NoTable) -> Problem {
        match no_table {
            NoTable::Failed(failed) => failed.into(),
            NoTable::TooBusy(busy) => busy.into(),
            NoTable::BadGame(bad) => bad.into(),
            NoTable::NoGame(none) => none.into(),
            other => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, other.to_string()),
        }
    }
}
