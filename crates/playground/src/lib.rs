//! The games and bots of the workbench as WebAssembly, for the playground's page.
//!
//! A worker writes a message into the buffer that `reserve` gives it and calls `handle`; answers and progress come back
//! through the imported `emit`. The messages are those of `PROTOCOL.md`. One more kind is between worker and worker: a slow
//! request is answered with `{"id": 7, "lane": "analysis", "job": "..."}`, and a worker that is sent such an object does the
//! job. So a worker either keeps the game or searches, and one that searches can be ended at any moment.
#![warn(missing_docs)]

#[cfg(any(target_family = "wasm", test))]
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use gamesearch::session::{Games, Lane, Playground, Reply, answer};
use search_core::{Clock, StopFlag};

/// The four games with the bots of their catalogues.
pub fn games() -> Games {
    gamesearch::contests::playground()
}

/// What a worker holds: the game, and what it has thought with.
#[derive(Debug)]
pub struct Worker {
    playground: Playground,
    lane: Lane,
}

impl Default for Worker {
    fn default() -> Worker {
        let games = Arc::new(games());
        Worker { playground: Playground::new(games.clone()), lane: Lane::new(games, 1) }
    }
}

impl Worker {
    /// Does what a message says. Progress and the answer go to `emit`.
    pub fn handle(&mut self, message: &str, clock: &dyn Clock, emit: &(dyn Fn(String) + Sync)) {
        if let Some((id, job)) = gamesearch::session::job_of(message) {
            let last = self.lane.run(id, &job, clock, &StopFlag::new(), emit);
            emit(last);
            return;
        }
        emit(match self.playground.handle(message) {
            Reply::Answer(text) => text,
            Reply::Job { id, lane, job } => gamesearch::session::job_message(id, lane, &job),
            // The page that runs the workers stops them; nothing is under way here.
            Reply::Stop { id, .. } => answer(id, Ok(gamesearch::session::nothing())),
        });
    }
}

/// The clock of the page, in milliseconds since some moment.
#[derive(Debug, Clone, Copy)]
pub struct HostClock(pub fn() -> f64);

impl Clock for HostClock {
    fn now(&self) -> Duration {
        Duration::try_from_secs_f64((self.0)() / 1000.0).unwrap_or_default()
    }
}

#[cfg(any(target_family = "wasm", test))]
thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

/// Makes room for a message of `length` bytes, and says where.
#[cfg(any(target_family = "wasm", test))]
fn room(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Handles the message in the buffer.
#[cfg(any(target_family = "wasm", test))]
fn handle_input(clock: &dyn Clock, emit: &(dyn Fn(String) + Sync)) {
    let message = INPUT.take();
    let message = String::from_utf8_lossy(&message);
    WORKER.with_borrow_mut(|worker| worker.get_or_insert_default().handle(&message, clock, emit));
}

/// What the page's worker sees of this crate. `unsafe` stands for the names that are seen from outside and for what the worker
/// promises in return: nothing here reads or writes memory but through a buffer of its own.
#[cfg(target_family = "wasm")]
#[allow(unsafe_code, unreachable_pub, reason = "names that a worker's script calls")]
mod exports {
    use super::{HostClock, handle_input, room};

    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Milliseconds since some moment.
        safe fn now() -> f64;
        /// Takes an answer or progress.
        safe fn emit(text: *const u8, length: usize);
        /// Takes the message of a panic; the instance is lost after it.
        safe fn panicked(text: *const u8, length: usize);
    }

    /// Makes room for a message of `length` bytes, and says where. It is the first thing that is called: from here on a panic
    /// says what it is before it traps.
    #[unsafe(no_mangle)]
    pub extern "C" fn reserve(length: usize) -> *mut u8 {
        std::panic::set_hook(Box::new(|info| {
            let message = info.payload_as_str().unwrap_or("a panic without a message");
            let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line()));
            let text = format!("{message}{}", place.unwrap_or_default());
            panicked(text.as_ptr(), text.len());
        }));
        room(length)
    }

    /// Handles the message that was written there.
    #[unsafe(no_mangle)]
    pub extern "C" fn handle() {
        handle_input(&HostClock(host_now), &|text| emit(text.as_ptr(), text.len()));
    }

    fn host_now() -> f64 {
        now()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn a_worker_is_driven_through_its_buffer() {
        let said = Mutex::new(Vec::new());
        let emit = |text: String| said.lock().unwrap().push(text);
        let clock = HostClock(|| 0.0);
        let send = |message: &str| {
            let place = room(message.len());
            assert!(!place.is_null());
            INPUT.with_borrow_mut(|input| input.copy_from_slice(message.as_bytes()));
            handle_input(&clock, &emit);
            said.lock().unwrap().pop().unwrap()
        };
        let state = send(r#"{"id":1,"do":"new","game":"hus"}"#);
        assert!(state.starts_with(r#"{"done":{"active":["p1"]"#), "{state}");
        let job = send(r#"{"id":2,"do":"think","player":"p1","bot":"alphabeta","limits":"nodes=500"}"#);
        assert!(job.contains(r#""lane":"play""#), "{job}");
        let thought = send(&job);
        assert!(thought.contains(r#""id":2"#) && thought.contains(r#""move":""#), "{thought}");
        assert!(send("[]").contains("expected a JSON object"));
        assert!(send("{").contains("expected a request in JSON"));
    }
}
