//! A game without its type: everything that a command does with one. This is where a game's type meets the program, so that
//! the commands are compiled once for each game, with the crate that names the game.

use std::marker::PhantomData;
use std::sync::Arc;

use arena::ugi::{Examination, Finding, OutsideBot, examine};
use arena::{Adapter, Contest, EventPlan, FinishedGame, MatchLimits, SavedGame};

use super::commands::{
    analyse, bots, compliance, engine, exploitability, export, moves, openings, perft, play, replay, show,
    tournament,
};
use super::pieces::{self, BenchLine};
use super::{App, CommandResult, Failure, class, report};
use crate::Listed;
use crate::program::bots::build_patiently;
use crate::session::Games;

pub(super) trait Entry: Sync {
    fn name(&self) -> &'static str;
    fn adapters(&self) -> &'static [Adapter];
    /// The names of its bots, in the order of lists.
    fn bot_names(&self) -> Vec<&'static str>;
    fn play(&self, arguments: &play::Play) -> CommandResult;
    /// The same games with this one, for a playground with bots from outside.
    fn offer(&self, games: Games) -> Games;
    fn analyse(&self, arguments: &analyse::Analyse) -> CommandResult;
    fn list_bots(&self, options: bool);
    fn bots_as_json(&self) -> serde_json::Value;
    fn show(&self, position: Option<&str>) -> Result<(), Failure>;
    fn replay(&self, saved: &SavedGame, ply: Option<usize>) -> Result<(), Failure>;
    fn serve(&self, arguments: &engine::EngineCommand) -> CommandResult;
    fn perft(&self, arguments: &perft::Perft) -> Result<(), Failure>;
    fn make_openings(&self, app: &App, arguments: &openings::MakeOpenings) -> CommandResult;
    fn exploitability(&self, arguments: &exploitability::ExploitabilityCommand) -> CommandResult;
    fn exporter(&self, arguments: &export::Export) -> Result<Box<dyn export::Exporter + Send>, Failure>;
    fn perft_suite(&self, suite: perft::Suite) -> Result<u64, Failure>;
    #[cfg(feature = "laws")]
    fn laws(&self, arguments: &super::commands::laws::LawsCommand) -> CommandResult;
    /// The games that an outside bot says it plays.
    fn games_of(&self, bot: &Arc<OutsideBot>) -> Result<Vec<String>, Failure>;
    fn examine(
        &self,
        bot: &Arc<OutsideBot>,
        arguments: &compliance::Compliance,
    ) -> Result<Vec<Finding>, Failure>;
    /// The same for a submission, without output on the screen.
    fn examine_quietly(&self, bot: &Arc<OutsideBot>, examination: Examination) -> Vec<Finding>;
    fn contest(
        &self,
        wanted: &tournament::Wanted<'_>,
    ) -> Result<(Box<dyn Contest>, Vec<MatchLimits>), Failure>;
    fn class_contest(&self, wanted: &class::Wanted<'_>) -> Result<(Box<dyn Contest>, MatchLimits), Failure>;
    /// Searches a few positions, for the fingerprint and the speed of a machine: with the bot of this spec, or with one of its own.
    fn bench(&self) -> fn(Option<&str>) -> Result<BenchLine, String>;
    /// Why a bot does not play the same game again, if it does not.
    fn unrepeatable(&self, spec: &str) -> Option<String>;
    /// The moves of a finished game with what the bots thought.
    fn moves_of(&self, game: &FinishedGame) -> Result<Vec<moves::Row>, Failure>;
    /// An event of a plan, without bots.
    fn unplayed_contest(&self, plan: &EventPlan, seed: u64) -> Result<Box<dyn Contest>, Failure>;
}

/// The game `G`.
pub(super) struct Of<G>(PhantomData<fn() -> G>);

impl<G> Of<G> {
    pub(super) fn new() -> Of<G> {
        Of(PhantomData)
    }
}

impl<G: Listed> Entry for Of<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn adapters(&self) -> &'static [Adapter] {
        G::ADAPTERS
    }

    fn bot_names(&self) -> Vec<&'static str> {
        G::catalogue().bots().iter().map(|bot| bot.name).collect()
    }

    fn play(&self, arguments: &play::Play) -> CommandResult {
        play::play::<G>(arguments)
    }

    fn offer(&self, games: Games) -> Games {
        games.with_bots::<G>(Arc::new(move |spec| build_patiently(&G::catalogue(), spec)))
    }

    fn analyse(&self, arguments: &analyse::Analyse) -> CommandResult {
        analyse::analyse::<G>(arguments)
    }

    fn list_bots(&self, options: bool) {
        bots::list::<G>(options);
    }

    fn bots_as_json(&self) -> serde_json::Value {
        bots::as_json::<G>()
    }

    fn show(&self, position: Option<&str>) -> Result<(), Failure> {
        show::draw::<G>(position)
    }

    fn replay(&self, saved: &SavedGame, ply: Option<usize>) -> Result<(), Failure> {
        replay::show::<G>(saved, ply)
    }

    fn serve(&self, arguments: &engine::EngineCommand) -> CommandResult {
        engine::serve::<G>(arguments)
    }

    fn perft(&self, arguments: &perft::Perft) -> Result<(), Failure> {
        perft::one::<G>(arguments)
    }

    fn make_openings(&self, app: &App, arguments: &openings::MakeOpenings) -> CommandResult {
        openings::make::<G>(app, arguments)
    }

    fn exploitability(&self, arguments: &exploitability::ExploitabilityCommand) -> CommandResult {
        exploitability::run::<G>(arguments)
    }

    fn exporter(&self, arguments: &export::Export) -> Result<Box<dyn export::Exporter + Send>, Failure> {
        export::exporter::<G>(arguments)
    }

    fn perft_suite(&self, suite: perft::Suite) -> Result<u64, Failure> {
        perft::table::<G>(suite)
    }

    #[cfg(feature = "laws")]
    fn laws(&self, arguments: &super::commands::laws::LawsCommand) -> CommandResult {
        super::commands::laws::run::<G>(arguments)
    }

    fn games_of(&self, bot: &Arc<OutsideBot>) -> Result<Vec<String>, Failure> {
        arena::ugi::games_of::<G>(bot).map_err(Failure::failed)
    }

    fn examine(
        &self,
        bot: &Arc<OutsideBot>,
        arguments: &compliance::Compliance,
    ) -> Result<Vec<Finding>, Failure> {
        compliance::examine_game::<G>(bot, arguments)
    }

    fn examine_quietly(&self, bot: &Arc<OutsideBot>, examination: Examination) -> Vec<Finding> {
        examine::<G>(bot, examination, &mut |_| {})
    }

    fn contest(
        &self,
        wanted: &tournament::Wanted<'_>,
    ) -> Result<(Box<dyn Contest>, Vec<MatchLimits>), Failure> {
        wanted.contest::<G>()
    }

    fn class_contest(&self, wanted: &class::Wanted<'_>) -> Result<(Box<dyn Contest>, MatchLimits), Failure> {
        wanted.contest::<G>()
    }

    fn bench(&self) -> fn(Option<&str>) -> Result<BenchLine, String> {
        pieces::bench::<G>
    }

    fn unrepeatable(&self, spec: &str) -> Option<String> {
        G::catalogue().unrepeatable(spec)
    }

    fn moves_of(&self, game: &FinishedGame) -> Result<Vec<moves::Row>, Failure> {
        moves::of::<G>(game)
    }

    fn unplayed_contest(&self, plan: &EventPlan, seed: u64) -> Result<Box<dyn Contest>, Failure> {
        report::unplayed_contest::<G>(plan, seed)
    }
}
