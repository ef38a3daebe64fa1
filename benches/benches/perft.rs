//! Criterion bench: perft of Connect Four through the contract, and written by hand.

use std::hint::black_box;

use benches::by_hand;
use benches::connect_four::ConnectFour;
use criterion::{Criterion, criterion_group, criterion_main};
use search_core::perft;

fn contract(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("connect-four perft 6");
    group
        .bench_function("through the trait", |bench| bench.iter(|| perft(black_box(&ConnectFour::EMPTY), 6)));
    group.bench_function("by hand", |bench| {
        bench.iter(|| by_hand::perft(black_box(by_hand::Board::default()), 6));
    });
    group.finish();
}

criterion_group!(benches, contract);
criterion_main!(benches);
