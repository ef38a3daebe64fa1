//! Searches and rules side by side with those of other libraries: one JSON object per row, like the package `benches`.
//!
//! `cargo run --release -- [NAME] [--list]` in this directory; `cargo xtask compare` shows the table.

mod alpha_beta;
mod exact;
mod expendibots;
mod games;
mod hus;
mod matrices;
mod monte_carlo;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    if has("--values") {
        alpha_beta::print_values();
        return ExitCode::SUCCESS;
    }
    if has("--exact-values") {
        exact::print_values(has("--apart"));
        return ExitCode::SUCCESS;
    }
    if let [flag, which, megabytes] = &arguments[..]
        && flag == "--empty-board"
    {
        let megabytes = megabytes.parse::<usize>().map_err(|error| format!("`{megabytes}`: {error}"));
        return match megabytes.and_then(|megabytes| exact::empty_board(which, megabytes << 20)) {
            Ok(line) => {
                println!("{line}");
                ExitCode::SUCCESS
            }
            Err(problem) => {
                eprintln!("error: {problem}");
                ExitCode::FAILURE
            }
        };
    }
    let mut rows = alpha_beta::rows();
    rows.extend(monte_carlo::rows());
    rows.extend(expendibots::rows());
    rows.extend(hus::rows());
    rows.extend(matrices::rows());
    rows.extend(exact::rows());
    benches::main_with(rows)
}
