//! Any text as a set-up and openings of any of the games.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| fuzz_targets::setup(text));
