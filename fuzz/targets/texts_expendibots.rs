//! Any text as a position and as a move of Expendibots.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| fuzz_targets::text::<expendibots::Position>(text));
