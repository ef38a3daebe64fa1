//! Spec strings of bots from outside: `ugi:COMMAND`, and `NAME:WHAT` for each adapter that a game brings along.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{HostSettings, OutsideBot};
use crate::adapter::{Adapter, Takes};

/// The environment variable that names the Python for the adapters; `python3` if it is not set.
pub const PYTHON_VARIABLE: &str = "ARENA_PYTHON";

/// The most files of a folder that go into a fingerprint.
const FILES_CAP: usize = 10_000;

/// A bot that is an outside program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutsideSpec {
    /// `ugi:COMMAND`: a program that speaks the protocol.
    Ugi(Vec<String>),
    /// `NAME:WHAT`: a bot behind an adapter.
    Adapted {
        /// The adapter.
        adapter: Adapter,
        /// The words of the bot's command line, or the path of its folder or file.
        bot: Vec<String>,
    },
}

/// A spec string of an outside bot that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OutsideSpecError {
    /// The command line is empty.
    #[error("expected a command line after `{0}`, found nothing")]
    Empty(String),
    /// A quotation mark is not closed.
    #[error("in `{0}`: a quotation mark is not closed")]
    Quotes(String),
    /// There is no such file or folder.
    #[error("in `{spec}`: expected {expected}, but `{path}` is not one")]
    Missing {
        /// The whole spec.
        spec: String,
        /// What should be there.
        expected: &'static str,
        /// The path as written.
        path: String,
    },
}

impl OutsideSpec {
    /// Reads a spec string with these adapters; `None` if it names a bot of our own.
    ///
    /// ```
    /// use arena::ugi::OutsideSpec;
    /// let spec = OutsideSpec::parse("ugi:java -cp 'my bot' Main", &[])?;
    /// let command: Vec<String> = ["java", "-cp", "my bot", "Main"].map(String::from).to_vec();
    /// assert_eq!(spec, Some(OutsideSpec::Ugi(command)));
    /// assert_eq!(OutsideSpec::parse("mcts:playouts=100", &[])?, None);
    /// # Ok::<(), arena::ugi::OutsideSpecError>(())
    /// ```
    pub fn parse(spec: &str, adapters: &[Adapter]) -> Result<Option<OutsideSpec>, OutsideSpecError> {
        let Some((kind, rest)) = spec.trim().split_once(':') else { return Ok(None) };
        let command = || match shlex::split(rest) {
            Some(words) if words.is_empty() => Err(OutsideSpecError::Empty(format!("{kind}:"))),
            Some(words) => Ok(words),
            None => Err(OutsideSpecError::Quotes(spec.to_owned())),
        };
        let path = |expected, right: fn(&Path) -> bool| {
            let path = rest.trim();
            let found = fs::canonicalize(path).ok().filter(|path| right(path));
            found.map(|path| vec![path.display().to_string()]).ok_or_else(|| OutsideSpecError::Missing {
                spec: spec.to_owned(),
                expected,
                path: path.to_owned(),
            })
        };
        if kind == "ugi" {
            return command().map(OutsideSpec::Ugi).map(Some);
        }
        let Some(&adapter) = adapters.iter().find(|adapter| adapter.name == kind) else { return Ok(None) };
        let bot = match adapter.takes {
            Takes::Command => command()?,
            Takes::Folder(expected) => path(expected, Path::is_dir)?,
            Takes::File(expected) => path(expected, Path::is_file)?,
        };
        Ok(Some(OutsideSpec::Adapted { adapter, bot }))
    }

    /// The command line that speaks the protocol.
    pub fn command(&self) -> Vec<String> {
        let (adapter, bot) = match self {
            OutsideSpec::Ugi(command) => return command.clone(),
            OutsideSpec::Adapted { adapter, bot } => (adapter, bot),
        };
        let mut command = Vec::new();
        for &word in adapter.command {
            let name = word.strip_prefix('{').and_then(|word| word.strip_suffix('}'));
            let file = adapter.files.iter().find(|(known, _)| name == Some(known));
            match (name, file) {
                (Some("bot"), _) => command.extend_from_slice(bot),
                (Some("python"), _) => {
                    command.push(env::var(PYTHON_VARIABLE).unwrap_or_else(|_| "python3".to_owned()));
                }
                (_, Some((_, contents))) => command.push((*contents).to_owned()),
                (_, None) => command.push(word.to_owned()),
            }
        }
        command
    }

