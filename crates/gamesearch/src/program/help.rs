//! Help texts: they name the program as it was called, and a game that it has.

use clap::Command;
use clap::builder::StyledStr;

use super::App;

/// The first commands of a newcomer, with what they are for.
const FIRST_STEPS: [(&str, &str); 4] = [
    ("tournament", "bots against bots, with ratings and a report, in about a minute"),
    ("play {game}", "a game against the strongest bot"),
    ("bots {game}", "the bots of a game and their options"),
    ("tournament --help", "the options of a command, with examples"),
];

/// Them as a text, in columns.
pub(super) fn first_steps(app: &App) -> String {
    let commands = FIRST_STEPS.map(|(words, _)| filled_in(&format!("{{program}} {words}"), app));
    let width = commands.iter().map(|command| command.chars().count()).max().unwrap_or(0);
    let lines =
        commands.iter().zip(FIRST_STEPS).map(|(command, (_, what))| format!("  {command:width$}  {what}"));
    std::iter::once("First steps:".to_owned()).chain(lines).collect::<Vec<_>>().join("\n")
}

/// A text with the names of the program and of its first game.
fn filled_in(text: &str, app: &App) -> String {
    let game = app.names().first().copied().unwrap_or("GAME");
    text.replace("{program}", &app.program).replace("{game}", game)
}

/// The command with `{program}` and `{game}` replaced everywhere, and with the games as values of each argument `game`.
pub(super) fn fill_in(mut command: Command, app: &App) -> Command {
    let say = |text: &StyledStr| filled_in(&text.to_string(), app);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_steps_stand_in_columns_whatever_the_program_is_called() {
        let steps = |name: &str| first_steps(&App::new().called(name));
        assert_eq!(
            steps("cargo xtask"),
            "First steps:\n  \
             cargo xtask tournament         bots against bots, with ratings and a report, in about a minute\n  \
             cargo xtask play GAME          a game against the strongest bot\n  \
             cargo xtask bots GAME          the bots of a game and their options\n  \
             cargo xtask tournament --help  the options of a command, with examples"
        );
        let columns: Vec<_> = steps("x").lines().skip(1).map(|line| line.rfind("  ")).collect();
        assert_eq!(columns, [columns[0]; 4]);
    }
}
