//! The generic bots and the registry, tried on Hus.

use agents::{BotInfo, Catalogue, Greedy, Minimax, Random, generic};
use hus::Position;
use search_core::{
    AlphaBeta, AlphaBetaSettings, Bot, Game, Hooks, Limits, Player, Record, Score, Search, Standard,
    StopFlag, StopReason, SystemClock, Task, TurnBased,
};

/// Seeds ahead.
fn seeds(position: &Position, player: Player) -> Score {
    Score::new(position.seeds(player) as i32 - position.seeds(player.opponent()) as i32)
}

fn catalogue() -> Catalogue<Position> {
    let alphabeta = BotInfo::new("alphabeta", "for this test", |options| {
        generic::searching(AlphaBeta::new(Hooks::new(seeds), generic::alphabeta(options)), options)
    });
    Catalogue::new(vec![Random::info(), alphabeta.with(generic::ALPHABETA)])
}

/// Some positions a few random plies into the game.
fn records() -> impl Iterator<Item = Record<Position>> {
    (0..6).map(|seed| {
        let mut record = Record::new(Position::initial(&Standard, 0));
        let mut bot = Random::new();
        bot.new_game(Player::One, seed).unwrap();
        for _ in 0..seed * 3 {
            let mv = choose(&mut bot, &record, Limits::default());
            record.play(mv).unwrap();
        }
        record
    })
}

fn choose(bot: &mut dyn Bot<Position>, record: &Record<Position>, limits: Limits) -> hus::Pit {
    let player = record.position().to_move();
    let clock = SystemClock::new();
    let task = Task { record, player, limits, stop: &StopFlag::new(), clock: &clock, watch: None };
    bot.choose(&task).unwrap().mv
}

#[test]
fn minimax_agrees_with_plain_alpha_beta() {
    for record in records() {
        for depth in 1..=4 {
            let full = Minimax::new(seeds).analyse(&record, Limits::depth(depth));
            let plain = AlphaBeta::new(Hooks::new(seeds), AlphaBetaSettings::plain())
                .analyse(&record, Limits::depth(depth));
            assert_eq!(full.score, plain.score, "depth {depth} in {}", record.position());
            assert!(full.stats.nodes >= plain.stats.nodes);
            assert_eq!(full.depth, depth);
        }
    }
}

#[test]
fn minimax_keeps_its_node_limit_and_always_answers() {
    for record in records() {
        for nodes in [1, 2, 10, 1000] {
            let analysis = Minimax::new(seeds).analyse(&record, Limits::nodes(nodes));
            assert!(analysis.stats.nodes <= nodes + 1);
            assert_eq!(analysis.stop, StopReason::Nodes);
            assert!(record.position().is_legal(record.position().to_move(), analysis.best.unwrap()));
        }
    }
}

#[test]
fn greedy_plays_one_of_the_best_and_all_of_them() {
    let record = records().last().unwrap();
    let mover = record.position().to_move();
    let value = |mv| seeds(&record.position().after(mv), mover);
    let best = record.legal_moves(mover).into_iter().map(value).max().unwrap();
    for seed in 0..20 {
        let mut bot = Greedy::new(seeds);
        bot.new_game(mover, seed).unwrap();
        assert_eq!(value(choose(&mut bot, &record, Limits::default())), best);
    }
}

#[test]
fn a_catalogue_builds_and_explains() {
    let catalogue = catalogue();
    let mut bot = catalogue.build("alphabeta:depth=3,table=exact").unwrap();
    let record = records().last().unwrap();
    let mv = choose(&mut *bot, &record, Limits::default());
    assert!(record.position().is_legal(record.position().to_move(), mv));

    let error = |spec: &str| catalogue.build(spec).err().unwrap().to_string();
    assert_eq!(
        error("alfabeta"),
        "hus has no bot `alfabeta` (did you mean `alphabeta`?); its bots: random, alphabeta"
    );
    assert_eq!(error("random:c=1"), "random has no option `c`; its options: none");
    assert_eq!(
        error("alphabeta:dept=3"),
        "alphabeta has no option `dept` (did you mean `depth`?); its options: depth, nodes, movetime, table, hash, pvs, \
         aspiration, killers, history, counter, lmr, iterative, threads, lines"
    );
    assert_eq!(
        error("alphabeta:table=big"),
        "alphabeta: the option `table` takes off|moves|exact|on, found `big`"
    );
    assert_eq!(error("alphabeta:depth=0"), "alphabeta: the option `depth` takes 1..10000, found `0`");
}
