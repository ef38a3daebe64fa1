//! The bots of Hus: fidelity of the report's, and games of all of them against random.

use std::time::Duration;

use agents::hus::{Program, ReportBot, ReportSettings, WON, catalogue};
use hus::Position;
use search_core::{
    Bot, Clock, Game, Limits, Outcome, Player, Record, StopFlag, StopReason, SystemClock, Task, TurnBased,
    derive_seed,
};
use serde_json::Value;

#[test]
fn the_report_answers_as_the_authors_program() {
    let text = include_str!("../data/hus-fidelity.jsonl");
    let mut infinite = 0;
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        for field in agents::hus::fidelity(&line).expect("a line to compare") {
            assert!(
                field.agrees(),
                "{}: expected {}, found {}: {line}",
                field.name,
                field.expected,
                field.found
            );
        }
        infinite += usize::from(line["leaves_after_infinite"] != 0);
    }
    assert_eq!(text.lines().count(), SAMPLE);
    assert!(infinite > 10, "lines with infinite moves are among them");
}

const SAMPLE: usize = 107;

#[test]
fn lines_that_cannot_be_compared_say_why() {
    let fails = |line: Value| agents::hus::fidelity(&line).expect_err("no comparison").to_string();
    let start = Position::start().to_string();
    assert!(fails(serde_json::json!({})).contains("`position`"));
    assert!(fails(serde_json::json!({"position": "x"})).contains("cannot be read"));
    assert!(fails(serde_json::json!({"position": start, "bot": "other"})).contains("`bot`"));
    assert!(fails(serde_json::json!({"position": start, "bot": "report"})).contains("`settings`"));
    let settings = serde_json::json!({"depth": 3, "k": "x"});
    let line = serde_json::json!({"position": start, "bot": "report", "settings": settings});
    assert!(fails(line).contains("`k`"));
}

/// Full alpha-beta finds the same root move and value as shallow bounds wherever no infinite move is in the tree.
#[test]
fn the_text_cuts_more_and_plays_the_same() {
    let mut never = |_| false;
    let position = Position::start();
    for depth in 3..=6 {
        let mut program = Program::new(ReportSettings::PROGRAM, Player::One, &mut never);
        let (value, mv) = program.root(&position, depth).expect("not interrupted");
        let nodes = program.counts.nodes;
        let mut text = Program::new(ReportSettings::TEXT, Player::One, &mut never);
        let (text_value, text_mv) = text.root(&position, depth).expect("not interrupted");
        assert_eq!((value + 16, mv), (text_value, text_mv), "depth {depth}");
        assert!(text.counts.nodes <= nodes, "depth {depth}");
    }
}

/// Beyond the draw by the turn limit the program searches on, and nothing there is marked as won any more: with one ply
/// left, a win is seen only where the very next move leaves the other player without one.
#[test]
fn after_the_turn_limit_no_win_is_seen() {
    let (mut taken_back, mut kept) = (0, 0);
    for seed in 0..60 {
        let mut rng = search_core::SearchRng::new(seed, "near the end");
        let mut position = Position::start();
        let mut last = Vec::new();
        while position.end().is_none() {
            last.push(position);
            let Some(mv) = position.sample(position.to_move(), &mut rng) else { break };
            position.play_turn(mv);
        }
        for position in last.into_iter().rev().take(4) {
            let side = position.to_move();
            if side == Player::One {
                // The last ply is the second player's.
                continue;
            }
            let mut never = |_| false;
            let mut value = |position: &Position| {
                let mut program = Program::new(ReportSettings::PROGRAM, side, &mut never);
                program.root(position, 3).expect("not interrupted").0
            };
            if value(&position) != WON {
                continue;
            }
            // The same board with one ply left.
            let text = position.to_string();
            let (board, _) = text.rsplit_once(' ').expect("a position ends with its plies");
            let late: Position = format!("{board} {}", Position::TURN_LIMIT - 1).parse().expect("a position");
            let wins_at_once = late.move_list(side).iter().any(|&mv| {
                let mut next = late;
                !next.play_on(mv) && next.mobility(side.opponent()) == 0
            });
            assert_eq!(value(&late) == WON, wins_at_once, "{late}");
            if wins_at_once {
                kept += 1;
            } else {
                taken_back += 1;
            }
        }
    }
    assert!(taken_back > 0 && kept > 0, "{taken_back} wins are beyond the limit, {kept} before it");
}

