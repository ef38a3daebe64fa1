//! The bots of Colosseum Survival!.

use std::time::Duration;

use agents::colosseum::{ReportBot, ReportSettings, catalogue, fidelity};
use colosseum::{Edition, Position, Setup};
use search_core::{
    Bot, Game, Limits, Outcome, Player, Record, Score, StopFlag, SystemClock, Task, TurnBased,
};

/// Every field of a sample of what the authors' program answered.
#[test]
fn the_report_bot_answers_as_the_authors_program() {
    let mut lines = 0;
    for line in include_str!("../data/colosseum-fidelity.jsonl").lines() {
        let value = serde_json::from_str(line).expect(line);
        for field in fidelity(&value).expect(line) {
            assert!(field.agrees(), "{field:?} in {line}");
        }
        lines += 1;
    }
    assert_eq!(lines, 84);
}

#[test]
fn lines_that_cannot_be_compared_are_refused() {
    for (line, message) in [
        ("{}", "expected the field `position` to be a text, found nothing"),
        (
            r#"{"position":"6 x","bot":"report"}"#,
            "the position cannot be read: expected six fields `M rows cellA cellB side plies` between single spaces, found 2",
        ),
        (
            r#"{"position":"3 913/802/c46 a1 c3 a 0","bot":"greedy"}"#,
            "expected the field `bot` to be `report`, found \"greedy\"",
        ),
        (
            r#"{"position":"3 913/802/c46 a1 c3 a 0","bot":"report","settings":{}}"#,
            "expected the field `settings` to be an object with a number `depth`, found {}",
        ),
    ] {
        let value = serde_json::from_str(line).expect(line);
        assert_eq!(fidelity(&value).expect_err(line).to_string(), message);
    }
}

#[test]
fn every_bot_is_built_and_unknown_options_are_refused() {
    for info in catalogue().bots() {
        catalogue().build(info.name).expect(info.name);
    }
    for spec in [
        "report:as=text,depth=3,table=true,window=20",
        "report:moves=all,cells=reachable",
        "greedy:moves=tree",
    ] {
        catalogue().build(spec).expect(spec);
    }
    for spec in ["report:as=both", "report:depth=0", "greedy:order=x", "rapport"] {
        catalogue().build(spec).map(|_| ()).expect_err(spec);
    }
}

/// Plays one game.
fn play(bots: &mut [Box<dyn Bot<Position>>; 2], start: Position, limits: [Limits; 2], seed: u64) -> Outcome {
    let clock = SystemClock::new();
    let stop = StopFlag::new();
    let mut record = Record::new(start);
    for (bot, player) in bots.iter_mut().zip(Player::BOTH) {
        bot.new_game(player, seed).expect("ready");
    }
    loop {
        let player = record.position().to_move();
        let limits = limits[player.index()];
        let task = Task { record: &record, player, limits, stop: &stop, clock: &clock, watch: None };
        let answer = bots[player.index()].choose(&task).expect("an answer");
        if let Some(end) = record.play(answer.mv).expect("a legal move") {
            return end.outcome;
        }
    }
}

/// The score of `spec` against another bot: both seats of every start, sizes in turn.
fn score(spec: &str, limits: Limits, against: &str, sizes: &[u8], pairs: u64) -> f64 {
    let mut points = 0.0;
    for (pair, &size) in (0..pairs).zip(sizes.iter().cycle()) {
        let setup = Setup::new(size, Edition::default()).expect("a size in range");
        let start = Position::initial(&setup, pair);
        for seat in Player::BOTH {
            let build = |spec: &str| catalogue().build(spec).expect("a bot");
            let (mut bots, mut both) = ([build(spec), build(against)], [limits, Limits::depth(1)]);
            if seat == Player::Two {
                bots.reverse();
                both.reverse();
            }
            let outcome = play(&mut bots, start, both, pair);
            points += f64::from(outcome.sign(seat) + 1) / 2.0;
        }
    }
    points / (2.0 * pairs as f64)
}

#[test]
fn every_bot_plays_legal_games_on_every_size() {
    for info in catalogue().bots() {
        let limits = Limits { depth: Some(2), nodes: Some(400), playouts: Some(60), time: None };
        score(info.name, limits, "random", &[3, 6, 7, 8, 9, 10, 11, 12], 8);
    }
    for spec in [
        "report:as=text",
        "report:table=true,window=20",
        "greedy:moves=tree",
        "mcts:rollout=walk,moves=tree",
        "alphabeta:moves=tree,order=none",
    ] {
        let limits = Limits { depth: Some(2), nodes: Some(400), playouts: Some(40), time: None };
        score(spec, limits, "walk", &[4, 6, 8, 12], 4);
    }
}

#[test]
fn the_report_and_the_champion_beat_random() {
    assert!(score("report", Limits::depth(2), "random", &[6, 8, 10], 12) >= 0.95);
    assert!(score("champion", Limits::depth(2), "random", &[6, 8, 10], 12) >= 0.99);
}

