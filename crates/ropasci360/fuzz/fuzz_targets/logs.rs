//! Any text as a tournament log.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ropasci360::log;

fuzz_target!(|text: &str| {
    if let Err(error) = log::parse(text) {
        assert!((1..=text.lines().count()).contains(&error.line));
    }
});
