//! Bots from outside: the Universal Game Interface (UGI), a protocol in lines of text between a host and an engine.
//!
//! An *engine* is a program that plays: [`Engine`] makes one of any bot. A *host* runs an engine as a child process:
//! [`OutsideBot`] starts any program that speaks the protocol and trusts it in nothing. `docs/ugi.md` specifies the
//! protocol.

#[cfg(unix)]
pub(crate) mod channel;
mod command;
#[cfg(unix)]
mod compliance;
#[cfg(unix)]
pub(crate) mod ending;
mod engine;
#[cfg(unix)]
mod errand;
#[cfg(unix)]
mod family;
#[cfg(unix)]
mod guard;
#[cfg(unix)]
mod host;
#[cfg(unix)]
pub(crate) mod lines;
#[cfg(unix)]
mod memory;
#[cfg(unix)]
mod outside;
#[cfg(unix)]
pub(crate) mod process;
mod reply;
#[cfg(unix)]
mod ring;
#[cfg(unix)]
mod session;
#[cfg(unix)]
mod spec;

pub use command::{Command, CommandError, Go, Query};
#[cfg(unix)]
pub use compliance::{Examination, Finding, Severity, examine, games_of};
pub use engine::{BuildBot, Engine, EngineError};
#[cfg(unix)]
pub use errand::{Errand, Outcome};
#[cfg(unix)]
pub use family::{LeftOver, Stray, left_over};
#[cfg(unix)]
pub use guard::guard_if_asked;
#[cfg(unix)]
pub use host::Host;
#[cfg(unix)]
pub use outside::{HostSettings, OutsideBot, START_FAILURES};
pub use reply::{Info, OptionError, OptionKind, OptionLine, Reply};
#[cfg(unix)]
pub use session::Introduction;
#[cfg(unix)]
pub use spec::{OutsideSpec, OutsideSpecError, PYTHON_VARIABLE};
