//! A journal that was damaged as the bytes say: every damage is found, and the run goes on to the same results.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::journal(bytes));