#[test]
fn a_seed_and_a_node_limit_decide_every_move() {
    for spec in ["champion", "alphabeta", "report", "mcts", "greedy", "walk"] {
        let game = || {
            let mut bots = [spec, "walk"].map(|spec| catalogue().build(spec).expect("a bot"));
            let limits = Limits { nodes: Some(300), playouts: Some(50), ..Limits::default() };
            play(&mut bots, Position::initial(&Setup::default(), 4), [limits; 2], 9)
        };
        assert_eq!(game(), game(), "{spec}");
    }
}

#[test]
fn the_champion_closes_the_pocket() {
    // B stands in the pocket a1 whose only way out is a2: A goes there and closes it.
    let position: Position = "4 b913/8002/8002/c446 b2 a1 a 4".parse().expect("a position");
    let mut bot = catalogue().build("champion").expect("a bot");
    let record = Record::new(position);
    let (clock, stop) = (SystemClock::new(), StopFlag::new());
    let task = Task {
        record: &record,
        player: Player::One,
        limits: Limits::depth(4),
        stop: &stop,
        clock: &clock,
        watch: None,
    };
    let answer = bot.choose(&task).expect("an answer");
    assert_eq!(answer.mv.to_string(), "a2u");
    assert_eq!(position.after(answer.mv).scores(), Some([15, 1]));
    assert_eq!(answer.analysis.expect("an analysis").score, Score::win_in(1));
}

/// What is not set follows `as`: the program stops at depth 9, the text goes on.
#[test]
fn the_last_depth_of_the_report_follows_the_version() {
    // A late position: the text's search sees the end of the game well before the limit of nodes.
    let position: Position =
        "7 bbd517b/eabfaba/beabeaa/c3eebaa/b83beaa/ea847ea/feed57e b6 e6 a 40".parse().expect("a position");
    let depth = |spec: &str| {
        let mut bot = catalogue().build(spec).expect("a bot of the catalogue");
        bot.new_game(Player::One, 1).expect("an own bot starts");
        let record = Record::new(position);
        let (clock, stop) = (SystemClock::new(), StopFlag::new());
        let limits = Limits::nodes(200_000);
        let task =
            Task { record: &record, player: Player::One, limits, stop: &stop, clock: &clock, watch: None };
        bot.choose(&task).expect("an answer").analysis.expect("a search reports").depth
    };
    assert_eq!(depth("report"), 9);
    assert_eq!(depth("report:depth=2"), 2);
    assert!(depth("report:as=text") > 9);
    assert_eq!(depth("report:as=text,depth=3"), 3);
}

/// The improvements that the report proposes save nodes and leave the value of a depth as it is.
#[test]
fn the_table_and_the_window_of_the_report_save_nodes() {
    let start = Position::initial(&Setup::new(6, Edition::default()).expect("a size in range"), 3);
    let ask = |spec: &str| {
        let mut bot = catalogue().build(spec).expect("a bot of the catalogue");
        bot.new_game(Player::One, 1).expect("an own bot starts");
        let record = Record::new(start);
        let (clock, stop) = (SystemClock::new(), StopFlag::new());
        let limits = Limits::depth(5);
        let task =
            Task { record: &record, player: Player::One, limits, stop: &stop, clock: &clock, watch: None };
        let analysis = bot.choose(&task).expect("an answer").analysis.expect("a search reports");
        (analysis.score, analysis.stats.nodes)
    };
    let (score, nodes) = ask("report");
    for spec in ["report:table=true", "report:window=2", "report:table=true,window=2"] {
        let (again, fewer) = ask(spec);
        assert_eq!(again, score, "{spec}");
        assert!(fewer < nodes, "{spec}: {fewer} and {nodes}");
    }
}

#[test]
fn the_budgets_of_the_report_are_scaled() {
    let ms = Duration::from_millis;
    assert_eq!(agents::colosseum::budget(ms(30_000), true), ms(25_000));
    assert_eq!(agents::colosseum::budget(ms(2000), false), ms(1500));
    assert_eq!(agents::colosseum::budget(ms(100), false), ms(75));
}

/// Where the program has no answer the walk is played, and counted.
#[test]
fn a_missing_answer_is_a_walk() {
    let position: Position =
        "6 d3d557/d2ffd7/babfff/eae913/94102e/c546c7 e2 f2 b 25".parse().expect("a position");
    let record = Record::new(position);
    let mut bot = ReportBot::new(ReportSettings::program());
    bot.new_game(Player::Two, 1).expect("ready");
    let (clock, stop) = (SystemClock::new(), StopFlag::new());
    let task = Task {
        record: &record,
        player: Player::Two,
        limits: Limits::depth(3),
        stop: &stop,
        clock: &clock,
        watch: None,
    };
    let answer = bot.choose(&task).expect("an answer");
    assert_eq!((answer.mv.to_string().as_str(), bot.walks()), ("f2l", 1));
    assert!(answer.analysis.expect("an analysis").pv.is_empty());
}
