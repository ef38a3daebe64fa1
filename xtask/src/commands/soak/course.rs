//! The submissions of a course: good ones whose strengths are known, broken ones of fifteen kinds, hostile ones of sixteen.

use std::fs;
use std::io;
use std::path::Path;

const PYTHON: &str = include_str!("course/bot.py");
const JAVA: &str = include_str!("course/Bot.java");
const RUST: &str = include_str!("course/bot.rust");
const HOSTILE: &str = include_str!("course/hostile.py");

/// What the hostile ones do.
pub(super) const ATTACKS: [&str; 16] = [
    "journal", "settings", "others", "opponent", "itself", "signals", "trace", "network", "miner", "disk",
    "page", "forks", "memory", "flood", "late", "stopped",
];

/// Attacks that end the bot's own game, with words of the report that names them. The others are refused one by one, and the
/// bot plays on.
pub(super) const NAMED: [(&str, &str); 5] = [
    ("forks", "processes and threads at a time, more than it may"),
    ("memory", "of memory, more than it may"),
    ("flood", "wrote more than"),
    ("late", "no answer within"),
    ("stopped", "no answer within"),
];

/// The kinds of the broken ones.
pub(super) const BROKEN: [&str; 15] = [
    "empty",
    "no-language",
    "python-syntax",
    "java-syntax",
    "rust-syntax",
    "crash-at-start",
    "silent",
    "illegal-move",
    "garbage",
    "too-slow",
    "crash-in-game",
    "endless-build",
    "too-much-memory",
    "symbolic-link",
    "flood",
];

/// A good submission: its team and its strength from 0 to 1.
#[derive(Debug, Clone)]
pub(super) struct Good {
    pub(super) team: String,
    pub(super) strength: f64,
}

/// Writes good submissions, in three languages by turns, with strengths at even distances.
pub(super) fn good(folder: &Path, count: usize) -> io::Result<Vec<Good>> {
    let mut all = Vec::new();
    for number in 0..count {
        let strength = number as f64 / (count.max(2) - 1) as f64;
        // Names say nothing of the strength: what sorts by name must not sort by it.
        let team = format!("team-{:03}", number * 37 % 101);
        let (file, text) = match number % 3 {
            0 => ("bot.py", PYTHON),
            1 => ("Bot.java", JAVA),
            _ => ("bot.rs", RUST),
        };
        write(folder, &team, file, &text.replace("{strength}", &format!("{strength:.4}")))?;
        all.push(Good { team, strength });
    }
    Ok(all)
}

fn write(folder: &Path, team: &str, file: &str, text: &str) -> io::Result<()> {
    let folder = folder.join(team);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(file), text)
}

/// A Python bot that is good but for one thing, which happens before each answer.
fn spoilt(before_move: &str, at_start: &str) -> String {
    PYTHON
        .replace("{strength}", "0.5")
        .replace(
            "            random.shuffle(legal)\n",
            &format!("            {before_move}\n            random.shuffle(legal)\n"),
        )
        .replace("def main():\n", &format!("def main():\n    {at_start}\n"))
}

/// Writes one broken submission of each kind.
pub(super) fn broken(folder: &Path) -> io::Result<()> {
    for kind in BROKEN {
        let team = format!("broken-{kind}");
        let python = |before: &str, start: &str| write(folder, &team, "bot.py", &spoilt(before, start));
        match kind {
            "empty" => fs::create_dir_all(folder.join(&team))?,
            "no-language" => write(folder, &team, "readme.txt", "our bot is in another castle")?,
            "python-syntax" => write(folder, &team, "bot.py", "def main(:\n")?,
            "java-syntax" => write(folder, &team, "Bot.java", "public class Bot { int }")?,
            "rust-syntax" => write(folder, &team, "bot.rs", "fn main() { let x: u8 = \"x\"; }")?,
            "crash-at-start" => python("pass", "raise RuntimeError('no weights')")?,
            "silent" => write(folder, &team, "bot.py", "import time\ntime.sleep(1000)\n")?,
            "illegal-move" => python("print('bestmove 99', flush=True); continue", "pass")?,
            "garbage" => python("print('bestmove \\xff', flush=True); continue", "pass")?,
            "too-slow" => python("import time; time.sleep(60)", "pass")?,
            "crash-in-game" => python("plies > 8 and 1 // 0", "pass")?,
            "endless-build" => {
                // A constant that takes for ever.
                let text = "const fn f() -> u64 { let mut n = 0; loop { n += 1; if n == u64::MAX { return n; } } }\n\
                            #[allow(long_running_const_eval, reason = \"it is to take for ever\")]\nconst N: u64 = f();\nfn main() { println!(\"{N}\"); }\n";
                write(folder, &team, "bot.rs", text)?;
            }
            "too-much-memory" => python("KEPT.append(bytearray(1 << 28))", "global KEPT; KEPT = []")?,
            "symbolic-link" => {
                write(folder, &team, "bot.py", PYTHON)?;
                std::os::unix::fs::symlink("/etc/passwd", folder.join(&team).join("weights"))?;
            }
            "flood" => python("print('x' * (1 << 21), flush=True)", "pass")?,
            other => return Err(io::Error::other(format!("there is no broken bot of the kind {other}"))),
        }
    }
    Ok(())
}

/// Writes one hostile submission for each attack, against the class in `root`.
pub(super) fn hostile(folder: &Path, root: &Path) -> io::Result<()> {
    for attack in ATTACKS {
        let text = HOSTILE.replace("{attack}", attack).replace("{class}", &root.display().to_string());
        // One has a name that is an attack as well.
        let team = if attack == "page" {
            "=HYPERLINK(1)<script>alert(1)<\u{2044}script>".to_owned()
        } else {
            format!("hostile-{attack}")
        };
        write(folder, &team, "bot.py", &text)?;
    }
    Ok(())
}
