//! What stands before every request and on every answer: the host that was meant, the site that a command comes from,
//! and the headers that keep browsers from doing what nobody asked for.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;

use crate::address::Network;
use crate::api::Problem;
use crate::attend::tell;
use crate::seats::{Here, bearer};

/// Where this server is to be found.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// `https://example.org`, if somebody said so.
    pub base_url: Option<BaseUrl>,
    /// Names of this machine beside its addresses.
    pub names: Arc<Vec<String>>,
    /// Proxies whose word on where a request comes from is believed.
    pub proxies: Arc<Vec<Network>>,
}

/// Scheme and host of the address that people open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    pub https: bool,
    /// The host, with a port if it is not the usual one.
    pub host: String,
}

/// An address that cannot be a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a base URL looks like https://example.org, without a path")]
pub struct NotABase;

impl std::str::FromStr for BaseUrl {
    type Err = NotABase;

    fn from_str(text: &str) -> Result<BaseUrl, NotABase> {
        let (scheme, host) = text.trim_end_matches('/').split_once("://").ok_or(NotABase)?;
        let https = match scheme {
            "https" => true,
            "http" => false,
            _ => return Err(NotABase),
        };
        let authority: Authority = host.parse().map_err(|_| NotABase)?;
        if authority.as_str().contains('@') {
            return Err(NotABase);
        }
        Ok(BaseUrl { https, host: host.to_lowercase() })
    }
}

/// The address of the first page.
impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}/", if self.https { "https" } else { "http" }, self.host)
    }
}

impl Place {
    /// Whether a host is ours. Without a base URL that is an address in numbers, this machine by its name, or
    /// `localhost`: nobody can let a name of their own point here and have a browser believe that it is theirs.
    fn is_host(&self, host: &str) -> bool {
        if let Some(base) = &self.base_url {
            return host.eq_ignore_ascii_case(&base.host);
        }
        let Ok(authority) = host.parse::<Authority>() else { return false };
        // Links are made from it, and a user before the host would be part of them.
        if authority.as_str().contains('@') {
            return false;
        }
        let name = authority.host().trim_start_matches('[').trim_end_matches(']');
        name.eq_ignore_ascii_case("localhost")
            || name.parse::<IpAddr>().is_ok()
            || self.names.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// The origin that commands may come from, for a host that is ours.
    fn origin(&self, host: &str) -> String {
        let https = self.base_url.as_ref().is_some_and(|base| base.https);
        format!("{}://{}", if https { "https" } else { "http" }, host.to_lowercase())
    }
}

/// Lets a request through, or not.
pub async fn guard<F: Future<Output = Response>>(
    place: &Place,
    mut request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let is_interface = request.uri().path().starts_with("/api/");
    let mut response = match checked(place, &request) {
        Err(problem) => tell(problem, is_interface),
        Ok(here) => {
            // A program that brings a token is nobody else, whatever cookies come with it.
            if is_interface && bearer(request.headers()).is_some() {
                request.headers_mut().remove(header::COOKIE);
            }
            request.extensions_mut().insert(here);
            next(request).await
        }
    };
    let https = place.base_url.as_ref().is_some_and(|base| base.https);
    add_headers(response.headers_mut(), https);
    response
}

/// Where the request was meant to go, if it may.
fn checked(place: &Place, request: &Request) -> Result<Here, Problem> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let host = match (hosts.next().map(HeaderValue::to_str), hosts.next()) {
        (Some(Ok(host)), None) if place.is_host(host) => host,
        _ => return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "this host is not served here")),
    };
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    if changes && !is_of_program(request) && !comes_from_us(request.headers(), &place.origin(host)) {
        return Err(Problem::new(StatusCode::FORBIDDEN, "this came from another site"));
    }
    Ok(Here::of(place, host))
}

/// Programs call the interface without a cookie, or with a token. Browsers send neither by themselves from another
/// site. Any other `Authorization` proves nothing: they do send a user and a password by themselves.
fn is_of_program(request: &Request) -> bool {
    let headers = request.headers();
    let is_interface = request.uri().path().starts_with("/api/");
    is_interface && (!headers.contains_key(header::COOKIE) || bearer(headers).is_some())
}

/// Whether a browser says that a request comes from our own pages.
fn comes_from_us(headers: &HeaderMap, origin: &str) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return site == "same-origin";
    }
    headers.get(header::ORIGIN).and_then(|sent| sent.to_str().ok()) == Some(origin)
}

/// No script, style or picture but our own, no frames, no guesses about types.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/// On every answer that does not say otherwise. What it says is for one person, at one moment.
pub const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    (header::CACHE_CONTROL, "no-store"),
];

/// And these, if the connection is safe.
const SAFE_HEADERS: [(HeaderName, &str); 2] = [
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (header::STRICT_TRANSPORT_SECURITY, "max-age=31536000"),
];

fn add_headers(headers: &mut HeaderMap, https: bool) {
    headers.reserve(HEADERS.len() + SAFE_HEADERS.len());
    for (name, value) in HEADERS.into_iter().chain(SAFE_HEADERS.into_iter().filter(|_| https)) {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(base: Option<&str>) -> Place {
        Place {
            base_url: base.map(|base| base.parse().unwrap()),
            names: Arc::new(vec!["laptop".to_owned(), "laptop.local".to_owned()]),
            proxies: Arc::default(),
        }
    }

    #[test]
    fn only_hosts_that_are_ours_are_served() {
        let here = place(None);
        for host in
            ["localhost", "localhost:8080", "127.0.0.1:8080", "192.168.1.7", "[::1]:8080", "Laptop:80"]
        {
            assert!(here.is_host(host), "{host}");
        }
        for host in
            ["", "example.org", "localhost.example.org", "127.0.0.1.example.org", "a b", "laptop.evil"]
                .into_iter()
                .chain(["user@localhost", "user:password@127.0.0.1:8080", "@[::1]"])
        {
            assert!(!here.is_host(host), "{host}");
        }
        let based = place(Some("https://duels.example.org/"));
        assert!(
            based.is_host("duels.example.org") && !based.is_host("localhost") && !based.is_host("127.0.0.1")
        );
        assert_eq!(based.origin("Duels.example.org"), "https://duels.example.org");
    }

    #[test]
    fn a_base_is_a_scheme_and_a_host() {
        for wrong in ["example.org", "ftp://a", "https://a/b", "https://user@a", "https://", ""] {
            assert_eq!(wrong.parse::<BaseUrl>(), Err(NotABase), "{wrong}");
        }
    }

    #[test]
    fn other_sites_are_told_from_ours() {
        let headers = |pairs: &[(&'static str, &'static str)]| {
            pairs
                .iter()
                .map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)))
                .collect()
        };
        let origin = "http://localhost:8080";
        let ours = |pairs: &[(&'static str, &'static str)]| comes_from_us(&headers(pairs), origin);
        assert!(ours(&[("sec-fetch-site", "same-origin")]));
        assert!(ours(&[("origin", "http://localhost:8080")]));
        for other in [
            &[][..],
            &[("origin", "null")],
            &[("origin", "http://localhost:8081")],
            &[("origin", "https://localhost:8080")],
            &[("sec-fetch-site", "same-site"), ("origin", "http://localhost:8080")],
            &[("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "none")],
        ] {
            assert!(!ours(other), "{other:?}");
        }
    }
}
