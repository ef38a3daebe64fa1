//! Runs the comparisons of this package and prints one JSON object per row; `--simultaneous` prints nodes and matrix
//! games of backward induction instead.

use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--simultaneous") {
        benches::print_simultaneous();
        return ExitCode::SUCCESS;
    }
    benches::main_with(benches::rows())
}
