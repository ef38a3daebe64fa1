//! A tournament of a game and bots of one's own: `cargo run -p arena --example own_game`.
//!
//! The game is in `crates/toys/src/pile.rs`; this file has two bots and the tournament.

use arena::{
    BotPlan, Contest, Control, Event, FORMAT_VERSION, Format, MatchLimits, Plan, RunOptions, Summary,
};
use search_core::{Answer, Bot, BotFailure, Game, Player, Task, stream};
use toys::pile::Pile;

/// Takes any number of stones.
struct Careless(u64);

impl Bot<Pile> for Careless {
    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        self.0 = seed;
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, Pile>) -> Result<Answer<u8>, BotFailure> {
        let mut rng = stream(self.0 + task.record.turns().len() as u64, "careless");
        Ok(Answer::plain(task.record.position().sample(task.player, &mut rng).unwrap_or(1)))
    }
}

/// Leaves a multiple of four whenever it can.
struct Expert;

impl Bot<Pile> for Expert {
    fn choose(&mut self, task: &Task<'_, Pile>) -> Result<Answer<u8>, BotFailure> {
        Ok(Answer::plain((task.record.position().left % 4).max(1)))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let event = Event::<Pile>::new(|spec| match spec {
        "careless" => Ok(Box::new(Careless(0))),
        "expert" => Ok(Box::new(Expert)),
        other => Err(format!("there is no bot `{other}`")),
    });
    let bot = |spec: &str| BotPlan {
        name: spec.into(),
        spec: spec.into(),
        fingerprint: "1".into(),
        start_only: false,
    };
    let contests: Vec<Box<dyn Contest>> = vec![Box::new(event)];
    let plan = Plan {
        version: FORMAT_VERSION,
        events: vec![contests[0].plan(&[MatchLimits::default(); 2])],
        bots: vec![bot("careless"), bot("expert")],
        format: Format::RoundRobin,
        rounds: 50,
        seed: 1,
        margin_micros: 0,
        at_once: false,
        clock: arena::ClockKind::Wall,
        replay: None,
        sprt: None,
    };
    let journal = std::env::temp_dir().join(format!("own-game-{}.jsonl", std::process::id()));
    let report =
        arena::run(&plan, &contests, &journal, &RunOptions::default(), &Control::default(), &mut |_| {})?;
    println!("{}", arena::event_text(&Summary::new(&plan, &report.results, None).events[0].standings));
    Ok(std::fs::remove_file(journal)?)
}
