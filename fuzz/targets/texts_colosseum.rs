//! Any text as a position and as a move of Colosseum.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| fuzz_targets::text::<colosseum::Position>(text));
