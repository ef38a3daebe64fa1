//! A thread that does slow requests, one after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use search_core::{StopFlag, SystemClock};
use serde_json::json;

use crate::session::{Games, Lane, answer};

/// What a lane says: the number of the request, whether it is the final answer, and the text.
pub(super) struct Said {
    pub(super) id: u64,
    pub(super) last: bool,
    pub(super) text: String,
}

struct Job {
    id: u64,
    text: String,
    stop: StopFlag,
}

/// The way to a thread that searches.
pub(super) struct Searcher {
    jobs: Sender<Job>,
    /// The request under way.
    pub(super) under_way: Option<(u64, StopFlag)>,
}

impl Searcher {
    pub(super) fn new(games: Arc<Games>, processors: usize, said: Sender<Said>) -> Searcher {
        let (jobs, todo) = channel::<Job>();
        std::thread::spawn(move || {
            let mut lane = Lane::new(games.clone(), processors);
            for Job { id, text, stop } in todo {
                // The page that asked may have left; then no one hears it.
                let say = |last: bool, text: String| drop(said.send(Said { id, last, text }));
                let emit = |text: String| say(false, text);
                let done =
                    catch_unwind(AssertUnwindSafe(|| lane.run(id, &text, &SystemClock::new(), &stop, &emit)));
                let text = done.unwrap_or_else(|panic| {
                    let why = panic
                        .downcast_ref::<&str>()
                        .map(|why| (*why).to_owned())
                        .or_else(|| panic.downcast_ref::<String>().cloned())
                        .unwrap_or_else(|| "a panic without a message".to_owned());
                    // What panicked is in no good state.
                    lane = Lane::new(games.clone(), processors);
                    say(false, json!({ "event": "restarted", "why": why }).to_string());
                    answer(id, Err(format!("the search ended: {why}")))
                });
                say(true, text);
            }
        });
        Searcher { jobs, under_way: None }
    }

    /// Hands a job over, after the one under way has been told to stop.
    pub(super) fn start(&mut self, id: u64, text: String) -> Result<(), String> {
        let stop = StopFlag::new();
        self.under_way = Some((id, stop.clone()));
        self.jobs.send(Job { id, text, stop }).map_err(|_| "the search cannot be started".to_owned())
    }
}
