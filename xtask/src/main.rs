//! `cargo xtask`.

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::app().main()
}
