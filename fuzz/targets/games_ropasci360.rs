//! A random legal game of RoPaSci 360, drawn by the bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::game::<ropasci360::Position>(bytes));
