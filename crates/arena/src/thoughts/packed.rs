//! Thoughts as a short text for the journal.
//!
//! A move's thoughts written as JSON would take more room than the move itself. So they are written column by column as small
//! numbers (scores as differences from the move before), compressed, and encoded in base64. Nodes, depths and scores are
//! exact; times are kept to within 5 %, values and gaps to three digits.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use search_core::Score;
use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

use super::{Seen, Thought, Thoughts};

/// More than any game has: what unpacks to more bytes is an attack.
const MOST_BYTES: usize = 1 << 22;
/// The level of compression: beyond it the text gets hardly shorter.
const LEVEL: u8 = 7;
/// Steps of the time within a factor of two.
const STEPS: f64 = 8.0;

pub(crate) fn serialize<S: Serializer>(thoughts: &Thoughts, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&pack(thoughts))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Thoughts, D::Error> {
    let text = String::deserialize(deserializer)?;
    unpack(&text).ok_or_else(|| D::Error::custom("its thoughts cannot be read"))
}

fn pack(thoughts: &Thoughts) -> String {
    let mut bytes = Vec::new();
    for player in &thoughts.0 {
        write_player(player, &mut bytes);
    }
    STANDARD_NO_PAD.encode(compress_to_vec(&bytes, LEVEL))
}

pub(super) fn unpack(text: &str) -> Option<Thoughts> {
    let packed = STANDARD_NO_PAD.decode(text).ok()?;
    let bytes = decompress_to_vec_with_limit(&packed, MOST_BYTES).ok()?;
    let mut rest = &bytes[..];
    let thoughts = Thoughts([read_player(&mut rest)?, read_player(&mut rest)?]);
    rest.is_empty().then_some(thoughts)
}

/// What is known of a move.
const NOTHING: u8 = 0;
const SEEN: u8 = 1;
const MIXED: u8 = 2;

fn write_player(thoughts: &[Thought], bytes: &mut Vec<u8>) {
    write_number(thoughts.len() as u64, bytes);
    bytes.extend(thoughts.iter().map(|thought| match thought.seen {
        None => NOTHING,
        Some(Seen { value: Some(_), .. }) => MIXED,
        Some(_) => SEEN,
    }));
    bytes.extend(thoughts.iter().map(|thought| short_time(thought.time)));
    let seen = || thoughts.iter().filter_map(|thought| thought.seen);
    seen().for_each(|seen| write_number(u64::from(seen.depth), bytes));
    seen().for_each(|seen| write_number(seen.nodes, bytes));
    let mut last = 0;
    for seen in seen() {
        let score = i64::from(seen.score.value());
        write_signed(score - last, bytes);
        last = score;
    }
    for seen in seen() {
        if let Some(value) = seen.value {
            write_signed(thousandths(value), bytes);
            write_signed(thousandths(seen.gap.unwrap_or(0.0)), bytes);
        }
    }
}

fn read_player(rest: &mut &[u8]) -> Option<Vec<Thought>> {
    let count = usize::try_from(read_number(rest)?).ok().filter(|&count| 2 * count <= rest.len())?;
    let (kinds, after) = rest.split_at(count);
    let (times, after) = after.split_at(count);
    *rest = after;
    let known = kinds.iter().filter(|&&kind| kind != NOTHING).count();
    let depths = (0..known).map(|_| read_number(rest)).collect::<Option<Vec<u64>>>()?;
    let nodes = (0..known).map(|_| read_number(rest)).collect::<Option<Vec<u64>>>()?;
    let mut score = 0_i64;
    let mut seen = Vec::with_capacity(known);
    for (depth, nodes) in depths.into_iter().zip(nodes) {
        score = score.checked_add(read_signed(rest)?)?;
        seen.push(Seen {
            score: Score::from_value(i32::try_from(score).ok()?),
            depth: u32::try_from(depth).ok()?,
            nodes,
            value: None,
            gap: None,
        });
    }
    let mut seen = seen.into_iter();
    let thought = |(&kind, &time): (&u8, &u8)| {
        let seen = match kind {
            NOTHING => None,
            SEEN => Some(seen.next()?),
            MIXED => {
                let (value, gap) = (read_signed(rest)? as f64 / 1e3, read_signed(rest)? as f64 / 1e3);
                Some(Seen { value: Some(value), gap: Some(gap), ..seen.next()? })
            }
            _ => return None,
        };
        Some(Thought { time: long_time(time), seen })
    };
    kinds.iter().zip(times).map(thought).collect()
}

/// A time in one byte: up to half an hour, to within 5 %.
fn short_time(time: Duration) -> u8 {
    let micros = time.as_nanos() as f64 / 1e3;
    (STEPS * libm::log2(1.0 + micros)).round().min(255.0) as u8
}

fn long_time(byte: u8) -> Duration {
    let micros = libm::exp2(f64::from(byte) / STEPS) - 1.0;
    Duration::from_nanos((micros * 1e3).round() as u64)
}

fn thousandths(number: f64) -> i64 {
    if number.is_finite() { (number * 1e3).round().clamp(-1e15, 1e15) as i64 } else { 0 }
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn write_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Numbers near zero are short, whatever their sign.
fn write_signed(number: i64, bytes: &mut Vec<u8>) {
    write_number(((number << 1) ^ (number >> 63)) as u64, bytes);
}

fn read_signed(rest: &mut &[u8]) -> Option<i64> {
    let number = read_number(rest)?;
    Some((number >> 1) as i64 ^ -((number & 1) as i64))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn thought() -> impl Strategy<Value = Thought> {
        let seen = (any::<i32>(), any::<u32>(), any::<u64>(), prop::option::of(-9_999_i32..9_999));
        (0..2_000_000_000_u64, prop::option::of(seen)).prop_map(|(micros, seen)| Thought {
            time: Duration::from_micros(micros),
            seen: seen.map(|(score, depth, nodes, value)| Seen {
                score: Score::from_value(score),
                depth,
                nodes,
                value: value.map(|value| f64::from(value) / 1e3),
                gap: value.map(|value| f64::from(value.abs()) / 1e3),
            }),
        })
    }

    proptest! {
        #[test]
        fn thoughts_come_back(one in prop::collection::vec(thought(), 0..40), two in prop::collection::vec(thought(), 0..9)) {
            let thoughts = Thoughts([one, two]);
            let again = unpack(&pack(&thoughts)).unwrap();
            for (before, after) in thoughts.0.iter().zip(&again.0) {
                prop_assert_eq!(before.len(), after.len());
                for (before, after) in before.iter().zip(after) {
                    prop_assert_eq!(before.seen, after.seen);
                    let (was, is) = (before.time.as_secs_f64(), after.time.as_secs_f64());
                    prop_assert!((was - is).abs() <= 0.05 * was + 1e-7, "{} became {}", was, is);
                }
            }
        }

        #[test]
        fn no_text_panics(text in ".{0,60}", bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = unpack(&text);
            let _ = unpack(&STANDARD_NO_PAD.encode(compress_to_vec(&bytes, LEVEL)));
        }
    }

    #[test]
    fn what_unpacks_to_too_much_is_refused() {
        let bomb = STANDARD_NO_PAD.encode(compress_to_vec(&vec![0; MOST_BYTES + 1], LEVEL));
        assert!(bomb.len() < 10_000 && unpack(&bomb).is_none());
    }
}
