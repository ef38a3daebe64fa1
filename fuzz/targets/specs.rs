//! Any text as the spec of a bot: checked against the four catalogues.
#![no_main]

use agents::{Spec, colosseum, expendibots, hus, ropasci360};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(spec) = text.parse::<Spec>() else { return };
    assert_eq!(spec.to_string().parse::<Spec>().as_ref(), Ok(&spec));
    let _ = expendibots::catalogue().check(&spec);
    let _ = ropasci360::catalogue().check(&spec);
    let _ = hus::catalogue().check(&spec);
    let _ = colosseum::catalogue().check(&spec);
});
