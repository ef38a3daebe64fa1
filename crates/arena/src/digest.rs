//! Stable hashes: ids of plans and games, seeds, checksums. All are prefixes of BLAKE3, the same on every machine.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// 128 bits of BLAKE3, written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 16]);

impl Digest {
    /// The digest of a sequence of texts. Each goes in with its length, so that no two sequences run together.
    ///
    /// ```
    /// use arena::Digest;
    /// assert_ne!(Digest::of(&["ab", "c"]), Digest::of(&["a", "bc"]));
    /// assert_eq!(Digest::of(&["hus"]).to_string().len(), 32);
    /// ```
    pub fn of<T: AsRef<[u8]>>(parts: &[T]) -> Digest {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            let part = part.as_ref();
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let mut short = [0; 16];
        short.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Digest(short)
    }

    /// The first 64 bits as a number: a seed or a hash for counting.
    pub fn number(self) -> u64 {
        let mut word = [0; 8];
        word.copy_from_slice(&self.0[..8]);
        u64::from_le_bytes(word)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a digest.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected 32 hexadecimal digits, found `{0}`")]
pub struct ParseDigestError(String);

impl FromStr for Digest {
    type Err = ParseDigestError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = || ParseDigestError(text.to_owned());
        if text.len() != 32 || !text.is_ascii() {
            return Err(fail());
        }
        let mut bytes = [0; 16];
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).map_err(|_| fail())?;
        }
        Ok(Digest(bytes))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_derivation_is_pinned() {
        // The first 16 bytes of BLAKE3 of nothing, the published test vector.
        assert_eq!(Digest::of::<&str>(&[]).to_string(), "af1349b9f5f9a1a6a0404dea36dcc949");
        assert_eq!(Digest::of::<&str>(&[]).number(), 0xa6a1_f9f5_b949_13af);
        let digest = Digest::of(&["hus", "standard"]);
        assert_eq!(digest.to_string().parse(), Ok(digest));
        assert!("zz".parse::<Digest>().is_err() && "é".repeat(16).parse::<Digest>().is_err());
    }
}
