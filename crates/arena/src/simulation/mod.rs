//! A world in one process, for tests: a disk in memory, a clock and bots that fail on purpose, all of it by one seed.
//!
//! [`MemoryDisk`] serves any test of what is written through [`Disk`](crate::disk::Disk); [`simulate`] plays whole tournaments by the
//! real runner, referee and host in such a world, and tells what must not be.

#[cfg(unix)]
mod bot;
mod disk;
#[cfg(unix)]
mod play;
#[cfg(unix)]
mod world;

pub use self::disk::{DiskFault, MemoryDisk, Survival};
#[cfg(unix)]
pub use self::play::{Happened, Planted, simulate, simulate_with};
