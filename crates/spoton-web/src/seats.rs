//! Who a browser is: one cookie with one random key. The store knows which seats it holds, by its hash.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, header};
use std::convert::Infallible;
use std::net::IpAddr;

use spoton::people::day::Day;

use crate::codes;
use crate::guard::Place;
use crate::ids::{Hash, Secret, SittingId};

/// Where the server is to be found, for those who make cookies and links.
#[derive(Clone, Debug)]
pub struct Here {
    pub https: bool,
    /// The host that was asked for; it has been checked.
    pub host: String,
}

impl Here {
    pub fn of(place: &Place, host: &str) -> Here {
        Here { https: place.base_url.as_ref().is_some_and(|base| base.https), host: host.to_owned() }
    }

    /// An address of this server.
    pub fn url(&self, path: &str) -> String {
        format!("{}://{}{path}", if self.https { "https" } else { "http" }, self.host)
    }

    /// Whether no other device can open what is found here.
    pub fn is_only_here(&self) -> bool {
        let Ok(authority) = self.host.parse::<Authority>() else { return false };
        let name = authority.host().trim_start_matches('[').trim_end_matches(']');
        name.eq_ignore_ascii_case("localhost")
            || name.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
    }

    /// A cookie that only this host can set and read, if the connection is safe.
    fn cookie(&self) -> &'static str {
        if self.https { "__Host-seat" } else { "seat" }
    }
}

/// A browser that has been here before, or has just come.
#[derive(Clone, Debug)]
pub struct Browser {
    key: Secret,
    here: Here,
}

/// How long a browser is known: the longest that browsers allow.
const SECONDS: u64 = 400 * 24 * 60 * 60;

impl Browser {
    /// What the store knows it by.
    pub fn holder(&self) -> Hash {
        self.key.hash()
    }

    /// The secret of the invitation to one of its sittings. It is made from the key, so that it can be shown again, and
    /// is kept nowhere.
    pub fn invitation(&self, id: SittingId) -> Secret {
        Secret::from_hash(&Hash::of([self.key.reveal().as_bytes(), b" invites to ", &id.0].concat()))
    }

    /// The code that moves a seat of its to another device. It is made from a part of the address that shows it, so that
    /// it can be shown again, and is kept nowhere.
    pub fn device_code(&self, id: SittingId, made: &str) -> String {
        let parts = [self.key.reveal().as_bytes(), b" moves ", &id.0, b" by ", made.as_bytes()].concat();
        codes::from_hash(&Hash::of(parts), codes::OF_DEVICE)
    }

    /// Where it plays the duel of a day that counts: a day has one such place, however often somebody begins.
    pub fn duel(&self, day: Day) -> SittingId {
        let hash = Hash::of(format!("{} plays the duel of {day}", self.key.reveal()));
        let mut id = [0; 16];
        id.copy_from_slice(&hash.0[..16]);
        SittingId(id)
    }

    pub fn here(&self) -> &Here {
        &self.here
    }

    /// The header that makes the browser keep its key; with every answer that changes something the time begins anew.
    pub fn cookie(&self) -> (header::HeaderName, HeaderValue) {
        let secure = if self.here.https { "; Secure" } else { "" };
        let cookie = format!(
            "{}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age={SECONDS}{secure}",
            self.here.cookie(),
            self.key.reveal()
        );
        // The key has letters and digits only, if it is ours; and nobody else's is sent back.
        let value = HeaderValue::from_str(&cookie).unwrap_or_else(|_| HeaderValue::from_static("seat="));
        (header::SET_COOKIE, value)
    }
}

/// The token of a seat that a program brings.
pub fn bearer(headers: &HeaderMap) -> Option<Secret> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| Secret::sent(token))
}

/// Who sends a request, as far as it says so: a program by its token, a browser by its cookie.
pub fn sender(headers: &HeaderMap, here: &Here) -> Option<Hash> {
    bearer(headers).or_else(|| brought(headers, here)).map(|secret| secret.hash())
}

/// The key that a browser brings, if it could be one of ours.
fn brought(headers: &HeaderMap, here: &Here) -> Option<Secret> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let (_, key) = pairs.find(|(name, _)| *name == here.cookie())?;
    let fits = key.len() == 52 && key.bytes().all(|byte| byte.is_ascii_alphanumeric());
    fits.then(|| Secret::sent(key))
}

fn here(parts: &Parts) -> Here {
    // The guard puts it there.
    parts.extensions.get::<Here>().cloned().unwrap_or(Here { https: false, host: "localhost".to_owned() })
}

/// A browser that has no key yet gets one.
impl<S: Sync> FromRequestParts<S> for Browser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Browser, Infallible> {
        let here = here(parts);
        let key = brought(&parts.headers, &here).unwrap_or_else(Secret::random);
        Ok(Browser { key, here })
    }
}

/// Whoever only looks is given no key.
impl<S: Sync> OptionalFromRequestParts<S> for Browser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Browser>, Infallible> {
        let here = here(parts);
        Ok(brought(&parts.headers, &here).map(|key| Browser { key, here }))
    }
}
