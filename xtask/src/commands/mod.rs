//! One file per command.

mod against_random;
mod compare;
mod conform;
mod exploitability;
mod fidelity;
mod fuzz;
mod mutants;
mod package;
mod page;
mod scales;
mod scaling;
mod soak;
mod tables;
mod tune;

use gamesearch::App;

/// The program with what keeps the workbench honest.
pub(crate) fn with_ours(app: App) -> App {
    app.with_command("conform", |_, arguments| conform::run(arguments))
        .with_command("fidelity", |_, arguments| fidelity::run(arguments))
        .with_command("tables", |_, arguments: &tables::Tables| arguments.run())
        .with_command("against-random", |_, arguments| against_random::run(arguments))
        .with_command("tune", |_, arguments| tune::run(arguments))
        .with_command("package", |_, arguments| package::run(arguments))
        .with_command("exploitability", |_, arguments| exploitability::run(arguments))
        .with_command("compare", |_, arguments| compare::run(arguments))
        .with_command("page", |_, arguments| page::run(arguments))
        .with_command("scales", |_, arguments| scales::run(arguments))
        .with_command("scaling", |_, arguments| scaling::run(arguments))
        .with_command("soak", soak::run)
        .with_command("fuzz", |_, arguments| fuzz::run(arguments))
        .with_command("mutants", |_, arguments| mutants::run(arguments))
        .with_kind(tune::TuneKind)
}
