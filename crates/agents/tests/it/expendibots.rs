//! The bots of Expendibots.

use agents::expendibots::{ThreatEvaluation, Threats, WEIGHTS, catalogue, fidelity};
use expendibots::Position;
use search_core::{
    Bot, End, Evaluate, Game, Limits, Linear, Outcome, Player, Record, StopFlag, SystemClock, Task,
    TurnBased, derive_seed,
};

/// What the authors' programs answered on a sample of positions: every field but one. The submitted bot's own move is compared only as
/// one of the best moves whose ordering keys differ by less than 1e-9: among these the last bit of its sums decides.
#[test]
fn the_report_bots_answer_as_the_authors_programs() {
    let mut lines = 0;
    for line in include_str!("../data/expendibots-fidelity.jsonl").lines() {
        let value = serde_json::from_str(line).expect(line);
        for field in fidelity(&value).expect(line) {
            assert!(field.agrees(), "{field:?} in {line}");
        }
        lines += 1;
    }
    assert_eq!(lines, 86);
}

#[test]
fn lines_that_cannot_be_compared_are_refused() {
    for (line, message) in [
        ("{}", "expected the field `position` to be a text, found nothing"),
        (
            r#"{"position":"8 w","bot":"greedy"}"#,
            "the position cannot be read: expected a position like `8/8/2a5/3A4/8/8/8/8 w 96` (board, side, plies), found `8 w`",
        ),
        (
            r#"{"position":"8/8/2a5/3A4/8/8/8/8 w 96","bot":"walk"}"#,
            "expected the field `bot` to be `submitted` or `greedy`, found \"walk\"",
        ),
    ] {
        let value = serde_json::from_str(line).expect(line);
        assert_eq!(fidelity(&value).expect_err(line).to_string(), message);
    }
}

/// Asks one bot for a move.
fn ask(bot: &mut dyn Bot<Position>, record: &Record<Position>, limits: Limits) -> expendibots::Move {
    let clock = SystemClock::new();
    let player = record.position().to_move();
    let task = Task { record, player, limits, stop: &StopFlag::new(), clock: &clock, watch: None };
    bot.choose(&task).expect("a bot that is asked in an unfinished game answers").mv
}

/// A whole game; a move that is not legal panics.
fn play(specs: [&str; 2], seed: u64, limits: Limits) -> End {
    let mut bots = specs.map(|spec| catalogue().build(spec).expect(spec));
    for player in Player::BOTH {
        let seed = derive_seed(seed, &player.to_string());
        bots[player.index()].new_game(player, seed).expect("an own bot starts");
    }
    let mut record = Record::new(Position::start());
    loop {
        let mover = record.position().to_move();
        let mv = ask(&mut *bots[mover.index()], &record, limits);
        if let Some(end) = record.play(mv).unwrap_or_else(|error| panic!("{}: {error}", specs[mover.index()]))
        {
            return end;
        }
    }
}

#[test]
fn every_bot_plays_legal_games_against_random() {
    for (spec, limits) in [
        ("random", Limits::default()),
        ("greedy", Limits::default()),
        ("greedy:save=most,components=pure", Limits::default()),
        ("greedy:classes=1", Limits::default()),
        ("greedy:classes=3,trades=unless-behind,until=plies,depth=2,parts=3", Limits::default()),
        ("greedy:until=squares,depth=2", Limits::default()),
        ("greedy:until=tokens,depth=3", Limits::default()),
        ("minimax:quiesce=mixed", Limits::depth(2)),
        ("minimax:eval=keys", Limits::depth(1)),
        ("alphabeta:eval=parts,quiesce=booms+stacks,k=1", Limits::depth(2)),
        ("alphabeta:eval=ratio+tokens,quiesce=mixed", Limits::depth(2)),
        ("alphabeta", Limits::depth(3)),
        ("alphabeta:order=booms,quiesce=booms+stacks,k=3,eval=ratio+components", Limits::depth(2)),
        ("alphabeta:order=none,quiesce=mixed,eval=ratio+mobility,suicides=searched", Limits::depth(2)),
        ("champion", Limits::depth(2)),
        ("mcts:iterations=20", Limits::default()),
        ("mcts:iterations=20,faithful=true", Limits::default()),
        ("mcts:flat=3", Limits::default()),
        ("mcts:iterations=4,rollout=nosuicide,expand=0", Limits::default()),
        ("mcts:iterations=4,rollout=decisive", Limits::default()),
    ] {
        for seed in 0..2 {
            play([spec, "random"], seed, limits);
            play(["random", spec], seed, limits);
        }
    }
}

