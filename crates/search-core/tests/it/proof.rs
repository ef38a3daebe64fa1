//! The proof search against brute force: the same result where it gives one, within its memory and its limits.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use search_core::{
    Active, AlphaBeta, AlphaBetaSettings, Clock, End, Ends, Game, Hooks, Limits, MoveSink, Outcome, Player,
    ProofResult, ProofSearch, ProofSettings, Record, Score, Search, SearchRng, Standard, StopFlag,
    StopReason, Task, TurnBased, Zero, reference, split_mix,
};
use toys::connect_four::ConnectFour;
use toys::random::{Choice, Corridor, Cyclic, Random, Tree, Unreadable};
use toys::tic_tac_toe::TicTacToe;

/// The settings with a small table, one that holds next to nothing, and without what is optional.
fn settings() -> [ProofSettings; 3] {
    let small = ProofSettings { table_bytes: 1 << 16, ..ProofSettings::default() };
    [
        small.clone(),
        ProofSettings { table_bytes: 0, ..small.clone() },
        ProofSettings { mobility: false, patience: 0.0, ..small },
    ]
}

fn result(won: bool) -> ProofResult {
    if won { ProofResult::Proven } else { ProofResult::Disproven }
}

/// The value of every position of tic-tac-toe that play can reach, for the player to move.
fn solve(position: TicTacToe, values: &mut HashMap<String, (TicTacToe, i32)>) -> i32 {
    if let Some(&(_, value)) = values.get(&position.to_string()) {
        return value;
    }
    let mover = position.to_move();
    let value = if position.end().is_some() {
        position.utility(mover)
    } else {
        let moves = position.move_list(mover);
        moves
            .iter()
            .map(|&mv| -solve(position.after(mv), values))
            .max()
            .expect("an unfinished game has moves")
    };
    values.insert(position.to_string(), (position, value));
    value
}

#[test]
fn every_position_of_tic_tac_toe_is_decided() {
    let mut values = HashMap::new();
    assert_eq!(solve(TicTacToe::initial(&Standard, 0), &mut values), 0);
    assert_eq!(values.len(), 5478);
    for settings in settings() {
        let mut search = ProofSearch::new(settings);
        for (position, value) in values.values() {
            let record = Record::new(*position);
            let mover = position.to_move();
            for (player, value) in [(mover, *value), (mover.opponent(), -value)] {
                let analysis = search.prove(&record, player, Limits::default());
                assert_eq!(analysis.result, result(value > 0), "{player} in {position}");
                if let Some(mv) = analysis.best {
                    assert_eq!(values[&position.after(mv).to_string()].1, -1, "{mv} in {position}");
                }
            }
        }
    }
}

/// A record of Connect Four after some random stones.
fn late(stones: u32, seed: u64) -> Option<Record<ConnectFour>> {
    let mut rng = SearchRng::new(seed, "late");
    let mut record = Record::new(ConnectFour::EMPTY);
    for _ in 0..stones {
        let mv = record.position().sample(record.position().to_move(), &mut rng)?;
        record.play(mv).ok()?;
    }
    record.end().is_none().then_some(record)
}

#[test]
fn late_positions_of_connect_four_are_decided() {
    let (mut proven, mut disproven) = (0, 0);
    for record in (0..120).filter_map(|seed| late(24, seed)) {
        let mut exact = AlphaBeta::new(Hooks::new(Zero), AlphaBetaSettings::default());
        let score = exact.analyse(&record, Limits::depth(42)).score;
        let mover = record.position().to_move();
        for (player, won) in [(mover, score.is_win()), (mover.opponent(), score.is_loss())] {
            let mut search = ProofSearch::new(ProofSettings::default());
            let analysis = search.prove(&record, player, Limits::default());
            assert_eq!(analysis.result, result(won), "{player} in {}", record.position());
            assert_eq!(analysis.stop, StopReason::Proven);
            *(if won { &mut proven } else { &mut disproven }) += 1;
            if won {
                let mut played = record.clone();
                for &mv in &analysis.line {
                    played.play(mv).expect("a legal line");
                }
                // Nothing had to give way, so the line is whole.
                assert_eq!(analysis.stats.replaced, 0);
                assert_eq!(played.end().map(|end| end.outcome), Some(Outcome::Win(player)));
                assert!(analysis.line.len() as u32 <= analysis.plies.expect("a proof"));
                assert_eq!(analysis.best, analysis.line.first().copied().filter(|_| player == mover));
            }
        }
    }
    assert!(proven > 20 && disproven > 20, "{proven} and {disproven}");
}

