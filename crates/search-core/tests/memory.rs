//! The memory that the system really gives to a search, read from the kernel: alone in its file, so that no other test
//! of the process allocates meanwhile.
#![cfg(target_os = "linux")]

use search_core::{Hooks, Limits, Mcts, MctsSettings, Record, Search, Zero};
use toys::connect_four::ConnectFour;

/// A line of the kernel's account of this process, in bytes.
fn account(name: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("the kernel's account");
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("the line");
    let kilobytes: usize = line.trim_matches([':', ' ', '\t', 'k', 'B']).parse().expect("a number");
    kilobytes << 10
}

#[test]
fn a_tree_that_outgrows_its_budget_ten_times_takes_no_more_from_the_system() {
    const BUDGET: usize = 4 << 20;
    // The standard library's own tables, the stack, and what the kernel counts late.
    const SLACK: usize = 1 << 20;
    let before = account("VmRSS");
    let settings = MctsSettings { memory_bytes: BUDGET, ..MctsSettings::default() };
    let mut mcts = Mcts::new(Hooks::new(Zero), settings);
    mcts.new_game(1);
    let record = Record::new(ConnectFour::EMPTY);
    // A playout adds up to seven nodes of about 50 bytes.
    let analysis = mcts.analyse(&record, Limits::playouts(10 * BUDGET as u64 / 200));
    let peak = account("VmHWM").saturating_sub(before);
    assert!(mcts.recycled() >= 1, "recycled {} times", mcts.recycled());
    assert!(analysis.best.is_some());
    assert!(peak <= BUDGET + SLACK, "{peak} bytes at the peak of a tree of {} bytes", mcts.tree_bytes());
    assert!(peak > BUDGET / 2, "{peak} bytes: the account tells nothing");
}
