//! Parts of a tournament, for several machines.

use thiserror::Error;

/// A part of a tournament: the pairs whose number is `index` modulo `count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which part, from 0.
    pub index: u64,
    /// How many parts.
    pub count: u64,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    pub(super) fn holds(self, pair: u64) -> bool {
        pair % self.count == self.index
    }

    /// How many of the first `pairs` pairs are in this part.
    pub(super) fn pairs(self, pairs: u64) -> u64 {
        pairs.saturating_sub(self.index).div_ceil(self.count)
    }
}

/// A text that is not a shard.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected a shard as `I/N` with I from 0 to N-1, such as `0/4`, found `{0}`")]
pub struct ParseShardError(String);

impl std::str::FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split_once('/')
            .and_then(|(index, count)| Some(Shard { index: index.parse().ok()?, count: count.parse().ok()? }))
            .filter(|shard| shard.index < shard.count)
            .ok_or_else(|| ParseShardError(text.to_owned()))
    }
}
