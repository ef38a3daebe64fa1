//! Help texts: they name the program as it was called, and a game that it has.

use clap::Command;
use clap::builder::StyledStr;

use super::App;

pub(super) const FIRST_STEPS: &str = "First steps:
  {program} tournament              bots against bots, with ratings and a report, in about a minute
  {program} play {game}             a game against the strongest bot
  {program} bots {game}             the bots of a game and their options
  {program} tournament --help       the options of a command, with examples";

/// The command with `{program}` and `{game}` replaced everywhere, and with the games as values of each argument `game`.
pub(super) fn fill_in(mut command: Command, app: &App) -> Command {
    let say = |text: &StyledStr| {
        let game = app.names().first().copied().unwrap_or("GAME");
        text.to_string().replace("{program}", &app.program).replace("{game}", game)
    };
    if let Some(text) = command.get_about().map(say) {
        command = command.about(text);
    }
    if let Some(text) = command.get_long_about().map(say) {
        command = command.long_about(text);
    }
    if let Some(text) = command.get_after_help().map(say) {
        command = command.after_help(text);
    }
    command = command.mut_args(|mut argument| {
        if let Some(text) = argument.get_help().map(say) {
            argument = argument.help(text);
        }
        if let Some(text) = argument.get_long_help().map(say) {
            argument = argument.long_help(text);
        }
        if argument.get_id() == "game" { argument.value_parser(app.name_parser()) } else { argument }
    });
    command.mut_subcommands(|subcommand| fill_in(subcommand, app))
}
