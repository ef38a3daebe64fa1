//! The tests of the arena, in one program.

mod browser;
mod common;
#[cfg(unix)]
mod compliance;
mod disk_faults;
mod engine;
#[cfg(unix)]
mod host;
mod hostile;
mod parsers;
mod processes;
mod referee;
#[cfg(target_os = "linux")]
mod sandbox;
mod simulation;
mod snapshots;
mod standings;
mod statistics;
mod tournament;
mod toys;
