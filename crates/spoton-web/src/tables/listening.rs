//! Clients that wait for news.

use std::net::IpAddr;

use crate::metrics::Open;
use crate::open::Opened;
use crate::rates::TooMany;
use crate::tables::Tables;

/// A client that waits for news, over a stream or a long poll. Counts until it's dropped.
pub struct Listens {
    _of_address: Option<Opened>,
    _open: Open,
}

/// Counts another waiting client.
///
/// # Errors
///
/// Fails if the address already has too many.
pub fn listens(tables: &Tables, address: Option<IpAddr>) -> Result<Listens, TooMany> {
    let of_address = address.map(|address| tables.rates.opens_stream(address)).transpose()?;
    Ok(Listens { _of_address: of_address, _open: tables.metrics.opens_stream() })
}
