//! Single lines: of the protocol, of logs, specs of bots.

use agents::{Spec, colosseum, expendibots, hus, ropasci360};
use arena::MatchLimits;
use arena::ugi::{Command, Info, OptionLine, Reply};

/// Any line in either direction of UGI, and any text as limits.
pub fn line(line: &str) {
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
}

/// Any text as a tournament log of RoPaSci 360.
pub fn log(text: &str) {
    if let Err(error) = ::ropasci360::log::parse(text) {
        assert!((1..=text.lines().count()).contains(&error.line));
    }
}

/// Any text as the spec of a bot: checked against the four catalogues.
pub fn spec(text: &str) {
    let Ok(spec) = text.parse::<Spec>() else { return };
    assert_eq!(spec.to_string().parse::<Spec>().as_ref(), Ok(&spec));
    let _ = expendibots::catalogue().check(&spec);
    let _ = ropasci360::catalogue().check(&spec);
    let _ = hus::catalogue().check(&spec);
    let _ = colosseum::catalogue().check(&spec);
}
