//! The program `gamesearch`: the workbench with its four contest games.

use std::process::ExitCode;

fn main() -> ExitCode {
    gamesearch::contests::app().main()
}
