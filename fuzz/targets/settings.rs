//! Any text as `class.toml`, `tournament.toml` and `plan.json`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| fuzz_targets::settings(text));