/// Plays one game; panics on an illegal move or a failure.
fn play(bots: &mut [Box<dyn Bot<Position>>; 2], limits: Limits, seed: u64) -> Record<Position> {
    let mut record = Record::new(Position::start());
    let (stop, clock) = (StopFlag::new(), SystemClock::new());
    for player in Player::BOTH {
        bots[player.index()].new_game(player, derive_seed(seed, &player.to_string())).expect("started");
    }
    while record.end().is_none() {
        let player = Player::after(record.turns().len() as u32);
        let task = Task { record: &record, player, limits, stop: &stop, clock: &clock, watch: None };
        let answer = bots[player.index()].choose(&task).expect("an answer");
        record.play(answer.mv).expect("a legal move");
    }
    record
}

/// The share of wins of `spec` against random, each side once per pair.
fn wins_against_random(spec: &str, games: u64) -> u64 {
    let catalogue = catalogue();
    let build = |spec: &str| catalogue.build(spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
    let mut wins = 0;
    for game in 0..games {
        let side = Player::after(game as u32);
        let mut bots = [build("random"), build("random")];
        bots[side.index()] = build(spec);
        let record = play(&mut bots, Limits::default(), game);
        wins += u64::from(record.end().is_some_and(|end| end.outcome == Outcome::Win(side)));
    }
    wins
}

#[test]
fn every_bot_plays_a_hundred_games_against_random() {
    let specs = [
        ("greedy", 80),
        ("minimax:depth=2", 80),
        ("alphabeta:depth=3,hash=1", 95),
        ("mcts:playouts=30,memory=1", 60),
        ("report:depth=3", 95),
        ("report:as=text,depth=3", 95),
        ("champion:depth=3,hash=1", 95),
        ("random", 20),
    ];
    for (spec, least) in specs {
        let wins = wins_against_random(spec, 100);
        assert!(wins >= least, "{spec} won {wins} of 100");
    }
}

/// Position A of the perft table.
const OPENING: &str = "3,1,2,2,0,0,2,2,2,0,2,2,2,2,2,0,3,0,1,1,2,3,0,4,5,5,1,1,3,2,1,2/2,0,3,0,0,3,0,0,0,0,3,3,0,0,0,1,0,5,1,1,0,3,1,1,2,2,3,1,1,1,1,0 0 10";

#[test]
fn options_change_what_a_bot_does() {
    let catalogue = catalogue();
    let nodes = |spec: &str| {
        let mut bot = catalogue.build(spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
        let record = Record::new(OPENING.parse::<Position>().expect("a position"));
        let (stop, clock) = (StopFlag::new(), SystemClock::new());
        let limits = Limits::default();
        let task =
            Task { record: &record, player: Player::One, limits, stop: &stop, clock: &clock, watch: None };
        let answer = bot.choose(&task).expect("an answer");
        let analysis = answer.analysis.expect("an analysis");
        (analysis.stats.nodes, analysis.score)
    };
    assert!(nodes("alphabeta:depth=5").0 < nodes("minimax:depth=5").0);
    assert!(nodes("alphabeta:depth=5").0 < nodes("alphabeta:depth=5,order=none,table=off").0);
    assert_ne!(nodes("alphabeta:depth=4").1, nodes("alphabeta:depth=4,moves=5").1);
    assert_ne!(nodes("alphabeta:depth=4").1, nodes("alphabeta:depth=4,exposed=-4").1);
    let pits = (0..32).map(|pit| pit.to_string()).collect::<Vec<_>>().join("/");
    assert_ne!(nodes("alphabeta:depth=4").1, nodes(&format!("alphabeta:depth=4,pits={pits}")).1);
    assert_eq!(nodes("report:depth=4").1.value() + 16, nodes("report:depth=4,k=32").1.value());
    let error = catalogue.build("alphabeta:pits=1/2").map(drop).expect_err("two weights");
    assert!(error.to_string().contains("expected one weight, or 32"), "{error}");
}

/// A clock whose hands move by a millisecond whenever somebody looks.
#[derive(Debug, Default)]
struct Ticking(std::sync::atomic::AtomicU64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
    }
}

#[test]
fn the_report_keeps_its_budget_and_the_last_finished_depth() {
    let record = Record::new(Position::start());
    let (stop, clock) = (StopFlag::new(), Ticking::default());
    let limits = Limits::movetime(Duration::from_secs(1));
    let task = Task { record: &record, player: Player::One, limits, stop: &stop, clock: &clock, watch: None };
    let mut bot = ReportBot::new(ReportSettings::PROGRAM, Limits::default());
    let analysis = bot.choose(&task).expect("an answer").analysis.expect("an analysis");
    assert_eq!(analysis.stop, StopReason::Time);
    // 970 looks, one every 64 nodes: depth 5 ends after 622 + 5381 + 21999 nodes, depth 6 is cut off.
    assert_eq!(analysis.depth, 5);
    assert_eq!(analysis.best.map(|mv| mv.to_string()).as_deref(), Some("18"));
    let used = clock.now();
    assert!(used > Duration::from_millis(970) && used < Duration::from_secs(1), "{used:?}");

    // A limit that not even the first depth keeps: a legal move all the same, and it is counted.
    let task = Task { limits: Limits::nodes(10), ..task };
    let answer = bot.choose(&task).expect("an answer");
    assert!(record.position().is_legal(Player::One, answer.mv));
    assert_eq!((bot.unanswered(), answer.analysis.map(|analysis| analysis.depth)), (1, Some(0)));

    // Raised from outside.
    stop.stop();
    let task = Task { limits: Limits::depth(50), ..task };
    assert_eq!(bot.choose(&task).expect("an answer").analysis.map(|a| a.stop), Some(StopReason::Stopped));
}

/// The share of the proof search comes out of the move's nodes, and a proven win is said to be one and is won.
#[test]
fn proofs_stay_within_the_limit_and_win() {
    const NODES: u64 = 2000;
    let mut proofs = 0;
    for seed in 0..4 {
        let mut bot = catalogue().build("champion:hash=1,proof=0.5").expect("a bot");
        bot.new_game(Player::One, seed).expect("a new game");
        let mut rng = search_core::SearchRng::new(seed, "opponent");
        let mut record = Record::new(Position::start());
        let mut proven = false;
        while record.end().is_none() {
            let player = record.position().to_move();
            let mv = if player == Player::One {
                let (stop, clock) = (StopFlag::new(), SystemClock::new());
                let limits = Limits::nodes(NODES);
                let task = Task { record: &record, player, limits, stop: &stop, clock: &clock, watch: None };
                let answer = bot.choose(&task).expect("an answer");
                let analysis = answer.analysis.expect("an analysis");
                assert!(analysis.stats.nodes <= NODES, "{} nodes", analysis.stats.nodes);
                // What was proven before stays won, whatever the opponent answers.
                assert!(!proven || !analysis.score.is_loss());
                proven |= analysis.stop == StopReason::Proven && analysis.score.is_win();
                answer.mv
            } else {
                record.position().sample(player, &mut rng).expect("a move")
            };
            record.play(mv).expect("a legal move");
        }
        proofs += u32::from(proven);
        assert_eq!(record.end().map(|end| end.outcome), Some(Outcome::Win(Player::One)), "seed {seed}");
    }
    assert!(proofs > 0);
}
