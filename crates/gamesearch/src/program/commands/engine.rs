//! `gamesearch engine`: any bot as a UGI engine.

use std::io::{self, BufReader};
use std::process::ExitCode;

use agents::{OptionInfo, Spec, Values};
use arena::ugi::{Engine, OptionKind, OptionLine};
use clap::Args;

use super::{CommandResult, Failure};
use crate::Listed;

/// Speak UGI for a bot on standard input and output (docs/ugi.md)
///
/// The bot's options are the engine's options: `setoption name depth value 4`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  printf 'ugi\\nposition startpos\\ngo nodes 10000\\n' | {program} engine {game} alphabeta"
)]
pub(crate) struct EngineCommand {
    /// The game
    pub(crate) game: String,
    /// The bot, as `name[:key=value,...]`; `{program} bots` lists them
    bot: String,
}

/// Speaks until the host leaves.
pub(crate) fn serve<G: Listed>(arguments: &EngineCommand) -> CommandResult {
    let spec: Spec = arguments.bot.parse().map_err(Failure::usage)?;
    let catalogue = G::catalogue();
    let options: Vec<OptionLine> = {
        let info = catalogue.check(&spec).map_err(Failure::usage)?;
        info.options.iter().map(|option| option_line(option, &spec)).collect()
    };
    let name = format!("{} of the {} workbench {}", spec, G::NAME, env!("CARGO_PKG_VERSION"));
    let build = Box::new(move |settings: &[(String, String)]| {
        catalogue.build(&with_settings(&spec, settings)).map_err(|error| error.to_string())
    });
    let mut engine = Engine::<G>::new(name, env!("CARGO_PKG_AUTHORS"), build);
    for option in options {
        engine = engine.with_option(option);
    }
    match engine.run(BufReader::new(io::stdin()), io::stdout()) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error) => Err(Failure::failed(error)),
    }
}

/// A bot's option in the words of the protocol.
fn option_line(info: &OptionInfo, spec: &Spec) -> OptionLine {
    let set = spec.options().iter().find(|(key, _)| key == info.key).map(|(_, value)| value.as_str());
    let default = set.unwrap_or(info.default);
    let kind = match info.values {
        Values::Choice(words) => OptionKind::Combo(words.iter().map(|&word| word.to_owned()).collect()),
        Values::Integer(min, max) => OptionKind::Spin {
            min: i64::try_from(min).unwrap_or(i64::MAX),
            max: i64::try_from(max).unwrap_or(i64::MAX),
        },
        Values::Flag => OptionKind::Check,
        Values::Number(..) | Values::Text(_) => OptionKind::String,
    };
    let default = Some(default.to_owned()).filter(|default| !default.is_empty());
    OptionLine { name: info.key.to_owned(), kind, default }
}

/// The spec with some options set anew.
fn with_settings(spec: &Spec, settings: &[(String, String)]) -> String {
    let kept = spec.options().iter().filter(|(key, _)| settings.iter().all(|(set, _)| set != key));
    let pairs: Vec<String> = kept.chain(settings).map(|(key, value)| format!("{key}={value}")).collect();
    match pairs.as_slice() {
        [] => spec.name().to_owned(),
        pairs => format!("{}:{}", spec.name(), pairs.join(",")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_are_set_replace_those_of_the_spec() {
        let spec: Spec = "alphabeta:depth=4,order=booms".parse().unwrap();
        let set = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(with_settings(&spec, &[]), "alphabeta:depth=4,order=booms");
        assert_eq!(
            with_settings(&spec, &[set("depth", "6"), set("table", "true")]),
            "alphabeta:order=booms,depth=6,table=true"
        );
        assert_eq!(with_settings(&"random".parse().unwrap(), &[]), "random");
    }

    #[test]
    fn options_are_declared_with_the_values_of_the_spec() {
        let info = |values, default| OptionInfo { key: "depth", values, default, about: "" };
        let spec: Spec = "alphabeta:depth=4".parse().unwrap();
        let line = |values, default| option_line(&info(values, default), &spec).to_string();
        assert_eq!(line(Values::Integer(1, 9), "2"), "option name depth type spin default 4 min 1 max 9");
        assert_eq!(
            line(Values::Integer(1, u64::MAX), ""),
            "option name depth type spin default 4 min 1 max 9223372036854775807"
        );
        let plain = option_line(&info(Values::Flag, ""), &"random".parse().unwrap());
        assert_eq!(plain.to_string(), "option name depth type check");
    }
}
