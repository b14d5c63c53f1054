//! The server's public names, and its address as a client sees it.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use axum::http::uri::Authority;

use crate::address::Network;

/// The server's public names.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// `https://example.org`, if configured.
    pub base_url: Option<BaseUrl>,
    /// This machine's names, in addition to its addresses.
    pub names: Arc<Vec<String>>,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub proxies: Arc<Vec<Network>>,
}

/// Scheme and host of the public address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    pub https: bool,
    /// The host, with a port if it isn't the default one.
    pub host: String,
}

/// The text isn't a base URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a base URL; write it like https://example.org, without a path")]
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
        // The rest differs if there's a user name, an invalid port or anything after a bracket.
        let port = host.strip_prefix(authority.host()).ok_or(NotABase)?;
        let address = authority.host().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let is_address = address.is_none_or(|address| address.parse::<Ipv6Addr>().is_ok());
        if !is_address || !(port.is_empty() || is_port(port)) {
            return Err(NotABase);
        }
        Ok(BaseUrl { https, host: host.to_lowercase() })
    }
}

/// Formats the address of the home page.
impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}/", if self.https { "https" } else { "http" }, self.host)
    }
}

impl Place {
    /// Returns whether a host name refers to this server. Without a base URL, only IP addresses, this machine's names and
    /// `localhost` do, which prevents DNS rebinding.
    pub(crate) fn is_host(&self, host: &str) -> bool {
        if let Some(base) = &self.base_url {
            return host.eq_ignore_ascii_case(&base.host);
        }
        // Links contain the host, so it must be exactly a name and a port. `Authority` accepts more.
        if let Some((address, port)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            return address.parse::<Ipv6Addr>().is_ok() && (port.is_empty() || is_port(port));
        }
        let (name, port) = host.find(':').map_or((host, ""), |colon| host.split_at(colon));
        let is_ours = name.eq_ignore_ascii_case("localhost")
            || name.parse::<Ipv4Addr>().is_ok()
            || self.names.iter().any(|known| known.eq_ignore_ascii_case(name));
        is_ours && (port.is_empty() || is_port(port))
    }

    /// Returns the origin that commands to this host must come from.
    pub fn origin(&self, host: &str) -> String {
        let https = self.base_url.as_ref().is_some_and(|base| base.https);
        format!("{}://{}", if https { "https" } else { "http" }, host.to_lowercase())
    }
}

/// Returns whether the string is a colon and a port number.
fn is_port(text: &str) -> bool {
    let digits = text.strip_prefix(':').filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
    digits.is_some_and(|digits| digits.parse::<u16>().is_ok())
}

/// The server's address as the client sees it, for cookies and links.
#[derive(Clone, Debug)]
pub struct Here {
    pub https: bool,
    /// Whether the server has a public address, set by its operator.
    pub is_public: bool,
    /// The requested host, already checked.
    pub host: String,
}

impl Here {
    pub(crate) fn from_host(place: &Place, host: &str) -> Here {
        Here {
            https: place.base_url.as_ref().is_some_and(|base| base.https),
            is_public: place.base_url.is_some(),
            host: host.to_owned(),
        }
    }

    /// Returns the full address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("{}://{}{path}", if self.https { "https" } else { "http" }, self.host)
    }

    /// Returns whether only this device can open the address.
    pub fn is_only_here(&self) -> bool {
        let Ok(authority) = self.host.parse::<Authority>() else { return false };
        let name = authority.host().trim_start_matches('[').trim_end_matches(']');
        name.eq_ignore_ascii_case("localhost")
            || name.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
    }

    /// Over https, `__Host-` restricts the cookie to this host.
    pub fn cookie(&self) -> &'static str {
        if self.https { "__Host-seat" } else { "seat" }
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
                .chain([
                    "[::1]evil",
                    "[localhost]",
                    "[127.0.0.1]",
                    "[laptop]",
                    "[::1",
                    "::1",
                    "[::1]:",
                    "[::1]:x",
                ])
                .chain(["localhost:abc", "localhost:99999", "localhost:", "localhost:80:80", "127.0.0.1:+80"])
                .chain(["localhost:8080evil", "localhost:-1", "localhost/", "localhost?", "localhost#"])
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
        for wrong in [
            "example.org",
            "ftp://a",
            "https://a/b",
            "https://user@a",
            "https://",
            "",
            "https://a:",
            "https://a:99999",
            "https://a:x",
            "https://[::1]evil",
            "https://[a]",
        ] {
            assert_eq!(wrong.parse::<BaseUrl>(), Err(NotABase), "{wrong}");
        }
    }
}
