//! A random legal game of Colosseum, drawn by the bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::game::<colosseum::Position>(bytes));
