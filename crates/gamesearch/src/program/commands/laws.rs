//! `gamesearch laws`: the laws that every game keeps, looked at in random games.

use std::process::ExitCode;

use clap::Args;
use search_core::laws::{Finding, Laws};

use super::CommandResult;
use crate::Listed;
use crate::program::pieces::counted;

/// Check a game against the laws that every game keeps
///
/// Plays random games and looks at each law in all of them: moves are distinct and read back from their texts, keys tell positions apart,
/// the generators agree with each other, playing is repeatable, what one player wins the other loses, and so on. A game that breaks
/// a law is shown with what is wrong, made as short as it gets.
///
/// The same games come in every run, unless --seed draws others. What no law can see is rules that are wrong everywhere alike: against that
/// helps a second implementation (docs/adding-a-game.md).
///
/// Exit codes: 0 all laws are kept, 1 one is broken, 2 wrong usage.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  {program} laws {game}
  {program} laws {game} --cases 1000 --turns 300 --seed 7")]
pub(crate) struct LawsCommand {
    /// The game
    pub(crate) game: String,
    /// How many random games for each law
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    cases: u32,
    /// How many turns of a game are looked at, at most
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    turns: u32,
    /// Draw other games
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

pub(crate) fn run<G: Listed>(arguments: &LawsCommand) -> CommandResult {
    let LawsCommand { cases, turns, seed, .. } = *arguments;
    let mut laws = Laws::<G>::new().cases(cases).turns(turns as usize);
    if let Some(seed) = seed {
        laws = laws.seed(seed);
    }
    let (mut all, mut broken) = (0, 0);
    for finding in laws.findings() {
        all += 1;
        let Finding { name, says, found } = finding;
        match found {
            Ok(None) => {
                outln!("kept    {name}: {says}");
                continue;
            }
            Ok(Some(counterexample)) => {
                outln!("BROKEN  {name}: {says}");
                for line in counterexample.broken.lines() {
                    outln!("        {}", arena::shown(line));
                }
                outln!(
                    "        in game {} of {cases}, made shorter from {}: {:?}",
                    counterexample.game,
                    counted(counterexample.turns as u64, "turns"),
                    counterexample.walk
                );
            }
            Err(problem) => outln!("BROKEN  {name}: {says}\n        {problem}"),
        }
        broken += 1;
    }
    let games =
        format!("{} of up to {}", counted(cases.into(), "random games"), counted(turns.into(), "turns"));
    if broken == 0 {
        outln!("{} keeps all {all} laws in {games}", G::NAME);
        return Ok(ExitCode::SUCCESS);
    }
    outln!("{} breaks {broken} of {all} laws in {games}", G::NAME);
    Ok(ExitCode::FAILURE)
}
