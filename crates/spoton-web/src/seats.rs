//! Identifies browsers: one cookie with one random key. The store knows the browser's seats by the key's hash.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use spoton::day::Day;

use crate::codes;
use crate::ids::{Hash, Secret, SittingId};
use crate::place::Here;

/// A browser, known or new.
#[derive(Clone, Debug)]
pub struct Browser {
    key: Secret,
    here: Here,
}

/// The cookie of the request's browser, for answers that its handler doesn't write.
///
/// A server error may hide that something was saved. Without the cookie, a new browser would lose what it then holds.
#[derive(Clone, Default)]
pub struct Seen(Arc<OnceLock<HeaderValue>>);

impl Seen {
    /// Adds the cookie to a server error, unless it has one.
    pub fn on_error(&self, mut response: Response) -> Response {
        if response.status().is_server_error()
            && let Some(cookie) = self.0.get()
        {
            response.headers_mut().entry(header::SET_COOKIE).or_insert_with(|| cookie.clone());
        }
        response
    }
}

/// Lifetime of the cookie: the maximum that browsers allow.
const SECONDS: u64 = 400 * 24 * 60 * 60;

impl Browser {
    /// Returns the hash that the store knows the browser by.
    pub fn holder(&self) -> Hash {
        self.key.hash()
    }

    /// Derives the secret of an invitation to one of its sittings from the key, so the server can show it again without
    /// storing it.
    pub fn invitation(&self, id: SittingId) -> Secret {
        Secret::from_hash(&Hash::digest([self.key.reveal().as_bytes(), b" invites to ", &id.0].concat()))
    }

    /// Derives the code that moves a seat to another device. It depends on the page's address, so the server can show
    /// it again without storing it.
    pub(crate) fn device_code(&self, id: SittingId, made: &str) -> String {
        let parts = [self.key.reveal().as_bytes(), b" moves ", &id.0, b" by ", made.as_bytes()].concat();
        codes::from_hash(&Hash::digest(parts), codes::OF_DEVICE)
    }

    /// Returns the sitting of the browser's daily duel that counts: one per day, however often it starts.
    pub fn duel(&self, day: Day) -> SittingId {
        let hash = Hash::digest(format!("{} plays the duel of {day}", self.key.reveal()));
        let mut id = [0; 16];
        id.copy_from_slice(&hash.0[..16]);
        SittingId(id)
    }

    pub fn here(&self) -> &Here {
        &self.here
    }

    /// Returns the header that sets the cookie. Each answer that changes something renews it.
    pub fn cookie(&self) -> (header::HeaderName, HeaderValue) {
        let secure = if self.here.https { "; Secure" } else { "" };
        let cookie = format!(
            "{}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age={SECONDS}{secure}",
            self.here.cookie(),
            self.key.reveal()
        );
        // Server-made keys are alphanumeric, and other keys are never sent back.
        let value = HeaderValue::from_str(&cookie).unwrap_or_else(|_| HeaderValue::from_static("seat="));
        (header::SET_COOKIE, value)
    }
}

/// Returns the bearer token of a program's request.
pub fn bearer(headers: &HeaderMap) -> Option<Secret> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| Secret::sent(token))
}

/// Returns the sender's hash: a program's token or a browser's cookie.
pub fn sender(headers: &HeaderMap, here: &Here) -> Option<Hash> {
    bearer(headers).or_else(|| brought(headers, here)).map(|secret| secret.hash())
}

/// Returns the cookie's key if it's well-formed.
fn brought(headers: &HeaderMap, here: &Here) -> Option<Secret> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let (_, key) = pairs.find(|(name, _)| *name == here.cookie())?;
    let fits = key.len() == 52 && key.bytes().all(|byte| byte.is_ascii_alphanumeric());
    fits.then(|| Secret::sent(key))
}

fn here(parts: &Parts) -> Here {
    // The guard inserts it.
    parts.extensions.get::<Here>().cloned().unwrap_or(Here {
        https: false,
        is_public: false,
        host: "localhost".to_owned(),
    })
}

/// A new browser gets a key.
impl<S: Sync> FromRequestParts<S> for Browser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Browser, Infallible> {
        let here = here(parts);
        let key = brought(&parts.headers, &here).unwrap_or_else(Secret::random);
        let browser = Browser { key, here };
        if let Some(seen) = parts.extensions.get::<Seen>() {
            seen.0.get_or_init(|| browser.cookie().1);
        }
        Ok(browser)
    }
}

/// Read-only requests don't get a key.
impl<S: Sync> OptionalFromRequestParts<S> for Browser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Browser>, Infallible> {
        let here = here(parts);
        Ok(brought(&parts.headers, &here).map(|key| Browser { key, here }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A browser with any other key gets a new one.
    #[test]
    fn only_a_well_formed_key_is_a_browsers() {
        let here = Here { https: false, is_public: false, host: "localhost".to_owned() };
        let is_known = |key: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, format!("theme=dark; seat={key}").parse().unwrap());
            sender(&headers, &here).is_some()
        };
        let key = "a1Z0".repeat(13);
        assert!(is_known(&key));
        for wrong in ["", "a1Z0", &key[1..], &format!("{key}a"), &format!("{}-", &key[1..])] {
            assert!(!is_known(wrong), "{wrong}");
        }
    }
}
