//! Searches and rules side by side with those of other libraries: one JSON object per row, like the package `benches`.
//!
//! `cargo run --release -- [NAME] [--list]` in this directory; `cargo xtask compare` shows the table.

mod alpha_beta;
mod expendibots;
mod games;
mod hus;
mod monte_carlo;

use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--values") {
        alpha_beta::print_values();
        return ExitCode::SUCCESS;
    }
    let mut rows = alpha_beta::rows();
    rows.extend(monte_carlo::rows());
    rows.extend(expendibots::rows());
    rows.extend(hus::rows());
    benches::main_with(rows)
}
