//! The command line.

use std::ffi::OsString;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{FalseyValueParser, OsStringValueParser, TypedValueParser};
use clap::{Parser, Subcommand};
use tracing_subscriber::filter::LevelFilter;

use crate::address::Network;
use crate::ids::SittingId;
use crate::limits::{Limits, OtherLimit, PAUSE_OF_A_COMPUTER};
use crate::place::BaseUrl;

/// Host Spot On on the web: number duels for two players
///
/// The first line on standard output is the address to open. All data is saved in one file, or in PostgreSQL, and every
/// move is on disk before it's shown. SIGTERM or Ctrl-C shuts the server down cleanly. Even a crash loses no acknowledged move.
#[derive(Parser, Debug)]
#[command(name = "spoton-web", version)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Address to listen on; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", env = "SPOTON_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// Let the whole network in, for a class: listen on all addresses, on the port given by --listen
    ///
    /// Prints every address, likeliest first, and a QR code for tablets and phones.
    #[arg(long, env = "SPOTON_LAN", value_parser = FalseyValueParser::new())]
    pub lan: bool,

    /// Database: a file, created if missing, or postgres://user@host:5432/name
    ///
    /// Several PostgreSQL servers are separated by commas: postgres://user@one:5432,two:5432/name. Spot On uses the one
    /// that takes writes. Set the password with PGPASSWORD or ~/.pgpass.
    #[arg(
        long,
        value_name = "DATABASE",
        env = "SPOTON_DATA",
        default_value = "spoton-web.db",
        // It may contain a password.
        hide_env_values = true,
        value_parser = OsStringValueParser::new().map(Data::from),
        global = true
    )]
    pub data: Data,

    /// Accept a PostgreSQL server that can lose saved moves, such as one with fsync=off; only for tests
    #[arg(long, env = "SPOTON_UNSAFE_DATABASE", value_parser = FalseyValueParser::new(), global = true)]
    pub unsafe_database: bool,

    /// Public address, if it differs, such as behind a proxy
    ///
    /// Links use it, and requests for other hosts are refused. With https, cookies are sent only over https.
    #[arg(long, value_name = "URL", env = "SPOTON_BASE_URL")]
    pub base_url: Option<BaseUrl>,

    /// Proxies whose X-Forwarded-For is trusted: addresses or networks such as 10.0.0.0/8
    ///
    /// Rate limits apply per address. Without this option, everyone behind a proxy counts as one client.
    #[arg(long, value_name = "ADDRESS", env = "SPOTON_TRUST_PROXY", value_delimiter = ',', num_args = 1..)]
    pub trust_proxy: Vec<Network>,

    /// Address of /healthz, /readyz and /metrics; the log shows the port
    #[arg(long, value_name = "ADDRESS", env = "SPOTON_ADMIN_LISTEN", default_value = "127.0.0.1:0")]
    pub admin_listen: SocketAddr,

    /// Data limit, such as 500MiB or 20GiB; above 90% nothing new can start, but play continues
    #[arg(long, value_name = "SIZE", env = "SPOTON_MAX_DATA", default_value = "2GiB")]
    pub max_data: Size,

    /// Pause before a computer opponent moves, in milliseconds
    #[arg(
        long,
        value_name = "MILLISECONDS",
        env = "SPOTON_COMPUTER_PAUSE",
        default_value_t = PAUSE_OF_A_COMPUTER.as_millis() as u64
    )]
    pub computer_pause: u64,

    /// Change a limit: NAME=NUMBER, times in seconds
    #[arg(
        long,
        value_name = "NAME=NUMBER",
        env = "SPOTON_LIMIT",
        value_delimiter = ',',
        long_help = format!("Change a limit; times are in seconds. Limits: {}", Limits::NAMES.join(", "))
    )]
    pub limit: Vec<OtherLimit>,

    /// Log level on standard error: off, error, warn, info or debug (logs each request)
    #[arg(long, value_name = "LEVEL", env = "SPOTON_LOG", default_value = "info")]
    pub log: LevelFilter,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Copy a database file into a new one; safe while a server runs
    Backup {
        /// The new file
        file: PathBuf,
    },
    /// Move a stopped server's data from a file into PostgreSQL; run it again if it was interrupted
    MoveData {
        /// The database file
        #[arg(long, value_name = "FILE")]
        from: PathBuf,
        /// The new database, such as postgres://user@host:5432/name; it must be empty
        #[arg(long, value_name = "DATABASE")]
        to: String,
    },
    /// Remove a round or a shared rule book for good; a running server notices within a minute
    Remove {
        /// Its address, or the 26 letters after /r/ or /b/
        id: Removable,
    },
}

