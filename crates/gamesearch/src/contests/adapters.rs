//! The adapters of the contests: bots that were written for them play here as they are.

use arena::{Adapter, Takes};

/// Runs an adapter from its source, so that no file has to lie in a certain place. The arguments: how many modules there are,
/// the name and the contents of each, the last of them the adapter, then its own arguments. What is no Python is a module's text.
const BOOT: &str = "\
import sys, types
count = int(sys.argv[1])
rest = sys.argv[2 + 2 * count:]
for name, text in zip(sys.argv[2:2 * count:2], sys.argv[3:2 * count:2]):
    module = sys.modules[name.split('.')[0]] = types.ModuleType(name.split('.')[0])
    if name.endswith('.py'):
        exec(compile(text, name, 'exec'), module.__dict__)
    else:
        module.__doc__ = text
name, text = sys.argv[2 * count:2 * count + 2]
sys.argv = [name] + rest
exec(compile(text, name, 'exec'), {'__name__': '__main__', '__file__': name})
";

const UGI: (&str, &str) = ("ugi.py", include_str!("adapters/ugi.py"));
const ENTRIES: (&str, &str) = ("entries.py", include_str!("adapters/entries.py"));
const LINES: (&str, &str) = ("huslines.py", include_str!("adapters/huslines.py"));

/// How the adapter of a course in Python is run: its name, and where its contents go.
const fn of_a_course(name: &'static str, contents: &'static str) -> [&'static str; 11] {
    ["{python}", "-c", BOOT, "3", "ugi.py", "{ugi.py}", "entries.py", "{entries.py}", name, contents, "{bot}"]
}

/// `comp30024:DIR`: the package of a player for the contests of COMP30024 in 2020 and 2021.
pub(super) const COMP30024: Adapter = Adapter {
    name: "comp30024",
    takes: Takes::Folder("the folder of a player's package"),
    command: &of_a_course("comp30024.py", "{comp30024.py}"),
    files: &[UGI, ENTRIES, ("comp30024.py", include_str!("adapters/comp30024.py"))],
    from_the_start: true,
};

/// `comp424:FILE`: an agent for the contests of COMP 424 in 2022 and 2023.
pub(super) const COMP424: Adapter = Adapter {
    name: "comp424",
    takes: Takes::File("the file of an agent"),
    command: &of_a_course("comp424.py", "{comp424.py}"),
    files: &[UGI, ENTRIES, ("comp424.py", include_str!("adapters/comp424.py"))],
    from_the_start: false,
};

/// `huslines:COMMAND`: a program that plays Hus by lines of numbers.
pub(super) const HUS_LINES: Adapter = Adapter {
    name: "huslines",
    takes: Takes::Command,
    command: &["{python}", "-c", BOOT, "2", "ugi.py", "{ugi.py}", "huslines.py", "{huslines.py}", "{bot}"],
    files: &[UGI, LINES],
    from_the_start: false,
};

/// `husplayer:PATH ... [CLASS]`: a Hus player of the course's Java framework.
pub(super) const HUS_PLAYER: Adapter = Adapter {
    name: "husplayer",
    takes: Takes::Command,
    command: &[
        "{python}",
        "-c",
        BOOT,
        "4",
        "ugi.py",
        "{ugi.py}",
        "huslines.py",
        "{huslines.py}",
        "HusGlue.java",
        "{HusGlue.java}",
        "husplayer.py",
        "{husplayer.py}",
        "{bot}",
    ],
    files: &[
        UGI,
        LINES,
        ("HusGlue.java", include_str!("adapters/HusGlue.java")),
        ("husplayer.py", include_str!("adapters/husplayer.py")),
    ],
    from_the_start: false,
};
