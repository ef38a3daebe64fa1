//! Any text as the spec of a bot: checked against the four catalogues.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| fuzz_targets::spec(text));
