//! What went wrong, as problem+json (RFC 9457), in the sentences that the terminal uses too.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value as Json, json};
use spoton::format::BadGame;
use spoton::sitting::Cannot;

use crate::books::TooLong;
use crate::discovery::HIDDEN;
use crate::limits::MOST_MISTAKES;
use crate::rates::TooMany;
use crate::room::Refusal;
use crate::tables::NoTable;
use crate::thinking::{NoReport, TooBusy};
use crate::writer::Failed;

/// A problem to be told.
#[derive(Debug)]
pub struct Problem {
    pub status: StatusCode,
    pub detail: String,
    /// Members beside the usual ones.
    pub more: Vec<(&'static str, Json)>,
    /// When it is worth trying again, if it is known.
    pub wait: Option<Duration>,
}

impl Problem {
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Problem {
        Problem { status, detail: detail.into(), more: Vec::new(), wait: None }
    }

    pub fn bad_request(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, detail)
    }

    /// Unknown and removed answer alike, and so does what is not yours to know of.
    pub fn not_found() -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "there is nothing here")
    }

    /// What a player asks for in discovery, and may not see.
    pub fn hidden() -> Problem {
        Problem::new(StatusCode::FORBIDDEN, HIDDEN)
    }

    /// It is worth trying again after a while.
    #[must_use]
    pub fn after(mut self, wait: Duration) -> Problem {
        self.wait = Some(wait);
        self
    }

    #[must_use]
    pub fn with(mut self, key: &'static str, value: Json) -> Problem {
        self.more.push((key, value));
        self
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let title = self.status.canonical_reason().unwrap_or_default();
        let mut body = json!({ "type": "about:blank", "title": title, "status": self.status.as_u16(), "detail": self.detail });
        for (key, value) in self.more {
            body[key] = value;
        }
        let kind = [(header::CONTENT_TYPE, "application/problem+json")];
        let again = again(self.status, self.wait).map(|seconds| [(header::RETRY_AFTER, seconds)]);
        (self.status, kind, again, body.to_string()).into_response()
    }
}

/// After how many seconds to try again, where that may help.
pub fn again(status: StatusCode, wait: Option<Duration>) -> Option<HeaderValue> {
    let may_help = matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS);
    // Whole seconds, and not too few of them.
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
            Failed::Damaged => StatusCode::CONFLICT,
            Failed::TooMany(too_many) => return (*too_many).into(),
            // What the matter is with the disk is for whoever runs it, in the log.
            Failed::Unavailable(_) => {
                let sentence = "what was played cannot be kept just now; nothing has changed";
                return Problem::new(StatusCode::SERVICE_UNAVAILABLE, sentence).after(Duration::from_secs(5));
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

impl From<BadGame> for Problem {
    fn from(bad: BadGame) -> Problem {
        let told = match bad {
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
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, told)
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
            other => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, other.to_string()),
        }
    }
}
