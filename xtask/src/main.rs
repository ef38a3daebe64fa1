//! `cargo xtask`: the program `gamesearch`, with the commands that only the developers of this repository need.

mod commands;
mod games;

use std::process::ExitCode;

fn main() -> ExitCode {
    let app = gamesearch::contests::app()
        .called("cargo xtask")
        .about("Play, measure and check adversarial game search on four contest games");
    commands::with_ours(app).main()
}
