//! The machine's addresses, and the instructions for a class.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

/// Only used to ask for a route; nothing is ever sent there. The first is reserved and selects the default route. The
/// others cover private networks without one.
const FAR: [Ipv4Addr; 4] = [
    Ipv4Addr::new(192, 0, 2, 1),
    Ipv4Addr::new(192, 168, 255, 254),
    Ipv4Addr::new(10, 255, 255, 254),
    Ipv4Addr::new(172, 31, 255, 254),
];

/// Returns every address where the network can reach this machine, likeliest first.
pub fn addresses() -> Vec<Ipv4Addr> {
    let routes = FAR.into_iter().filter_map(address_towards);
    let listed = std::fs::read_to_string("/proc/net/fib_trie").unwrap_or_default();
    let mut found: Vec<Ipv4Addr> = Vec::new();
    for address in routes.chain(own_in(&listed)) {
        let is_of_use = !address.is_loopback() && !address.is_unspecified() && !address.is_link_local();
        if is_of_use && !found.contains(&address) {
            found.push(address);
        }
    }
    found
}

/// Returns the local address of the route to `far`.
fn address_towards(far: Ipv4Addr) -> Option<Ipv4Addr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((far, 9)).ok()?;
    match socket.local_addr().ok()? {
        SocketAddr::V4(own) => Some(*own.ip()),
        SocketAddr::V6(_) => None,
    }
}

/// Parses the machine's own addresses from Linux's routing table: each precedes a `/32 host LOCAL` line.
fn own_in(table: &str) -> Vec<Ipv4Addr> {
    let lines: Vec<&str> = table.lines().map(str::trim).collect();
    let pairs = lines.windows(2).filter(|pair| pair[1].starts_with("/32 host LOCAL"));
    pairs.filter_map(|pair| pair[0].strip_prefix("|-- ")?.parse().ok()).collect()
}

/// Returns this machine's names, with and without `.local`.
pub fn names() -> Vec<String> {
    let name = rustix::system::uname().nodename().to_string_lossy().to_lowercase();
    match name.is_empty() {
        true => vec![],
        false => vec![format!("{}.local", name.trim_end_matches(".local")), name],
    }
}

/// Returns the lines that a class needs after the first: a QR code, the other addresses and troubleshooting.
pub fn help(first: &str, others: &[IpAddr], port: u16) -> String {
    let mut text = String::new();
    if let Ok(code) = fast_qr::QRBuilder::new(first).build() {
        text += &format!("\n{}\n", code.to_str());
    }
    if !others.is_empty() {
        text += "\nIf the first address doesn't work, try these:\n";
        for other in others {
            text += &format!("  http://{}/\n", SocketAddr::new(*other, port));
        }
    }
    text += &format!(
        "
If tablets can't connect:
- Put them on the same network as this machine. A guest network doesn't count.
- Open port {port} in this machine's firewall. With ufw: sudo ufw allow {port}/tcp
- Many school networks separate their devices (\"client isolation\"). Ask the network's administrator, or open a
  hotspot on this machine or a phone, connect everyone to it, and restart Spot On.
"
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_addresses_are_found_in_the_table_of_routes() {
        let table = "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 0.0.0.0\n        /0 universe UNICAST\n     \
            |-- 192.168.1.0\n        /24 link UNICAST\n     |-- 192.168.1.7\n        /32 host LOCAL\n     \
            |-- 127.0.0.1\n        /32 host LOCAL\n     |-- 192.168.1.255\n        /32 link BROADCAST\n";
        assert_eq!(own_in(table), [Ipv4Addr::new(192, 168, 1, 7), Ipv4Addr::LOCALHOST]);
        assert_eq!(own_in("not a table"), [] as [Ipv4Addr; 0]);
    }

    #[test]
    fn the_output_has_every_address_and_a_qr_code() {
        let text = help("http://10.0.0.7:8080/", &["192.168.1.7".parse().unwrap()], 8080);
        assert!(text.contains("http://192.168.1.7:8080/") && text.contains("port 8080"), "{text}");
        assert!(text.contains('█'), "{text}");
    }
}
