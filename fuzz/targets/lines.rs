//! Any line in either direction of UGI, and any text as limits.
#![no_main]

use arena::MatchLimits;
use arena::ugi::{Command, Info, OptionLine, Reply};

libfuzzer_sys::fuzz_target!(|line: &str| {
    if let Ok(command) = Command::parse(line) {
        let written = command.to_string();
        assert_eq!(Command::parse(&written).map(|again| again.to_string()), Ok(written.clone()));
    }
    match Reply::parse(line) {
        Reply::Option(rest) => drop(OptionLine::parse(rest)),
        Reply::Info(rest) => drop(Info::parse(rest)),
        _ => {}
    }
    if let Ok(limits) = line.parse::<MatchLimits>() {
        assert_eq!(limits.to_string().parse::<MatchLimits>().as_ref(), Ok(&limits));
    }
});
