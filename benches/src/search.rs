//! The searches of the library: what a second thread brings, and what bounds bring backward induction. Other libraries are in
//! `benches/peers`.

use std::time::Instant;

use search_core::{
    AlphaBeta, AlphaBetaSettings, Analysis, ByEvaluation, Game, HookSet, Hooks, Limits, Mcts, MctsSettings,
    Player, Record, Score, Search, SearchRng, Simultaneous, SimultaneousSearch, SimultaneousSettings,
    Standard, TurnBased, Zero,
};
use toys::goofspiel::{Cards, Goofspiel};
use toys::goofspiel_random;
use toys::oshi_zumo::{OshiZumo, Ring};

use crate::connect_four::ConnectFour;
use crate::{Comparison, Work, work};

/// The rows of this part.
pub(crate) fn rows() -> Vec<Comparison> {
    vec![
        two_threads(
            "search-threads-depth",
            "ten openings of Connect Four to depth 14, two threads",
            openings::<ConnectFour>(10),
            |opening, threads| to_depth(Hooks::new(middle), opening, 14, threads),
        ),
        two_threads(
            "search-threads-depth-hus",
            "ten openings of Hus to depth 9, two threads",
            openings::<hus::Position>(10),
            |opening, threads| {
                let hooks = Hooks::new(seeds_and_moves).with_order(ByEvaluation(seeds_and_moves));
                to_depth(hooks, opening, 9, threads)
            },
        ),
        Comparison::ratio(
            "search-threads-mcts",
            "200,000 simulations of Connect Four, two threads",
            "simulations",
            || simulations(2),
            "one thread",
            || simulations(1),
            1.8,
        )
        .on_the_wall(),
        bounded(
            "search-simultaneous-goofspiel",
            "Goofspiel with 6 cards, prizes falling, solved",
            goofspiel(),
        ),
        bounded("search-simultaneous-oshi-zumo", "Oshi-Zumo with 12 coins and 3 places, solved", oshi_zumo()),
        bounded(
            "search-simultaneous-ending",
            "an ending of RoPaSci 360, 2 against 2, three turns deep",
            ending(),
        ),
    ]
}

/// The row of a search to a depth on two threads, against one.
fn two_threads<G: TurnBased + 'static>(
    name: &'static str,
    about: &'static str,
    openings: Vec<Record<G>>,
    search: fn(&Record<G>, usize) -> u64,
) -> Comparison {
    let pairs = openings.into_iter().map(|opening| -> (Work, Work) {
        let other = opening.clone();
        (work(move || search(&opening, 2)), work(move || search(&other, 1)))
    });
    Comparison::mean_ratio(name, about, "openings", pairs.collect(), "one thread", 1.0 / 0.65).on_the_wall()
}

/// The row of a simultaneous game solved with double oracle and serialized bounds, against plain backward induction with the same
/// table.
fn bounded<G: Simultaneous>(name: &'static str, about: &'static str, (start, depth): (G, u32)) -> Comparison {
    let record = Record::new(start);
    let other = record.clone();
    let search = |record: &Record<G>, depth, bounds| induction(record, depth, bounds).0.stats.nodes.min(1);
    Comparison::ratio(
        name,
        about,
        "solutions",
        move || search(&record, depth, true),
        "plain backward induction",
        move || search(&other, depth, false),
        1.0,
    )
}

/// Backward induction to a depth, and how many matrix games it solved.
fn induction<G: Simultaneous>(record: &Record<G>, depth: u32, bounds: bool) -> (Analysis<G::Move>, u64) {
    let settings = SimultaneousSettings {
        serialized_bounds: bounds,
        double_oracle: bounds,
        only_move: false,
        ..SimultaneousSettings::default()
    };
    let mut search = SimultaneousSearch::new(Hooks::new(Zero), settings);
    let analysis = search.analyse(record, Limits::depth(depth));
    (analysis, search.matrices())
}

fn goofspiel() -> (Goofspiel, u32) {
    (Goofspiel::initial(&Cards(6), 0), 6)
}

fn oshi_zumo() -> (OshiZumo, u32) {
    (OshiZumo::initial(&Ring { coins: 12, places: 3, least: 1 }, 0), 24)
}

fn ending() -> (ropasci360::Position, u32) {
    // The text is that of a position; another one would be the start, and the row far too long to be overlooked.
    ("5/6/7/4P3/4R2s1/3r4/7/6/5 9 9 300".parse().unwrap_or_else(|_| Game::initial(&Standard, 0)), 3)
}

