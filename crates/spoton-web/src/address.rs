//! The client's address, even behind a proxy.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use ipnet::{IpNet, Ipv6Net};

/// The client's address: the socket's peer, or the client behind a trusted proxy.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// The client's address; `None` without a socket.
pub struct Address(pub Option<IpAddr>);

impl<S: Sync> FromRequestParts<S> for Address {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Address, Infallible> {
        Ok(Address(parts.extensions.get::<Peer>().map(|peer| peer.0.ip())))
    }
}

/// Returns the unit that limits apply to. An IPv6 customer owns a whole /64, so that's one unit.
pub fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(long) => Ipv6Net::new_assert(long, 64).network().into(),
        short => short,
    }
}

/// An address, or a range of them: `10.0.0.7`, `10.0.0.0/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(IpNet);

/// The text is neither an address nor a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an address or a network; write 10.0.0.7, ::1 or 10.0.0.0/8")]
pub struct NotANetwork;

impl FromStr for Network {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Network, NotANetwork> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse().map_err(|_| NotANetwork)?)),
            None => (text, None),
        };
        let all = IpNet::from(address.parse::<IpAddr>().map_err(|_| NotANetwork)?.to_canonical());
        let network = IpNet::new(all.addr(), bits.unwrap_or(all.prefix_len()));
        network.map(Network).map_err(|_| NotANetwork)
    }
}

impl Network {
    fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

/// Returns whether an address belongs to a trusted proxy.
pub(crate) fn is_trusted(address: IpAddr, trusted: &[Network]) -> bool {
    trusted.iter().any(|network| network.contains(address))
}

/// Returns the client's address. Trusts only entries that a trusted proxy added: anyone can forge the ones before them.
pub fn of_client(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let lines = headers.get_all("x-forwarded-for").iter().rev().filter_map(|line| line.to_str().ok());
    let mut told = lines.flat_map(|line| line.rsplit(',')).map(read);
    let mut client = peer;
    while is_trusted(client, trusted) {
        match told.next() {
            Some(Some(before)) => client = before,
            _ => break,
        }
    }
    client
}

/// Parses an address from the header, with or without a port.
fn read(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append("x-forwarded-for", line.parse().unwrap());
        }
        let trusted: Vec<Network> = trusted.iter().map(|network| network.parse().unwrap()).collect();
        of_client(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn only_a_trusted_proxy_is_believed_and_only_what_it_wrote_itself() {
        assert_eq!(client("9.9.9.9", &["1.1.1.1"], &[]), "9.9.9.9");
        assert_eq!(client("9.9.9.9", &["1.1.1.1"], &["127.0.0.1"]), "9.9.9.9");
        assert_eq!(client("127.0.0.1", &["1.1.1.1"], &["127.0.0.1"]), "1.1.1.1");
        // The client itself sent the first one.
        assert_eq!(client("127.0.0.1", &["6.6.6.6, 1.1.1.1"], &["127.0.0.1"]), "1.1.1.1");
        assert_eq!(client("127.0.0.1", &["6.6.6.6", "1.1.1.1"], &["127.0.0.1"]), "1.1.1.1");
        // Two proxies in a row.
        assert_eq!(
            client("127.0.0.1", &["6.6.6.6, 1.1.1.1, 10.1.2.3"], &["127.0.0.1", "10.0.0.0/8"]),
            "1.1.1.1"
        );
        assert_eq!(client("127.0.0.1", &["6.6.6.6, nonsense"], &["127.0.0.1"]), "127.0.0.1");
        assert_eq!(client("127.0.0.1", &[], &["127.0.0.1"]), "127.0.0.1");
        assert_eq!(client("::1", &["[2001:db8::7]:4711"], &["::1"]), "2001:db8::7");
        assert_eq!(client("::ffff:127.0.0.1", &["1.1.1.1:80"], &["127.0.0.1"]), "1.1.1.1");
    }

    #[test]
    fn a_network_contains_the_addresses_with_its_prefix() {
        let holds = |network: &str, address: &str| {
            network.parse::<Network>().unwrap().contains(address.parse().unwrap())
        };
        assert!(holds("10.0.0.0/8", "10.255.0.1") && !holds("10.0.0.0/8", "11.0.0.1"));
        assert!(holds("0.0.0.0/0", "1.2.3.4") && !holds("0.0.0.0/0", "::1"));
        assert!(
            holds("::/0", "2001:db8::1") && holds("fd00::/8", "fd12::1") && !holds("fd00::/8", "fe80::1")
        );
        for wrong in ["", "10.0.0.0/33", "10.0.0", "::1/129", "localhost", "10.0.0.0/x"] {
            assert_eq!(wrong.parse::<Network>(), Err(NotANetwork), "{wrong}");
        }
    }
}
