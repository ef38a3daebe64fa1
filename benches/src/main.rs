//! Runs the comparisons of this package and prints one JSON object per row.

use std::process::ExitCode;

fn main() -> ExitCode {
    benches::main_with(benches::rows())
}
