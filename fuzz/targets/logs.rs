//! Any text as a tournament log of RoPaSci 360.
#![no_main]

use ropasci360::log;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Err(error) = log::parse(text) {
        assert!((1..=text.lines().count()).contains(&error.line));
    }
});
