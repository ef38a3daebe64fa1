//! When a re-enacted search has to come back, asked at every node.

use std::time::Duration;

use search_core::{Game, StopReason, Task};

/// How many nodes pass between two looks at the clock. The programs look after every child or inner node; ours are so much faster
/// that looking would cost more than searching.
const CLOCK_EVERY: u64 = 64;

/// Asked with the nodes so far: why to come back, if it is time to. At `nodes` nodes, from `deadline` of the task's clock on, and when
/// the task is stopped.
pub fn poll<'a, G: Game>(
    task: &'a Task<'_, G>,
    nodes: Option<u64>,
    deadline: Option<Duration>,
) -> impl FnMut(u64) -> Option<StopReason> + 'a {
    let mut look = 0;
    move |visited| {
        if nodes.is_some_and(|limit| visited >= limit) {
            return Some(StopReason::Nodes);
        }
        if visited < look {
            return None;
        }
        look = visited + CLOCK_EVERY;
        if task.stop.is_set() {
            return Some(StopReason::Stopped);
        }
        deadline.filter(|&deadline| task.clock.now() >= deadline).map(|_| StopReason::Time)
    }
}