/// The location of the data.
#[derive(Clone, PartialEq, Eq)]
pub enum Data {
    File(PathBuf),
    /// The address. It may contain a password.
    Postgres(String),
}

impl From<OsString> for Data {
    fn from(text: OsString) -> Data {
        const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];
        match text.to_str() {
            Some(address) if SCHEMES.iter().any(|scheme| address.starts_with(scheme)) => {
                Data::Postgres(address.to_owned())
            }
            _ => Data::File(text.into()),
        }
    }
}

impl fmt::Debug for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Data::File(path) => write!(f, "File({path:?})"),
            Data::Postgres(_) => write!(f, "Postgres(…)"),
        }
    }
}

/// A round or a rule book, by its address or the letters in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removable {
    letters: String,
    /// The kind in the address, if it has one: `r` or `b`.
    kind: Option<char>,
}

/// The text isn't the address of anything that can be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a round or a rule book; give its address, or the 26 letters after /r/ or /b/")]
pub struct NotRemovable;

impl FromStr for Removable {
    type Err = NotRemovable;

    fn from_str(text: &str) -> Result<Removable, NotRemovable> {
        let (kind, rest) = match (text.split_once("/r/"), text.split_once("/b/")) {
            (Some((_, rest)), None) => (Some('r'), rest),
            (None, Some((_, rest))) => (Some('b'), rest),
            _ => (None, text),
        };
        let letters = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let fits = letters.len() == 26 && letters.bytes().all(|byte| byte.is_ascii_alphanumeric());
        fits.then(|| Removable { letters: letters.to_owned(), kind }).ok_or(NotRemovable)
    }
}

impl Removable {
    pub(crate) fn as_sitting(&self) -> Option<SittingId> {
        self.letters.parse().ok().filter(|_| self.kind != Some('b'))
    }

    pub(crate) fn as_book(&self) -> Option<String> {
        (self.kind != Some('r')).then(|| self.letters.clone())
    }
}

impl Arguments {
    pub fn limits(&self) -> Limits {
        let usual = Limits { data_bytes: self.max_data.0, ..Limits::default() };
        self.limit.iter().fold(usual, Limits::with)
    }
}

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u64);

/// The text isn't a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a size; write it like 500MiB or 20GiB")]
pub struct NotASize;

impl FromStr for Size {
    type Err = NotASize;

    fn from_str(text: &str) -> Result<Size, NotASize> {
        let text = text.trim();
        let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let number: u64 = number.parse().map_err(|_| NotASize)?;
        let unit = unit.trim().to_ascii_lowercase();
        let times = match unit.trim_end_matches('b').trim_end_matches('i') {
            "" => 1,
            "k" => 1 << 10,
            "m" => 1 << 20,
            "g" => 1 << 30,
            "t" => 1 << 40,
            _ => return Err(NotASize),
        };
        number.checked_mul(times).filter(|bytes| *bytes > 0).map(Size).ok_or(NotASize)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
        let usual = Arguments::parse_from(["spoton-web"]);
        assert_eq!(usual.limits(), Limits::default(), "the help shows the real defaults");
    }

    #[test]
    fn sizes_are_read() {
        for (text, bytes) in
            [("17", 17), ("2GiB", 2 << 30), ("500 MB", 500 << 20), ("3k", 3 << 10), ("1T", 1 << 40)]
        {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
        for wrong in ["", "0", "GiB", "-1", "1.5GiB", "2 apples", "99999999999999T"] {
            assert_eq!(wrong.parse::<Size>(), Err(NotASize), "{wrong}");
        }
    }
}
