//! A world in one process, for tests: a disk in memory that fails on purpose.

mod disk;

pub use self::disk::{DiskFault, MemoryDisk, Survival};
