//! The network of the champion of Hus, trained on its own games.

mod games;

use std::path::Path;

use self::games::Plan;
use super::super::{CommandResult, Failure};

pub(super) struct Settings<'a> {
    pub(super) games: u64,
    pub(super) nodes: u64,
    pub(super) seed: u64,
    pub(super) jobs: usize,
    pub(super) folder: &'a Path,
}

pub(super) fn run(settings: &Settings<'_>) -> CommandResult {
    let plan = Plan { bot: "champion:hash=1".into(), nodes: settings.nodes, opening: 12, stray: 20, seed: settings.seed };
    std::fs::create_dir_all(settings.folder).map_err(Failure::failed)?;
    let games = games::run(&plan, settings.games, settings.jobs, &settings.folder.join("games.jsonl"))?;
    let positions: usize = games.iter().map(|game| game.positions().count()).sum();
    eprintln!("{} games, {positions} positions", games.len());
    Ok(std::process::ExitCode::SUCCESS)
}
