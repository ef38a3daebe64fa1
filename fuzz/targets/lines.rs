//! Any line in either direction of UGI, and any text as limits.
#![no_main]

libfuzzer_sys::fuzz_target!(|line: &str| fuzz_targets::line(line));
