//! The database's address: one or more servers, of which one takes writes.
//!
//! sqlx parses several hosts as one, so this module splits the list. A connection to another machine must be encrypted,
//! with a verified certificate: sqlx alone would silently fall back to plain text.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use sqlx::ConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgSslMode};

/// The schemes of an address.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// The parameters that sqlx knows. It would log others with their values.
const PARAMETERS: [&str; 14] = [
    "application_name",
    "dbname",
    "host",
    "hostaddr",
    "options",
    "password",
    "port",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "statement-cache-capacity",
    "target_session_attrs",
    "user",
];

/// The servers of a database. Its text never contains a password.
#[derive(Clone)]
pub struct Address {
    /// How to connect to each server.
    pub servers: Vec<PgConnectOptions>,
    /// Its name: servers and database.
    shown: String,
}

/// Why a text isn't an address. Never contains the text: it may have a password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}; write it like postgres://user@host:5432/database")]
pub struct NotAnAddress(String);

impl FromStr for Address {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Address, NotAnAddress> {
        let wrong = |why: &str| NotAnAddress(why.to_owned());
        let rest = SCHEMES.iter().find_map(|scheme| text.strip_prefix(scheme));
        let rest = rest.ok_or_else(|| wrong("a PostgreSQL address begins with postgres://"))?;
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let parameters: Vec<&str> = query.split('&').filter(|parameter| !parameter.is_empty()).collect();
        let name = |parameter: &str| parameter.split_once('=').map_or(parameter, |(name, _)| name).to_owned();
        for name in parameters.iter().map(|parameter| name(parameter)) {
            let is_known = PARAMETERS.contains(&name.as_str()) || name.starts_with("options[");
            if !is_known {
                return Err(NotAnAddress(format!("the address has an unknown parameter, {name}")));
            }
        }
        let chosen_mode = parameters.iter().any(|parameter| name(parameter) == "sslmode");
        // The node finds the server that takes writes anyway.
        let parameters = parameters.into_iter().filter(|parameter| name(parameter) != "target_session_attrs");
        let query = parameters.collect::<Vec<&str>>().join("&");
        let (authority, database) = rest.split_once('/').unwrap_or((rest, ""));
        let (user, hosts) = match authority.rsplit_once('@') {
            Some((user, hosts)) => (format!("{user}@"), hosts),
            None => (String::new(), authority),
        };
        let mut servers = Vec::new();
        for host in hosts.split(',') {
            let one = format!("postgres://{user}{host}/{database}?{query}");
            let options: PgConnectOptions = one
                .parse()
                .map_err(|_| wrong("the address can't be read; a password may need %-encoding"))?;
            servers.push(safe(options, chosen_mode)?);
        }
        let places: Vec<String> = servers.iter().map(place).collect();
        let database = servers.first().and_then(PgConnectOptions::get_database).unwrap_or_default();
        Ok(Address { shown: format!("postgres://{}/{database}", places.join(",")), servers })
    }
}

/// Adds what every connection needs, and refuses an unprotected one to another machine.
fn safe(options: PgConnectOptions, chosen_mode: bool) -> Result<PgConnectOptions, NotAnAddress> {
    // sqlx keeps the brackets of an IPv6 address, which no resolver understands.
    let host = options.get_host().trim_matches(['[', ']']).to_owned();
    let is_here = options.get_socket().is_some()
        || host == "localhost"
        || host.parse().is_ok_and(|address: IpAddr| address.is_loopback());
    let mode = options.get_ssl_mode();
    let options = options.host(&host).application_name("spoton-web").disable_statement_logging();
    match mode {
        _ if is_here => Ok(options),
        PgSslMode::VerifyFull => Ok(options),
        _ if chosen_mode => Err(NotAnAddress(format!(
            "the connection to {host} needs sslmode=verify-full: it leaves this machine, and with less nobody checks \
             who answers"
        ))),
        _ => Ok(options.ssl_mode(PgSslMode::VerifyFull)),
    }
}

/// Returns a server's host and port, or its socket.
fn place(options: &PgConnectOptions) -> String {
    match options.get_socket() {
        Some(folder) => folder.display().to_string(),
        None if options.get_host().contains(':') => {
            format!("[{}]:{}", options.get_host(), options.get_port())
        }
        None => format!("{}:{}", options.get_host(), options.get_port()),
    }
}

impl Address {
    /// Returns the name of one of the servers.
    pub fn name(&self, server: usize) -> String {
        self.servers.get(server).map(place).unwrap_or_default()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Address {
        text.parse().unwrap_or_else(|why| panic!("{text}: {why}"))
    }

    #[test]
    fn several_servers_are_split_and_the_password_never_shows() {
        let address = parsed("postgres://ann:s%40cret,x@127.0.0.1:5433,localhost,[::1]:6000/spoton");
        assert_eq!(address.to_string(), "postgres://127.0.0.1:5433,localhost:5432,[::1]:6000/spoton");
        let ports: Vec<u16> = address.servers.iter().map(PgConnectOptions::get_port).collect();
        assert_eq!(ports, [5433, 5432, 6000]);
        assert_eq!(address.servers[2].get_host(), "::1");
        assert!(address.servers.iter().all(|server| server.get_username() == "ann"));
        assert_eq!(address.name(0), "127.0.0.1:5433");
        assert!(!format!("{address:?}").contains("cret"));
        let socket = parsed("postgresql://ann@%2Frun%2Fpg:5433/spoton");
        assert_eq!(socket.to_string(), "postgres:///run/pg/spoton");
    }

    #[test]
    fn a_connection_that_leaves_the_machine_is_checked_or_refused() {
        for local in ["127.0.0.1", "localhost", "[::1]", "%2Frun"] {
            let mode = parsed(&format!("postgres://{local}/db")).servers[0].get_ssl_mode();
            assert!(!matches!(mode, PgSslMode::VerifyFull), "{local}");
        }
        for far in ["postgres://db.example.org/db", "postgres://10.0.0.7/db?sslmode=verify-full"] {
            let mode = parsed(far).servers[0].get_ssl_mode();
            assert!(matches!(mode, PgSslMode::VerifyFull), "{far}");
        }
        for mode in ["disable", "allow", "prefer", "require", "verify-ca"] {
            let refused = format!("postgres://u:secret@localhost,db.example.org/db?sslmode={mode}");
            let why = refused.parse::<Address>().unwrap_err().to_string();
            assert!(why.contains("verify-full") && !why.contains("secret"), "{why}");
        }
    }

    #[test]
    fn a_wrong_address_is_refused_without_being_quoted() {
        let all =
            ["postgres://u:secret@host:port/db", "mysql://u:secret@host", "postgres://u@h/db?pasword=secret"];
        for wrong in all {
            let why = wrong.parse::<Address>().unwrap_err().to_string();
            assert!(!why.contains("secret") && why.contains("postgres://"), "{why}");
        }
    }
}
