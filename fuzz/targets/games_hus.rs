//! A random legal game of Hus, drawn by the bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::game::<hus::Position>(bytes));