    /// Whether the bot can only follow games from the standard start, move by move.
    pub fn needs_the_start(&self) -> bool {
        matches!(self, OutsideSpec::Adapted { adapter, .. } if adapter.from_the_start)
    }

    /// The bot.
    pub fn bot(&self, settings: HostSettings) -> OutsideBot {
        let bot = OutsideBot::new(self.command(), settings);
        // The referees of contests run beside a player's package or file, and players read their files from there.
        match self.path().and_then(Path::parent) {
            Some(folder) => bot.in_folder(folder.to_owned()),
            None => bot,
        }
    }

    /// The folder or file that is the bot, if it is not a command line.
    fn path(&self) -> Option<&Path> {
        match self {
            OutsideSpec::Adapted {
                adapter: Adapter { takes: Takes::Folder(_) | Takes::File(_), .. },
                bot,
            } => bot.first().map(Path::new),
            _ => None,
        }
    }

    /// A digest of the command line and of the files that it names: another version of the bot has another one.
    ///
    /// Covered are the program, every argument that is a file (of a script also the files of the same kind beside and
    /// below it), and every argument that is a folder with all files in it. What a program loads from elsewhere is not.
    pub fn fingerprint(&self) -> io::Result<String> {
        let mut hasher = blake3::Hasher::new();
        let (words, paths) = match (self, self.path()) {
            (_, Some(path)) => (&[][..], vec![path.to_owned()]),
            (OutsideSpec::Ugi(words) | OutsideSpec::Adapted { bot: words, .. }, None) => {
                let found = words.iter().enumerate().filter_map(|(at, word)| find(word, at == 0));
                (words.as_slice(), found.collect())
            }
        };
        let mut add = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        if let OutsideSpec::Adapted { adapter, .. } = self {
            for (name, contents) in adapter.files {
                add(name.as_bytes());
                add(contents.as_bytes());
            }
        }
        for word in words {
            add(word.as_bytes());
        }
        for path in paths {
            for (name, file) in files_of(&path)? {
                add(name.as_bytes());
                add(&fs::read(&file)?);
            }
        }
        Ok(hasher.finalize().to_hex().as_str()[..32].to_owned())
    }
}

/// The file or folder that a word of a command line names. Only the program itself is looked for on the search path.
fn find(word: &str, program: bool) -> Option<PathBuf> {
    let path = Path::new(word);
    if program && !word.contains('/') {
        let folders = env::var_os("PATH")?;
        return env::split_paths(&folders).map(|folder| folder.join(word)).find(|path| path.is_file());
    }
    path.exists().then(|| path.to_owned())
}

