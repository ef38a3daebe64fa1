//! Facts about the machine of a run: times mean nothing without them.

use std::fs;

use serde::{Deserialize, Serialize};

/// What a run was played on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor, as the system names it.
    pub processor: String,
    /// Processors that a process may use.
    pub cores: usize,
    /// Memory in MiB, if known.
    pub memory_mib: Option<u64>,
    /// The operating system.
    pub system: String,
    /// The compiler, if the program knows it.
    pub compiler: String,
    /// The version of this program.
    pub version: String,
}

impl Machine {
    /// This machine. `compiler` and `version` are those of the calling program.
    pub fn here(compiler: &str, version: &str) -> Machine {
        let field = |text: &str, name: &str| {
            text.lines()
                .find(|line| line.starts_with(name))
                .and_then(|line| line.split_once(':'))
                .map(|(_, value)| value.trim().to_owned())
        };
        let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let processor = field(&processors, "model name").or_else(|| field(&processors, "CPU implementer"));
        let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        Machine {
            processor: processor.unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_mib: field(&memory, "MemTotal")
                .and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok())
                .map(|kib| kib / 1024),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            compiler: compiler.to_owned(),
            version: version.to_owned(),
        }
    }
}