/// Nodes, matrix games and time of backward induction with and without bounds, to be read by people.
pub fn print_simultaneous() {
    fn show<G: Simultaneous>(name: &str, (start, depth): (G, u32)) {
        let record = Record::new(start);
        for (how, bounds) in [("plain", false), ("double oracle and bounds", true)] {
            let (analysis, matrices) = induction(&record, depth, bounds);
            let value = analysis.mixed.map_or(f64::NAN, |mixed| mixed.value);
            println!(
                "{name}, {how}: value {value:+.6}, {} nodes, {matrices} matrix games, {:.3?}",
                analysis.stats.nodes, analysis.stats.time
            );
        }
    }
    for cards in [5, 6, 7] {
        let start = Goofspiel::initial(&Cards(cards), 0);
        show(&format!("Goofspiel, {cards} cards falling"), (start, u32::from(cards)));
    }
    show("Oshi-Zumo, 12 coins, 3 places", oshi_zumo());
    show("RoPaSci 360, 2 against 2, 3 turns", ending());
    for cards in [7, 8] {
        let started = Instant::now();
        let found = goofspiel_random::solve(cards, |_| {});
        println!(
            "Goofspiel, {cards} cards, random prizes, plain: value {:+.6}, {} subgames, {} matrix games, {:.3?}",
            found.value,
            found.subgames,
            found.matrices,
            started.elapsed()
        );
    }
}

/// Stones in the middle columns are worth more.
fn middle(position: &ConnectFour, player: Player) -> Score {
    const COLUMNS: [u64; 3] = [0x7f << 21, 0x7f << 14 | 0x7f << 28, 0x7f << 7 | 0x7f << 35];
    let value = |player| {
        let stones = position.stones_of(player);
        COLUMNS
            .iter()
            .zip([4, 2, 1])
            .map(|(cells, weight)| weight * (stones & cells).count_ones() as i32)
            .sum::<i32>()
    };
    Score::new(value(player) - value(player.opponent()))
}

/// The evaluation of the Hus report, made zero-sum.
fn seeds_and_moves(position: &hus::Position, player: Player) -> Score {
    let value = |player: Player| position.seeds(player) as i32 + 2 * position.mobility(player) as i32;
    Score::new(value(player) - value(player.opponent()))
}

/// Openings of four random moves.
fn openings<G: TurnBased<Setup = Standard>>(count: usize) -> Vec<Record<G>> {
    let mut rng = SearchRng::new(2, "openings");
    let mut opening = || {
        let mut record = Record::new(G::initial(&Standard, 0));
        for _ in 0..4 {
            let position = record.position();
            if let Some(mv) = position.sample(position.to_move(), &mut rng) {
                // A sampled move is legal.
                record.play(mv).ok();
            }
        }
        record
    };
    (0..count).map(|_| opening()).collect()
}

fn to_depth<G: TurnBased, H: HookSet<G>>(hooks: H, opening: &Record<G>, depth: u32, threads: usize) -> u64 {
    let settings =
        AlphaBetaSettings { threads, order_from: 3, stop_when_proven: false, ..AlphaBetaSettings::default() };
    let mut search = AlphaBeta::new(hooks, settings);
    search.analyse(opening, Limits::depth(depth)).best.map_or(0, |_| 1)
}

fn simulations(threads: usize) -> u64 {
    let settings = MctsSettings { threads, reuse_tree: false, ..MctsSettings::default() };
    let mut search = Mcts::new(Hooks::new(Zero), settings);
    search.new_game(1);
    search.analyse(&Record::new(ConnectFour::EMPTY), Limits::playouts(200_000)).stats.playouts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_change_no_value() {
        let start = Record::new(Goofspiel::initial(&Cards(4), 0));
        let values = [true, false].map(|bounds| induction(&start, 4, bounds));
        let value = |index: usize| values[index].0.mixed.as_ref().expect("a mixed strategy").value;
        assert!((value(0) - value(1)).abs() < 1e-9);
        assert!(values[1].1 > 0 && values[0].0.stats.nodes > 0);
        let position = ending().0;
        assert_eq!(position.to_string(), "5/6/7/4P3/4R2s1/3r4/7/6/5 9 9 300");
    }
}