#[test]
fn node_counts_are_pinned() {
    // Whoever changes the order of the search changes these numbers, and says so.
    let record = late(12, 38).expect("a game that goes on");
    let counts = settings().map(|settings| {
        let settings = ProofSettings { table_bytes: settings.table_bytes.max(1 << 12), ..settings };
        let mut search = ProofSearch::new(settings);
        let analysis = search.prove(&record, record.position().to_move(), Limits::nodes(200_000));
        (analysis.result, analysis.stats.nodes, analysis.stats.replaced)
    });
    assert_eq!(counts, PINNED);
}

const PINNED: [(ProofResult, u64, u64); 3] = [
    (ProofResult::Proven, 37_382, 1749),
    (ProofResult::Proven, 84_855, 13_445),
    (ProofResult::Proven, 46_810, 3669),
];

#[test]
fn the_table_is_never_larger_than_asked_for() {
    let record = late(12, 8).expect("a game that goes on");
    for bytes in [96, 97, 1000, 1 << 14] {
        let settings = ProofSettings { table_bytes: bytes, ..ProofSettings::default() };
        let mut search = ProofSearch::new(settings);
        assert_eq!(search.table_bytes(), 0);
        let analysis = search.prove(&record, Player::One, Limits::nodes(50_000));
        assert!(analysis.stats.replaced > 0, "{bytes} bytes were enough");
        assert!(search.table_bytes() <= bytes && search.table_bytes() > bytes / 2, "{bytes}");
    }
}

/// A clock that moves on whenever somebody looks at it.
#[derive(Debug, Default)]
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_micros(100 * self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn limits_end_it_and_say_so() {
    let record = Record::new(ConnectFour::EMPTY);
    let ask = |limits, stop: &StopFlag| {
        let mut search = ProofSearch::new(ProofSettings { table_bytes: 1 << 16, ..ProofSettings::default() });
        let clock = Ticking::default();
        let player = Player::One;
        search.prove_task(&Task { record: &record, player, limits, stop, clock: &clock, watch: None })
    };
    let stop = StopFlag::new();
    for nodes in [1, 2, 5000] {
        let analysis = ask(Limits::nodes(nodes), &stop);
        assert_eq!((analysis.result, analysis.stop), (ProofResult::Unknown, StopReason::Nodes));
        assert_eq!(analysis.stats.nodes, nodes);
        assert_eq!(analysis, ask(Limits::nodes(nodes), &stop));
        assert!(analysis.proof > 0 && analysis.disproof > 0 && analysis.line.is_empty());
    }
    let analysis = ask(Limits::movetime(Duration::from_millis(20)), &stop);
    assert_eq!((analysis.result, analysis.stop), (ProofResult::Unknown, StopReason::Time));
    // Nothing can be won in six plies, but that is not all there is.
    let analysis = ask(Limits::depth(6), &stop);
    assert_eq!((analysis.result, analysis.stop), (ProofResult::Unknown, StopReason::Depth));
    stop.stop();
    assert_eq!(ask(Limits::default(), &stop).stop, StopReason::Stopped);
}

#[test]
fn a_finished_game_is_decided() {
    let mut record = Record::new(ConnectFour::EMPTY);
    for mv in "a b a b a b a".split(' ') {
        record.play(mv.parse().expect("a column")).expect("a legal move");
    }
    let mut search = ProofSearch::new(ProofSettings::default());
    let won = search.prove(&record, Player::One, Limits::default());
    assert_eq!((won.result, won.best, won.plies), (ProofResult::Proven, None, Some(0)));
    assert_eq!(won.stop, StopReason::GameOver);
    assert_eq!(search.prove(&record, Player::Two, Limits::default()).result, ProofResult::Disproven);
}

#[test]
fn as_a_search_it_answers_like_the_others() {
    let mut search = ProofSearch::new(ProofSettings::default());
    search.new_game(1);
    let won = Record::new(Corridor::new(3, 5));
    let analysis = search.analyse(&won, Limits::default());
    assert_eq!(analysis.score, Score::win_in(5));
    assert_eq!(analysis.best, analysis.pv.first().copied());
    assert!(analysis.stats.nodes > 0);
    // No win: a legal move all the same, and no claim.
    let too_far = Record::new(Corridor::new(6, 10));
    let analysis = search.analyse(&too_far, Limits::default());
    assert_eq!(analysis.score, Score::DRAW);
    assert!(too_far.legal_moves(Player::One).contains(&analysis.best.unwrap()));
}

#[test]
fn a_proof_kept_from_an_earlier_question_takes_no_more_turns_than_are_left() {
    let [mut search, mut waiting] = [(); 2].map(|()| ProofSearch::new(ProofSettings::default()));
    for (steps, turns) in
        [(5, 20), (5, 9), (5, 8), (4, 8), (5, 10), (3, 5), (3, 4), (6, 40), (6, 10), (6, 11)]
    {
        let analysis =
            search.prove(&Record::new(Corridor::new(steps, turns)), Player::One, Limits::default());
        // The first player moves every other turn, and is there with the last of his moves.
        let needed = 2 * u32::from(steps) - 1;
        assert_eq!(analysis.result, result(needed <= turns), "{steps} steps, {turns} turns");
        let other = waiting.prove(&Record::new(Corridor::new(steps, turns)), Player::Two, Limits::default());
        assert_eq!(other.result, ProofResult::Disproven);
    }
}

/// A walk on a graph drawn from a seed, without a rule of repetition and without a cap: it may go on for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Walk {
    seed: u64,
    places: u64,
    width: u64,
    ends: u64,
    place: u64,
}

