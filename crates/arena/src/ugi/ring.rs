//! The last bytes of a stream that is too long to keep.

use std::collections::VecDeque;

/// Keeps the last `capacity` bytes of what is pushed into it.
#[derive(Debug)]
pub(crate) struct Ring {
    bytes: VecDeque<u8>,
    capacity: usize,
    lost: bool,
}

impl Ring {
    pub(crate) fn new(capacity: usize) -> Ring {
        Ring { bytes: VecDeque::new(), capacity, lost: false }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let kept = &bytes[bytes.len().saturating_sub(self.capacity)..];
        let excess = (self.bytes.len() + kept.len()).saturating_sub(self.capacity);
        self.lost |= excess > 0 || kept.len() < bytes.len();
        self.bytes.drain(..excess);
        self.bytes.extend(kept);
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.lost = false;
    }

    /// What is kept, and whether anything before it was lost.
    pub(crate) fn take(&mut self) -> (Vec<u8>, bool) {
        (std::mem::take(&mut self.bytes).into(), self.lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_bytes_stay() {
        let mut ring = Ring::new(5);
        ring.push(b"abc");
        ring.push(b"de");
        assert_eq!(ring.take(), (b"abcde".to_vec(), false));
        ring.push(b"abcd");
        ring.push(b"efg");
        assert_eq!(ring.take(), (b"cdefg".to_vec(), true));
        ring.clear();
        ring.push(b"0123456789");
        assert_eq!(ring.take(), (b"56789".to_vec(), true));
    }
}
