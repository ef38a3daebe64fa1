//! Whole conversations of a host with an engine, drawn by the bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::dialogue(bytes));
