//! Files and texts of the workbench that people write or pass on.

use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use arena::simulation::MemoryDisk;
use arena::{ListedOpenings, MatchLimits, OpeningsChoice, Plan, read_first_line, read_journal};
use gamesearch::session::{Games, Playground};
use search_core::Game;

/// Any bytes as a journal: reading does not panic, each line is named once at most, and a second look finds the same.
pub fn raw_journal(bytes: &[u8]) {
    let disk = MemoryDisk::new();
    let path = disk.path("journal.jsonl");
    path.write_whole(bytes).expect("memory takes a file");
    let read = || {
        let mut games = Vec::new();
        let scan = read_journal(&path, None, |place, game| games.push((place, game)));
        scan.map(|scan| (scan.problems, scan.whole, scan.torn, games)).map_err(|error| error.to_string())
    };
    let first = read();
    assert_eq!(first, read());
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').count() as u64;
    if let Ok((problems, whole, torn, games)) = first {
        assert!(problems.is_sorted_by(|a, b| a.line < b.line), "{problems:?}");
        assert!(problems.len() as u64 + games.len() as u64 <= lines);
        assert!(problems.iter().all(|problem| (1..=lines).contains(&problem.line)), "{problems:?}");
        assert!(whole + u64::from(torn) <= bytes.len() as u64);
    }
    let _ = read_first_line(&path);
}

/// Any text as the set-up of a game, as a choice of openings and as a list of them.
pub fn setup_of<G: Game>(text: &str) {
    let (line, list) = text.split_once('\n').unwrap_or((text, ""));
    let _ = line.parse::<OpeningsChoice>();
    let Ok(setup) = G::Setup::from_str(line) else { return };
    assert_eq!(
        G::Setup::from_str(&setup.to_string()).ok().map(|again| again.to_string()),
        Some(setup.to_string())
    );
    if let Ok(openings) = ListedOpenings::<G>::read("list", &setup, list) {
        assert!(!openings.openings().is_empty());
    }
}

/// The same for all four games.
pub fn setup(text: &str) {
    setup_of::<colosseum::Position>(text);
    setup_of::<expendibots::Position>(text);
    setup_of::<hus::Position>(text);
    setup_of::<ropasci360::Position>(text);
}

/// Any text as a link to a game, and as a message to the engine of the playground: there is always an answer.
pub fn link(text: &str) {
    static GAMES: OnceLock<Arc<Games>> = OnceLock::new();
    let games = GAMES.get_or_init(|| {
        let four = Games::new()
            .with::<expendibots::Position>()
            .with::<ropasci360::Position>()
            .with::<hus::Position>()
            .with::<colosseum::Position>();
        Arc::new(four)
    });
    let mut playground = Playground::new(Arc::clone(games));
    let ask = serde_json::json!({ "id": 1, "do": "link", "text": text });
    let _ = playground.handle(&ask.to_string());
    let _ = playground.handle(text);
}

/// Any text as the settings of a class, those of a tournament, and a plan.
pub fn settings(text: &str) {
    thread_local! {
        static APP: gamesearch::App = gamesearch::contests::app();
    }
    APP.with(|app| {
        for file in ["class.toml", "tournament.toml"] {
            let _ = app.read_settings(file, text);
        }
    });
    if let Ok(plan) = serde_json::from_str::<Plan>(text) {
        let again = serde_json::to_string(&plan).expect("a plan is data");
        assert_eq!(serde_json::from_str::<Plan>(&again).ok(), Some(plan.clone()));
        let _ = plan.check();
    }
    let _ = text.parse::<MatchLimits>();
}
