//! Criterion bench: the searches, each on the games it is for, with equal work.

use std::hint::black_box;

use agents::Catalogue;
use benches::connect_four::ConnectFour;
use criterion::{Criterion, criterion_group, criterion_main};
use search_core::matrix::{Matrix, solve};
use search_core::{
    Active, Game, Limits, Player, ProofSearch, ProofSettings, Record, StopFlag, SystemClock, Task,
};

/// What a fresh bot takes for its first answer.
fn bots<G: Game>(criterion: &mut Criterion, catalogue: &Catalogue<G>, specs: &[&str], limits: Limits) {
    let mut group = criterion.benchmark_group(G::NAME);
    group.sample_size(10);
    let record = Record::new(G::initial(&G::Setup::default(), 0));
    let player = match record.position().active() {
        Active::One(player) => player,
        Active::Both => Player::One,
    };
    let (stop, clock) = (StopFlag::new(), SystemClock::new());
    for spec in specs {
        let mut bot = catalogue.build(spec).expect("a bot of the catalogue");
        group.bench_function(*spec, |bench| {
            bench.iter(|| {
                bot.new_game(player, 1).expect("own bots start");
                let task = Task::plain(&record, player, limits, &stop, &clock);
                black_box(bot.choose(&task).expect("own bots answer"))
            });
        });
    }
    group.finish();
}

fn of_the_games(criterion: &mut Criterion) {
    let work = Limits { playouts: Some(200), ..Limits::nodes(20_000) };
    let searches = ["alphabeta", "mcts", "report", "champion"];
    bots(criterion, &agents::expendibots::catalogue(), &searches, work);
    bots(
        criterion,
        &agents::ropasci360::catalogue(),
        &["nash", "alphabeta", "mcts", "report", "champion"],
        work,
    );
    bots(criterion, &agents::hus::catalogue(), &searches, work);
    bots(criterion, &agents::colosseum::catalogue(), &searches, work);
}

fn of_the_core(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search-core");
    group.sample_size(20);
    // Payoffs that look random, always the same.
    let matrix = Matrix::from_fn(30, 30, |row, column| ((row * 7919 + column * 104_729) % 101) as f64);
    group.bench_function("matrix game of 30 by 30", |bench| bench.iter(|| solve(black_box(&matrix))));
    let record = Record::new(ConnectFour::EMPTY);
    group.bench_function("proof search, 20,000 nodes of Connect Four", |bench| {
        bench.iter(|| {
            let mut search = ProofSearch::new(ProofSettings::default());
            black_box(search.prove(&record, Player::One, Limits::nodes(20_000)))
        });
    });
    group.finish();
}

criterion_group!(benches, of_the_games, of_the_core);
criterion_main!(benches);
