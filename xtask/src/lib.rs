//! The program `gamesearch` with the commands that only the developers of this repository need.

mod commands;
mod games;

use gamesearch::App;

/// `cargo xtask`.
pub fn app() -> App {
    let app = gamesearch::contests::app()
        .called("cargo xtask")
        .about("Play, measure and check adversarial game search on four contest games");
    commands::with_ours(app)
}
