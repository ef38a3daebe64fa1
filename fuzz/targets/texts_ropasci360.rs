//! Any text as a position and as a move of RoPaSci 360.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| fuzz_targets::text::<ropasci360::Position>(text));
