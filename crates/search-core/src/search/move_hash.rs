//! A hash for moves.

use std::hash::{Hash, Hasher};

/// A hasher for moves: a few small integers, the same result on every platform.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MoveHasher(pub(crate) u64);

impl MoveHasher {
    #[inline]
    pub(crate) fn of<M: Hash>(mv: M) -> MoveHasher {
        let mut hasher = MoveHasher::default();
        mv.hash(&mut hasher);
        hasher
    }

    #[inline]
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0xf135_7aea_2e62_a9c5);
    }
}

impl Hasher for MoveHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.mix(u64::from(byte));
        }
    }

    #[inline]
    fn write_u8(&mut self, value: u8) {
        self.mix(u64::from(value));
    }

    #[inline]
    fn write_u16(&mut self, value: u16) {
        self.mix(u64::from(value));
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.mix(u64::from(value));
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.mix(value);
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }

    #[inline]
    fn write_i8(&mut self, value: i8) {
        self.mix(value as u64);
    }

    #[inline]
    fn write_i16(&mut self, value: i16) {
        self.mix(value as u64);
    }

    #[inline]
    fn write_i32(&mut self, value: i32) {
        self.mix(value as u64);
    }

    #[inline]
    fn write_i64(&mut self, value: i64) {
        self.mix(value as u64);
    }

    #[inline]
    fn write_isize(&mut self, value: isize) {
        self.mix(value as u64);
    }
}