impl Walk {
    fn hash(&self, salt: u64) -> u64 {
        split_mix(split_mix(self.seed ^ self.place.wrapping_mul(0x1234_5678_9abc_def1)) ^ salt)
    }

    /// The places from which `player` forces a win, by going backwards from the ends until nothing is added.
    fn won(self, player: Player) -> Vec<bool> {
        let mut won = vec![false; self.places as usize];
        loop {
            let before = won.clone();
            for place in 0..self.places {
                let here = Walk { place, ..self };
                let moves = here.move_list(here.to_move());
                let next = |&mv: &Choice| before[here.after(mv).place as usize];
                won[place as usize] = match here.end() {
                    Some(end) => end.outcome == Outcome::Win(player),
                    None if here.to_move() == player => moves.iter().any(next),
                    None => moves.iter().all(next),
                };
            }
            if won == before {
                return won;
            }
        }
    }
}

impl fmt::Display for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.fmt(f)
    }
}

impl FromStr for Walk {
    type Err = Unreadable;

    fn from_str(_: &str) -> Result<Self, Self::Err> {
        Err(Unreadable)
    }
}

impl Game for Walk {
    const NAME: &'static str = "walk";

    type Move = Choice;
    type Turn = Choice;
    type Moves = Vec<Choice>;
    type Setup = Standard;

    fn initial(_: &Standard, seed: u64) -> Self {
        Walk { seed, places: 20, width: 3, ends: 6, place: 0 }
    }

    fn active(&self) -> Active {
        Active::One(self.to_move())
    }

    fn moves_of<S: MoveSink<Choice>>(&self, player: Player, sink: &mut S) {
        if player == self.to_move() && self.end().is_none() {
            (0..=(self.hash(2) % self.width) as u8).for_each(|number| sink.push(Choice(number)));
        }
    }

    fn play_turn(&mut self, Choice(number): Choice) {
        self.place = self.hash(100 + u64::from(number)) % self.places;
    }

    fn end(&self) -> Option<End> {
        let outcome = match self.hash(4) % 5 {
            0 => Outcome::Draw,
            1 | 2 => Outcome::Win(Player::One),
            _ => Outcome::Win(Player::Two),
        };
        self.hash(3).is_multiple_of(self.ends).then(|| End::by_rule(outcome, "drawn-from-the-seed"))
    }

