//! The `class.toml` that `class init` writes.

use std::path::PathBuf;
use std::process::Command;

/// A commented file of settings for a game with these reference bots.
pub(crate) fn text(program: &str, game: &str, adapters: &[&str], references: &[&str]) -> String {
    let lines = |texts: Vec<String>| texts.iter().fold(String::new(), |lines, text| lines + text + "\n");
    let beat = references.last().map_or(String::new(), |name| format!("\"{name}\""));
    let references = lines(references.iter().map(|name| format!("{name} = \"{name}\"")).collect());
    let adapters = lines(adapters.iter().map(|name| format!("#   {name}:{{folder}} ...")).collect());
    let rust = rust_toolchain();
    let (rustc, readable) = match &rust {
        Some((rustc, readable)) => {
            (rustc.display().to_string(), format!("readable = [\"{}\"]\n", readable.display()))
        }
        None => ("rustc".to_owned(), "# readable = [\"/path/to/the/toolchain\"]\n".to_owned()),
    };
    format!(
        r#"# A class. `{program} class FOLDER` runs its ladder, and goes on where it was.

game = "{game}"
# title = "Algorithms 101"
# setup = ""                  # the game's set-up, if it has several
# limits = "official"         # or movetime=1s, gametime=60s, nodes=20000, ...
# openings = "auto"           # balanced openings; or start, random:4, file=openings.txt
margin = "200ms"              # how far a bot may overrun its time
memory = 1024                 # MiB of a bot with all its processes
# jobs = 1                    # games at a time; without a word half the processors
sandbox = "auto"              # "on": wholly, or nothing is run
# readable = []               # what bots may read besides the system and their own files

[submissions]
folder = "submissions"        # a folder for each team in it
# git = "https://example.org/class.git"   # instead of a folder
# teams = "folders"           # of a branch; or "branches"
# branch = "main"
settle = "5s"                 # a submission is taken when it has not changed for so long
every = "10s"                 # how often submissions are looked for
largest = 32                  # MiB
files = 2000

# The first language whose file is in a team's folder is taken. A build runs in a copy of that folder, in the sandbox,
# without network. `run` is a bot's spec: ugi:COMMAND, or one of the game's adapters:
{adapters}
[[language]]
name = "Python"
file = "bot.py"
run = "ugi:python3 {{folder}}/bot.py"

[[language]]
name = "Java"
file = "Bot.java"
build = "javac *.java"
run = "ugi:java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp {{folder}} Bot"

[[language]]
name = "Rust"
file = "bot.rs"
build = "{rustc} -O --edition 2021 -o bot bot.rs"
run = "ugi:{{folder}}/bot"
{readable}
[[language]]
name = "C"
file = "bot.c"
build = "cc -O2 -o bot *.c -lm"
run = "ugi:{{folder}}/bot"

[build]
time = "2m"
memory = 2048                 # MiB
disk = 256                    # MiB of files that a build may leave

[compliance]
positions = 20                # moves that a new submission has to find before it plays

[ladder]
provisional = 75.0            # Elo: a rating with a wider 95 % interval to each side is provisional
pairs = 400                   # pairs of games of a submission; then it waits for new opponents
disk = 512                    # MiB of journals; older games are counted and removed

[schedule]
# opens = 2026-03-01T08:00:00Z
# closes = 2026-05-29T18:00:00Z

[references]                  # bots of the workbench that play along
{references}
[grades]
beat = [{beat}]               # references that `class grade` compares with

[site]
folder = "site"
# playground = "gamesearch.html"   # the page that replays games

[[final]]
name = "cup"
format = "knock-out"          # or round-robin, swiss
entrants = 16                 # the ladder's best
pairs = 3                     # of games in a match
more = 4                      # more pairs of a drawn match, before other rules decide
"#
    )
}

/// The compiler of Rust that is in use here, and the folder that it needs to read.
fn rust_toolchain() -> Option<(PathBuf, PathBuf)> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
    let root = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    let rustc = root.join("bin/rustc");
    // A path that TOML or a shell would read otherwise is left to the instructor.
    let plain = root.to_str()?.chars().all(|c| c.is_ascii_alphanumeric() || "/._+-".contains(c));
    (plain && rustc.is_file()).then_some((rustc, root))
}
