//! Saves: records with a checksum.

use super::BadRecord;
use crate::format::fingerprint;

/// The start of every save. Record readers treat this line as a comment.
const HEAD: &str = "; spoton save ";
const VERSION: u32 = 1;

/// Adds a first line with the text's length and checksum.
#[must_use]
pub fn seal(text: &str) -> String {
    format!("{HEAD}{VERSION} {} {:016x}\n{text}", text.len(), fingerprint(text.as_bytes()))
}

/// Checks the first line and returns the text.
///
/// # Errors
///
/// If this isn't a save, has a newer version, or is corrupted.
pub fn unseal(sealed: &[u8]) -> Result<&str, BadRecord> {
    let not_a_save = || BadRecord::new("this isn't a Spot On save");
    let damaged = || BadRecord::new("this save is corrupted (checksum mismatch)");
    let end = sealed.iter().position(|byte| *byte == b'\n').ok_or_else(not_a_save)?;
    let (head, text) = (&sealed[..end], &sealed[end + 1..]);
    let head =
        std::str::from_utf8(head).ok().and_then(|head| head.strip_prefix(HEAD)).ok_or_else(not_a_save)?;
    let mut fields = head.split(' ');
    let version: u32 = fields.next().and_then(|version| version.parse().ok()).ok_or_else(damaged)?;
    if version > VERSION {
        return Err(BadRecord::new(format!(
            "this save has version {version}; this Spot On reads versions up to {VERSION}. Use a newer Spot On"
        )));
    }
    let expected = format!("{VERSION} {} {:016x}", text.len(), fingerprint(text));
    if head != expected {
        return Err(damaged());
    }
    std::str::from_utf8(text).map_err(|_| damaged())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_byte_and_every_cut_is_noticed() {
        let text = "[Rulebook \"a-game\"]\n\n1. +1 x2 *\n";
        let sealed = seal(text);
        assert_eq!(unseal(sealed.as_bytes()), Ok(text));
        for at in 0..sealed.len() {
            for change in 1..=255u8 {
                let mut flipped = sealed.clone().into_bytes();
                flipped[at] ^= change;
                assert!(unseal(&flipped).is_err(), "byte {at} changed by {change}");
            }
            assert!(unseal(&sealed.as_bytes()[..at]).is_err(), "cut at {at}");
        }
        assert!(unseal((sealed + "x").as_bytes()).is_err());
    }

    #[test]
    fn a_newer_version_is_named() {
        let newer = seal("x").replacen("save 1", "save 2", 1);
        let message = unseal(newer.as_bytes()).unwrap_err().to_string();
        assert!(message.contains("version 2") && message.contains("newer"), "{message}");
    }
}
