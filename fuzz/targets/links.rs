//! Any text as a link to a game, and as a message to the engine of the playground.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| fuzz_targets::link(text));