#[test]
fn the_report_beats_random() {
    for spec in ["report", "report:as=text", "report:sound=true"] {
        for seed in 0..3 {
            for player in Player::BOTH {
                let mut specs = ["random"; 2];
                specs[player.index()] = spec;
                let end = play(specs, seed, Limits::default());
                assert_eq!(end.outcome, Outcome::Win(player), "{spec} as {player}, seed {seed}: {end}");
            }
        }
    }
}

/// How strong the champion is against the report's bot is measured in matches, not here: single games turn with every
/// change of the search.
#[test]
fn the_champion_beats_random() {
    for player in Player::BOTH {
        let mut specs = ["random"; 2];
        specs[player.index()] = "champion";
        let end = play(specs, 7, Limits::depth(3));
        assert_eq!(end.outcome, Outcome::Win(player), "{end}");
    }
}

#[test]
fn the_evaluation_of_the_champion_is_zero_sum() {
    let evaluation = ThreatEvaluation(Linear::from_text(Threats, WEIGHTS).expect("weights of every feature"));
    let mut rng = search_core::stream(1, "walks");
    for _ in 0..30 {
        let mut position = Position::start();
        while position.end().is_none() {
            let [one, two] = Player::BOTH.map(|player| evaluation.evaluate(&position, player));
            assert_eq!(one, -two, "{position}");
            assert!(!one.is_decided(), "{position}");
            let mv = position.sample(position.to_move(), &mut rng).expect("an unfinished game has a move");
            position.play(mv);
        }
    }
}

/// The report's bot plays entry 2 of its list when a board comes again.
#[test]
fn a_board_seen_before_gets_the_second_move() {
    let mut bot = catalogue().build("report").expect("a bot of the catalogue");
    bot.new_game(Player::One, 1).expect("an own bot starts");
    let record = Record::new(Position::start());
    let first = ask(&mut *bot, &record, Limits::default());
    let second = ask(&mut *bot, &record, Limits::default());
    assert_ne!(first, second);
    assert_eq!(ask(&mut *bot, &record, Limits::default()), second);
    bot.new_game(Player::One, 1).expect("an own bot starts");
    assert_eq!(ask(&mut *bot, &record, Limits::default()), first);
}

/// Node counts of the sound searches in the rules text, by the generic search with the report's hooks.
#[test]
fn the_generic_search_visits_the_known_number_of_nodes() {
    const TABLE1: &str = "aa1aa1aa/aa1aa1aa/8/8/4B3/8/AA1A2AA/AA1A2AA w 4";
    let record = Record::new(TABLE1.parse::<Position>().expect("a position"));
    for (spec, depth, nodes) in [
        ("minimax:quiesce=mixed", 3, None),
        ("alphabeta:order=booms", 3, Some(16718)),
        ("alphabeta:order=booms", 4, Some(40987)),
        ("alphabeta:order=booms+map", 3, Some(2749)),
        ("alphabeta:order=booms+map", 4, Some(8955)),
    ] {
        let plain =
            ",quiesce=mixed,iterative=false,table=off,pvs=false,killers=false,history=false,counter=false";
        let spec = if spec.starts_with("alphabeta") { format!("{spec}{plain}") } else { spec.to_owned() };
        let mut bot = catalogue().build(&spec).expect(&spec);
        let clock = SystemClock::new();
        let task = Task {
            record: &record,
            player: Player::One,
            limits: Limits::depth(depth),
            stop: &StopFlag::new(),
            clock: &clock,
            watch: None,
        };
        let answer = bot.choose(&task).expect("an answer");
        let analysis = answer.analysis.expect("a search reports");
        // 13 white tokens and 9 black ones, each with one more: 12/9 seen from White.
        assert_eq!(analysis.score.value(), 360_360 * 12 / 9 - 360_360 * 9 / 12, "{spec}");
        if let Some(nodes) = nodes {
            assert_eq!(analysis.stats.nodes, nodes, "{spec} to depth {depth}");
        }
    }
}
