//! Counts open connections and streams per address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::address::counted;

/// Open items per address.
#[derive(Debug)]
pub(crate) struct OpenCount {
    /// Limit per address.
    most: usize,
    open: Mutex<HashMap<IpAddr, usize>>,
}

/// Guard for an open item, which counts until the guard is dropped.
#[derive(Debug)]
pub struct Opened {
    of: Arc<OpenCount>,
    address: IpAddr,
}

impl OpenCount {
    pub fn new(most: usize) -> Arc<OpenCount> {
        Arc::new(OpenCount { most, open: Mutex::default() })
    }

    /// Opens another item; `None` at the limit.
    pub fn open(self: &Arc<OpenCount>, address: IpAddr) -> Option<Opened> {
        let address = counted(address);
        let mut open = self.counts();
        let count = open.entry(address).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        drop(open);
        Some(Opened { of: Arc::clone(self), address })
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        let mut open = self.of.counts();
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_item_counts_until_it_is_closed() {
        let streams = OpenCount::new(2);
        let address = "10.0.0.1".parse().unwrap();
        let first = streams.open(address).unwrap();
        let _second = streams.open(address).unwrap();
        assert!(streams.open(address).is_none());
        assert!(streams.open("10.0.0.2".parse().unwrap()).is_some());
        drop(first);
        assert!(streams.open(address).is_some());
        drop(_second);
        assert!(streams.counts().is_empty(), "closed items leave no entry");
    }
}
