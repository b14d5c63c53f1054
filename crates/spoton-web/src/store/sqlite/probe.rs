//! Checks whether the disk is full.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::files::beside;
use crate::store::Unavailable;

/// About the size of a batch of moves.
const BYTES: usize = 64 << 10;

/// Makes names unique: parallel probes would remove each other's files.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

/// Writes a file next to the database and syncs it. It's unlinked before it's written, so nothing remains after a
/// crash.
pub async fn write_and_remove(database: &Path) -> Result<(), Unavailable> {
    let name = format!("-probe-{}-{}", std::process::id(), WRITTEN.fetch_add(1, Ordering::Relaxed));
    let path = beside(database, &name).map_err(unavailable)?;
    let write = move || {
        let mut file = File::create(&path)?;
        fs::remove_file(&path)?;
        // Some file systems don't store zeros.
        file.write_all(&[0x5a; BYTES])?;
        file.sync_all()
    };
    let written = tokio::task::spawn_blocking(write).await.map_err(io::Error::other);
    written.flatten().map_err(unavailable)
}

fn unavailable(error: io::Error) -> Unavailable {
    Unavailable(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn probes_at_the_same_time_do_not_disturb_each_other() {
        let folder = std::env::temp_dir().join(format!("spoton-probes-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let database = folder.join("data.db");
        fs::write(&database, "").unwrap();
        let probes: Vec<_> = (0..100)
            .map(|_| {
                let database = database.clone();
                tokio::spawn(async move { write_and_remove(&database).await })
            })
            .collect();
        for probe in probes {
            probe.await.unwrap().unwrap();
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left behind");
        fs::remove_dir_all(&folder).unwrap();
    }
}
