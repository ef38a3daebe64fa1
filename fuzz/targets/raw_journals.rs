//! Any bytes as a journal.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::raw_journal(bytes));
