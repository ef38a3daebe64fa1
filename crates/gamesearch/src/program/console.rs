//! Standard output and error stream. The macros of the standard library panic when a stream cannot be written, for instance
//! because a disk is full; these note it instead. What was to be written on the output and could not be is a failure of the
//! program in the end; there is no one left to read the error stream.

use std::io::{ErrorKind, Write};
use std::sync::Mutex;

/// Why the standard output could not be written first, if it could not.
static REFUSED: Mutex<Option<std::io::Error>> = Mutex::new(None);

/// Writes a text to the standard output.
pub fn write_out(text: std::fmt::Arguments<'_>, newline: &str) {
    let mut out = anstream::stdout().lock();
    let written = out.write_fmt(text).and_then(|()| out.write_all(newline.as_bytes()));
    if let Err(error) = written.and_then(|()| out.flush())
        && let Ok(mut refused) = REFUSED.lock()
    {
        refused.get_or_insert(error);
    }
}

/// Writes a text to the error stream.
pub fn write_err(text: std::fmt::Arguments<'_>, newline: &str) {
    let mut err = anstream::stderr().lock();
    // There is no other place to complain at.
    let _ = err.write_fmt(text).and_then(|()| err.write_all(newline.as_bytes()));
}

/// What kept the standard output from being written. A reader who has seen enough is no problem.
pub(crate) fn refused() -> Option<std::io::Error> {
    let error = REFUSED.lock().ok()?.take()?;
    (error.kind() != ErrorKind::BrokenPipe).then_some(error)
}

/// Writes to the standard output as `print!` does; what cannot be written makes the program fail in the end instead of panicking.
#[macro_export]
macro_rules! out {
    ($($arguments:tt)*) => { $crate::console::write_out(format_args!($($arguments)*), "") };
}

/// The same with a line break.
#[macro_export]
macro_rules! outln {
    () => { $crate::console::write_out(format_args!(""), "\n") };
    ($($arguments:tt)*) => { $crate::console::write_out(format_args!($($arguments)*), "\n") };
}

/// Writes to the error stream as `eprint!` does, and never panics.
#[macro_export]
macro_rules! err {
    ($($arguments:tt)*) => { $crate::console::write_err(format_args!($($arguments)*), "") };
}

/// The same with a line break.
#[macro_export]
macro_rules! errln {
    () => { $crate::console::write_err(format_args!(""), "\n") };
    ($($arguments:tt)*) => { $crate::console::write_err(format_args!($($arguments)*), "\n") };
}
