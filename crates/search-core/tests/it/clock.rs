//! Searches and the clock: all they do counts, and they look often enough.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use search_core::{
    AlphaBeta, AlphaBetaSettings, Clock, Evaluate, Game, HookSet, Hooks, Limits, Order, Player, Quiesce,
    Record, Score, Search, StopFlag, StopReason, TableUse, Task, Zero,
};
use toys::connect_four::{Column, ConnectFour};

/// A clock whose hands others turn.
#[derive(Debug, Default)]
struct Hands {
    micros: AtomicU64,
    looks: AtomicU64,
}

impl Hands {
    fn turn(&self, micros: u64) {
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }
}

impl Clock for Hands {
    fn now(&self) -> Duration {
        self.looks.fetch_add(1, Ordering::Relaxed);
        Duration::from_micros(self.micros.load(Ordering::Relaxed))
    }
}

/// What costs time in a search: each ordering of a list, each evaluation; the latter more from some number on.
#[derive(Debug, Clone)]
struct Costs {
    clock: Arc<Hands>,
    order: u64,
    dear_from: u64,
    evaluations: Arc<AtomicU64>,
}

impl Order<ConnectFour> for Costs {
    fn rank(&self, _: &ConnectFour, _: Player, _: Column) -> i32 {
        0
    }

    fn rank_all(&self, _: &ConnectFour, _: Player, _: &[Column], _: &mut [i32]) {
        self.clock.turn(self.order);
    }
}

impl Evaluate<ConnectFour> for Costs {
    fn evaluate(&self, _: &ConnectFour, _: Player) -> Score {
        let number = self.evaluations.fetch_add(1, Ordering::Relaxed);
        self.clock.turn(if number < self.dear_from { 1 } else { 20 });
        Score::new(0)
    }
}

/// A quiescence in which every move is forced to the end of the game; from some number on its positions are dear.
#[derive(Debug)]
struct Endless {
    clock: Arc<Hands>,
    dear_from: u64,
    positions: AtomicU64,
}

impl Quiesce<ConnectFour> for Endless {
    fn noisy_moves(&self, position: &ConnectFour, player: Player, moves: &mut <ConnectFour as Game>::Moves) {
        let number = self.positions.fetch_add(1, Ordering::Relaxed);
        self.clock.turn(if number < self.dear_from { 1 } else { 20 });
        position.moves_of(player, moves);
    }

    fn may_pass(&self, _: &ConnectFour, _: Player) -> bool {
        false
    }
}

/// Searches Connect Four for 100 ms on a clock that only the costs turn; what the clock shows at the end, and how often it was
/// looked at.
fn search(order: u64, dear_from: u64) -> (Duration, u64, u64) {
    let clock = Arc::new(Hands::default());
    let costs = Costs { clock: Arc::clone(&clock), order, dear_from, evaluations: Arc::default() };
    search_with(Hooks::new(costs.clone()).with_order(costs), &clock)
}

fn search_with(hooks: impl HookSet<ConnectFour>, clock: &Hands) -> (Duration, u64, u64) {
    // Only the root is ordered: what is above no depth.
    let settings =
        AlphaBetaSettings { order_from: u32::MAX, table: TableUse::Off, ..AlphaBetaSettings::default() };
    let mut search = AlphaBeta::new(hooks, settings);
    let record = Record::new(ConnectFour::EMPTY);
    let task = Task {
        record: &record,
        player: Player::One,
        limits: Limits::movetime(Duration::from_millis(100)),
        stop: &StopFlag::new(),
        clock,
        watch: None,
    };
    let analysis = search.search(&task);
    assert_eq!(analysis.stop, StopReason::Time);
    (clock.now(), clock.looks.load(Ordering::Relaxed), analysis.stats.nodes)
}

/// How many nodes may pass between two looks.
const MOST_NODES: u64 = 256;

#[test]
fn what_comes_before_the_first_node_counts() {
    // Ordering the root takes 80 ms of the 100.
    let (end, ..) = search(80_000, u64::MAX);
    assert!(end <= Duration::from_millis(100), "{end:?}");
}

#[test]
fn the_clock_is_looked_at_however_cheap_the_nodes_are() {
    let (end, looks, nodes) = search(0, u64::MAX);
    assert!(nodes > 50_000, "{nodes}");
    assert!(looks >= nodes / MOST_NODES, "{looks} looks for {nodes} nodes");
    assert!(end <= Duration::from_millis(100), "{end:?}");
}

#[test]
fn nodes_that_become_dear_are_not_noticed_too_late() {
    // Just before the end, when looks have become rare.
    let (end, ..) = search(0, 96_500);
    assert!(end <= Duration::from_micros(97_000 + 20 * MOST_NODES), "{end:?}");
}

#[test]
fn nodes_of_the_quiescence_that_become_dear_are_not_noticed_too_late() {
    let clock = Arc::new(Hands::default());
    let endless = Endless { clock: Arc::clone(&clock), dear_from: 96_500, positions: AtomicU64::new(0) };
    let (end, looks, nodes) = search_with(Hooks::new(Zero).with_quiesce(endless), &clock);
    // The main search has one ply: all else is quiescence.
    assert!(nodes > 90_000 && looks >= nodes / MOST_NODES, "{looks} looks for {nodes} nodes");
    assert!(end <= Duration::from_micros(97_000 + 20 * MOST_NODES), "{end:?}");
}