/// The files that belong to a path, with names relative to it, in a fixed order.
fn files_of(path: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    const SCRIPTS: [&str; 5] = ["py", "js", "rb", "lua", "sh"];
    if path.is_dir() {
        return walk(path, None);
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    match (extension, path.parent()) {
        (Some(extension), Some(folder)) if SCRIPTS.contains(&extension) => {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            walk(folder, Some(extension))
        }
        _ => Ok(vec![(String::new(), path.to_owned())]),
    }
}

/// All files below a folder, or those of one kind; caches and hidden folders are left out.
fn walk(root: &Path, extension: Option<&str>) -> io::Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with('.') || name == "__pycache__" {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if extension.is_none_or(|wanted| path.extension().is_some_and(|found| found == wanted)) {
                let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
                found.push((name, path));
            }
            if found.len() > FILES_CAP {
                let message = format!("more than {FILES_CAP} files below {}", root.display());
                return Err(io::Error::other(message));
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADAPTERS: [Adapter; 2] = [
        Adapter {
            name: "package",
            takes: Takes::Folder("the folder of a player's package"),
            command: &["sh", "-c", "{main.sh}", "main.sh", "{bot}"],
            files: &[("main.sh", "cd \"$1\"")],
            from_the_start: true,
        },
        Adapter {
            name: "lines",
            takes: Takes::Command,
            command: &["sh", "{bot}", "{not a file}"],
            files: &[],
            from_the_start: false,
        },
    ];

    #[test]
    fn an_adapter_stands_before_the_bot() {
        let lines = OutsideSpec::parse("lines:java Main", &ADAPTERS).unwrap().unwrap();
        assert_eq!(lines.command(), ["sh", "java", "Main", "{not a file}"]);
        assert!(!lines.needs_the_start());
        let folder = tempfile::tempdir().unwrap();
        let folder = fs::canonicalize(folder.path()).unwrap().display().to_string();
        let package = OutsideSpec::parse(&format!("package:{folder}"), &ADAPTERS).unwrap().unwrap();
        assert_eq!(package.command(), ["sh", "-c", "cd \"$1\"", "main.sh", &folder]);
        assert!(package.needs_the_start());
        assert_eq!(OutsideSpec::parse("package:nowhere", &[]), Ok(None));
    }

    #[test]
    fn a_command_line_is_split_as_a_shell_does() {
        let words = |spec| match OutsideSpec::parse(spec, &ADAPTERS).unwrap() {
            Some(OutsideSpec::Ugi(words) | OutsideSpec::Adapted { bot: words, .. }) => words,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            words("ugi:python3 my\\ bot.py --level 'very high' \"x:y\""),
            ["python3", "my bot.py", "--level", "very high", "x:y"]
        );
        assert_eq!(words(" lines:java Main "), ["java", "Main"]);
    }

    #[test]
    fn mistakes_are_named() {
        let error = |spec| OutsideSpec::parse(spec, &ADAPTERS).unwrap_err().to_string();
        assert_eq!(error("ugi:  "), "expected a command line after `ugi:`, found nothing");
        assert_eq!(error("ugi:a 'b"), "in `ugi:a 'b`: a quotation mark is not closed");
        assert_eq!(
            error("package:/no/such/folder"),
            "in `package:/no/such/folder`: expected the folder of a player's package, \
             but `/no/such/folder` is not one"
        );
        assert_eq!(OutsideSpec::parse("random", &ADAPTERS), Ok(None));
        assert_eq!(OutsideSpec::parse("alphabeta:depth=4", &ADAPTERS), Ok(None));
    }

    #[test]
    fn a_fingerprint_changes_with_the_files() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        fs::write(file("bot.py"), "import helper").unwrap();
        fs::write(file("helper.py"), "x = 1").unwrap();
        fs::write(file("notes.txt"), "not code").unwrap();
        let script = OutsideSpec::Ugi(vec!["python3".to_owned(), file("bot.py").display().to_string()]);
        let package =
            OutsideSpec::Adapted { adapter: ADAPTERS[0], bot: vec![folder.path().display().to_string()] };
        let before = (script.fingerprint().unwrap(), package.fingerprint().unwrap());
        assert_eq!(before, (script.fingerprint().unwrap(), package.fingerprint().unwrap()));
        assert_eq!(before.0.len(), 32);

        fs::write(file("notes.txt"), "still not code").unwrap();
        fs::create_dir(file("__pycache__")).unwrap();
        fs::write(file("__pycache__/helper.pyc"), "compiled").unwrap();
        assert_eq!(script.fingerprint().unwrap(), before.0);
        assert_ne!(package.fingerprint().unwrap(), before.1);

        fs::write(file("helper.py"), "x = 2").unwrap();
        assert_ne!(script.fingerprint().unwrap(), before.0);
        let other = OutsideSpec::Ugi(vec!["python3".to_owned(), "--version".to_owned()]);
        assert_ne!(script.fingerprint().unwrap(), other.fingerprint().unwrap());
    }
}
