//! A random legal game of Expendibots, drawn by the bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::game::<expendibots::Position>(bytes));
