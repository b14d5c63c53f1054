//! Unguessable ids: sittings, secrets, rule books.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// The alphabet of ids: without `i`, `l`, `o` and `u`, which look like other characters or spell words.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A sitting: 128 random bits in 26 letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SittingId(pub [u8; 16]);

/// The SHA-256 hash of a secret (which is never stored itself), a request or a rule book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash(pub [u8; 32]);

/// A secret: 256 random bits in 52 letters. Never logged, and stored only as its hash.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// The text isn't an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nothing here; check the address")]
pub struct NotAnId;

impl SittingId {
    /// Returns a new random id.
    pub fn random() -> SittingId {
        SittingId(random())
    }
}

impl Hash {
    /// Hashes some bytes.
    pub fn digest(bytes: impl AsRef<[u8]>) -> Hash {
        Hash(Sha256::digest(bytes).into())
    }

    /// Returns the first 130 bits in 26 letters: the address of a rule book.
    pub fn short(&self) -> String {
        letters(&self.0).chars().take(26).collect()
    }
}

impl Secret {
    /// Returns a new random secret.
    pub fn random() -> Secret {
        Secret(letters(&random::<32>()))
    }

    /// Derives a secret from a hash.
    pub(crate) fn from_hash(hash: &Hash) -> Secret {
        Secret(letters(&hash.0))
    }

    /// Wraps a secret from a client. Only the store can verify it.
    pub fn sent(text: &str) -> Secret {
        Secret(text.trim().to_owned())
    }

    /// Returns the hash that the store keeps.
    pub fn hash(&self) -> Hash {
        Hash::digest(&self.0)
    }

    /// Returns the secret itself, for its owner.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret(…)")
    }
}

impl fmt::Display for SittingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&letters(&self.0))
    }
}

impl FromStr for SittingId {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<SittingId, NotAnId> {
        if text.len() != 26 {
            return Err(NotAnId);
        }
        let mut bits: u128 = 0;
        for (place, letter) in text.bytes().enumerate() {
            let value = LETTERS.iter().position(|known| *known == letter).ok_or(NotAnId)? as u128;
            // 26 letters hold 130 bits; the last two are 0.
            bits = match place {
                25 if !value.is_multiple_of(4) => return Err(NotAnId),
                25 => bits << 3 | value >> 2,
                _ => bits << 5 | value,
            };
        }
        Ok(SittingId(bits.to_be_bytes()))
    }
}

/// Returns a random name of a server.
pub(crate) fn name() -> String {
    letters(&random::<5>())
}

/// Returns random bytes from the system.
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Without entropy no id is safe, so give up.
    getrandom::fill(&mut bytes).unwrap_or_else(|error| panic!("no entropy: {error}"));
    bytes
}

/// Encodes bytes, five bits per letter; the last one is padded with zeros.
fn letters(bytes: &[u8]) -> String {
    let (mut text, mut bits, mut count) = (String::new(), 0_u32, 0);
    for byte in bytes {
        bits = bits << 8 | u32::from(*byte);
        count += 8;
        while count >= 5 {
            count -= 5;
            text.push(char::from(LETTERS[(bits >> count) as usize % 32]));
        }
        bits &= (1 << count) - 1;
    }
    if count > 0 {
        text.push(char::from(LETTERS[(bits << (5 - count)) as usize % 32]));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_was_written_and_nothing_else_is() {
        for id in [SittingId([0; 16]), SittingId([255; 16]), SittingId::random(), SittingId::random()] {
            let text = id.to_string();
            assert_eq!((text.len(), text.parse()), (26, Ok(id)));
            for wrong in [&text[1..], &format!("{text}0"), &text.to_uppercase(), &format!("{}z", &text[..25])]
            {
                assert!(wrong.parse::<SittingId>() != Ok(id) || *wrong == text, "{wrong}");
            }
        }
        assert_ne!(SittingId::random(), SittingId::random());
        assert!("0000000000000000000000000é".parse::<SittingId>().is_err());
    }

    #[test]
    fn a_secret_shows_itself_to_nobody_by_accident() {
        let secret = Secret::random();
        assert_eq!(secret.reveal().len(), 52);
        assert!(!format!("{secret:?}").contains(secret.reveal()));
        assert_eq!(Secret::sent(&format!(" {}\n", secret.reveal())).hash(), secret.hash());
        assert_eq!(Hash::digest("abc").short().len(), 26);
    }
}
