//! One file per command.

mod compare;
mod conform;
mod empty_board;
mod fidelity;
mod package;
mod page;
mod samplers;
mod soak;
mod tables;
mod tune;

use gamesearch::App;

/// The program with what keeps the workbench honest.
pub(crate) fn with_ours(app: App) -> App {
    app.with_command("conform", |_, arguments| conform::run(arguments))
        .with_command("fidelity", |_, arguments| fidelity::run(arguments))
        .with_command("tables", |_, arguments: &tables::Tables| arguments.run())
        .with_command("tune", |_, arguments| tune::run(arguments))
        .with_command("package", |_, arguments| package::run(arguments))
        .with_command("samplers", |_, arguments| samplers::run(arguments))
        .with_command("compare", |_, arguments| compare::run(arguments))
        .with_command("page", |_, arguments| page::run(arguments))
        .with_command("soak", soak::run)
}
