//! Any text as a tournament log of RoPaSci 360.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| fuzz_targets::log(text));
