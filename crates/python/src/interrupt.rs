//! Long work without Python's lock, which Ctrl-C stops.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use search_core::StopFlag;

/// Signals are looked at so often.
const EVERY: Duration = Duration::from_millis(20);

/// Runs Python's handlers of the signals that came.
pub(crate) fn signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}

/// Does the work in a thread of its own with Python's lock released. The calling thread sees to signals meanwhile: whatever one
/// raises (Ctrl-C) raises the stop flag, and comes back as the error once the work has ended.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &StopFlag,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (done, wait) = channel();
            let worker = thread::Builder::new().spawn_scoped(scope, move || {
                let result = work();
                // Nobody waits any more after a signal.
                let _ = done.send(());
                result
            });
            let worker = worker
                .map_err(|error| PyRuntimeError::new_err(format!("no thread to search in: {error}")))?;
            let mut raised = Ok(());
            while let Err(RecvTimeoutError::Timeout) = wait.recv_timeout(EVERY) {
                raised = Python::attach(signals);
                if raised.is_err() {
                    stop.stop();
                    break;
                }
            }
            let result = worker.join();
            raised?;
            result.map_err(|_| PyRuntimeError::new_err("the search failed; this is a mistake in gamesearch"))
        })
    })
}
