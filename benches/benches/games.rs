//! Criterion bench: the rules of the four games, by perft (moves counted) and by random games (moves drawn and played).

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use search_core::{Game, Player, Turn, perft, stream};

/// Plays random games from the start; all turns.
fn random_games<G: Game>(games: u64) -> u64 {
    let mut turns = 0;
    for seed in 0..games {
        let mut position = G::initial(&G::Setup::default(), seed);
        let mut rng = stream(seed, "bench");
        while position.end().is_none() {
            let active = position.active();
            let mut moves = [None, None];
            for player in active.players() {
                moves[player.index()] = position.sample(player, &mut rng);
            }
            let Some(turn) = G::Turn::from_moves(active, moves) else { break };
            position.play_turn(turn);
            turns += 1;
        }
    }
    turns
}

fn game<G: Game>(criterion: &mut Criterion, depth: u32) {
    let mut group = criterion.benchmark_group(G::NAME);
    let start = G::initial(&G::Setup::default(), 0);
    group.bench_function(format!("perft {depth}"), |bench| bench.iter(|| perft(black_box(&start), depth)));
    group.bench_function("10 random games", |bench| bench.iter(|| random_games::<G>(black_box(10))));
    group.bench_function("moves of the start", |bench| {
        bench.iter(|| black_box(&start).move_list(Player::One));
    });
    group.finish();
}

fn games(criterion: &mut Criterion) {
    game::<expendibots::Position>(criterion, 3);
    game::<ropasci360::Position>(criterion, 2);
    game::<hus::Position>(criterion, 4);
    game::<colosseum::Position>(criterion, 2);
}

criterion_group!(benches, games);
criterion_main!(benches);
