//! The adapters of the contests: bots that were written for them play here as they are.

use arena::{Adapter, Takes};

/// Runs an adapter from its source, so that no file has to lie in a certain place: the arguments are the part that the
/// adapters share, the adapter, its name, and its own arguments.
const BOOT: &str = "\
import sys, types
shared, main, name = sys.argv[1:4]
sys.argv = sys.argv[3:]
sys.modules['ugi'] = types.ModuleType('ugi')
exec(compile(shared, 'ugi.py', 'exec'), sys.modules['ugi'].__dict__)
exec(compile(main, name, 'exec'), {'__name__': '__main__', '__file__': name})
";

const SHARED: &str = include_str!("adapters/ugi.py");

/// `comp30024:DIR`: the package of a player for the contests of COMP30024 in 2020 and 2021.
pub(super) const COMP30024: Adapter = Adapter {
    name: "comp30024",
    takes: Takes::Folder("the folder of a player's package"),
    command: &["{python}", "-c", BOOT, "{ugi.py}", "{comp30024.py}", "comp30024.py", "{bot}"],
    files: &[("ugi.py", SHARED), ("comp30024.py", include_str!("adapters/comp30024.py"))],
    from_the_start: true,
};

/// `comp424:FILE`: an agent for the contests of COMP 424 in 2022 and 2023.
pub(super) const COMP424: Adapter = Adapter {
    name: "comp424",
    takes: Takes::File("the file of an agent"),
    command: &["{python}", "-c", BOOT, "{ugi.py}", "{comp424.py}", "comp424.py", "{bot}"],
    files: &[("ugi.py", SHARED), ("comp424.py", include_str!("adapters/comp424.py"))],
    from_the_start: false,
};

/// `huslines:COMMAND`: a program that plays Hus by lines of numbers.
pub(super) const HUS_LINES: Adapter = Adapter {
    name: "huslines",
    takes: Takes::Command,
    command: &["{python}", "-c", BOOT, "{ugi.py}", "{huslines.py}", "huslines.py", "{bot}"],
    files: &[("ugi.py", SHARED), ("huslines.py", include_str!("adapters/huslines.py"))],
    from_the_start: false,
};