    fn key(&self) -> u64 {
        self.hash(5)
    }
}

impl TurnBased for Walk {
    fn to_move(&self) -> Player {
        if self.hash(1).is_multiple_of(2) { Player::One } else { Player::Two }
    }
}

/// Whether each player wins by plain minimax to the end; repetitions count as draws.
fn minimax<const CYCLIC: bool>(record: &Record<Random<CYCLIC>>) -> [bool; 2] {
    let depth = record.position().turns_left().expect("a cap");
    let score = reference::minimax(record, depth, &Zero, Ends::Outcome).score;
    let won = [score.is_win(), score.is_loss()];
    if record.position().to_move() == Player::One { won } else { [won[1], won[0]] }
}

/// A record of up to `plies` moves drawn from the seed, not over.
fn record_after<const CYCLIC: bool>(start: Random<CYCLIC>, plies: u32) -> Record<Random<CYCLIC>> {
    let mut record = Record::new(start);
    for ply in 0..plies {
        let moves = record.legal_moves(record.position().to_move());
        record.play(moves[(start.seed >> ply) as usize % moves.len()]).expect("a listed move is legal");
        if record.end().is_some() {
            return record.without_last(1);
        }
    }
    record
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn trees_are_decided_as_by_minimax(
        seed: u64, states in 0..30_u64, width in 1..5_u8, ends in 0..12_u64, irregular: bool, cap in 3..9_u32,
        played in 0..3_u32, choice in 0..3_usize,
    ) {
        let record = record_after(Tree::new(seed, states, width, ends, irregular, cap), played);
        let won = minimax(&record);
        let mut search = ProofSearch::new(settings()[choice].clone());
        for player in Player::BOTH {
            let analysis = search.prove(&record, player, Limits::default());
            prop_assert_eq!(analysis.result, result(won[player.index()]));
        }
    }

    /// With a rule of repetition and a cap: what is claimed is true, and nearly everything is decided.
    #[test]
    fn repetition_makes_no_false_win(
        seed: u64, states in 2..16_u64, width in 1..4_u8, ends in 2..20_u64, irregular: bool, cap in 4..11_u32,
        played in 0..8_u32, choice in 0..3_usize,
    ) {
        let record = record_after(Cyclic::new(seed, states, width, ends, irregular, cap), played);
        let won = minimax(&record);
        let mut search = ProofSearch::new(settings()[choice].clone());
        for player in Player::BOTH {
            let analysis = search.prove(&record, player, Limits::nodes(200_000));
            if analysis.result != ProofResult::Unknown {
                prop_assert_eq!(analysis.result, result(won[player.index()]));
            }
        }
    }

    /// Without a rule and without a cap, every place of a graph with the same table: nothing that one line taught misleads
    /// another.
    #[test]
    fn lines_that_may_go_on_for_ever_are_decided(
        seed: u64, places in 2..40_u64, width in 1..5_u64, ends in 2..12_u64, choice in 0..3_usize,
    ) {
        let walk = Walk { seed, places, width, ends, place: 0 };
        let mut search = ProofSearch::new(settings()[choice].clone());
        for player in Player::BOTH {
            let won = walk.won(player);
            for place in 0..places {
                let record = Record::new(Walk { place, ..walk });
                let analysis = search.prove(&record, player, Limits::nodes(100_000));
                if analysis.result != ProofResult::Unknown {
                    prop_assert_eq!(analysis.result, result(won[place as usize]), "place {}", place);
                }
            }
        }
    }
}

/// How often the limits come first on such graphs: with a table, never here.
#[test]
fn graphs_with_many_ways_round_are_decided_too() {
    let mut unknown = 0;
    for seed in 0..400 {
        let walk = Walk { seed, places: 30, width: 4, ends: 8, place: 0 };
        for player in Player::BOTH {
            let mut search =
                ProofSearch::new(ProofSettings { table_bytes: 1 << 16, ..ProofSettings::default() });
            let analysis = search.prove(&Record::new(walk), player, Limits::nodes(100_000));
            unknown += u32::from(analysis.result == ProofResult::Unknown);
        }
    }
    assert_eq!(unknown, 0);
}
