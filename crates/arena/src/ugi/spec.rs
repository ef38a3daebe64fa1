//! Spec strings of bots from outside: `ugi:COMMAND`, `comp30024:DIR`, `comp424:FILE`, `huslines:COMMAND`.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{HostSettings, OutsideBot};

/// The source of the adapters, which are programs in Python: the part they share, and the three of them.
const SHARED: &str = include_str!("../../adapters/ugi.py");
const COMP30024: &str = include_str!("../../adapters/comp30024.py");
const COMP424: &str = include_str!("../../adapters/comp424.py");
const HUS_LINES: &str = include_str!("../../adapters/huslines.py");

/// Runs an adapter from its source, so that no file has to lie in a certain place: the arguments are the shared part,
/// the adapter, its name, and its own arguments.
const BOOT: &str = "\
import sys, types
shared, main, name = sys.argv[1:4]
sys.argv = sys.argv[3:]
sys.modules['ugi'] = types.ModuleType('ugi')
exec(compile(shared, 'ugi.py', 'exec'), sys.modules['ugi'].__dict__)
exec(compile(main, name, 'exec'), {'__name__': '__main__', '__file__': name})
";

/// The environment variable that names the Python for the adapters; `python3` if it is not set.
pub const PYTHON_VARIABLE: &str = "ARENA_PYTHON";

/// So many files of a folder go into a fingerprint.
const FILES_CAP: usize = 10_000;

/// A bot that is a program of somebody else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutsideSpec {
    /// `ugi:COMMAND`: a program that speaks the protocol.
    Ugi(Vec<String>),
    /// `comp30024:DIR`: the package of a player for the contests of COMP30024 in 2020 and 2021.
    Comp30024(PathBuf),
    /// `comp424:FILE`: an agent for the contests of COMP 424 in 2022 and 2023.
    Comp424(PathBuf),
    /// `huslines:COMMAND`: a program that plays Hus by lines of numbers.
    HusLines(Vec<String>),
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
    /// Reads a spec string; `None` if it names a bot of our own.
    ///
    /// ```
    /// use arena::ugi::OutsideSpec;
    /// let spec = OutsideSpec::parse("ugi:java -cp 'my bot' Main")?;
    /// let command: Vec<String> = ["java", "-cp", "my bot", "Main"].map(String::from).to_vec();
    /// assert_eq!(spec, Some(OutsideSpec::Ugi(command)));
    /// assert_eq!(OutsideSpec::parse("mcts:playouts=100")?, None);
    /// # Ok::<(), arena::ugi::OutsideSpecError>(())
    /// ```
    pub fn parse(spec: &str) -> Result<Option<OutsideSpec>, OutsideSpecError> {
        let Some((kind, rest)) = spec.trim().split_once(':') else { return Ok(None) };
        let command = || match shlex::split(rest) {
            Some(words) if words.is_empty() => Err(OutsideSpecError::Empty(format!("{kind}:"))),
            Some(words) => Ok(words),
            None => Err(OutsideSpecError::Quotes(spec.to_owned())),
        };
        let missing = |expected| OutsideSpecError::Missing {
            spec: spec.to_owned(),
            expected,
            path: rest.trim().to_owned(),
        };
        match kind {
            "ugi" => command().map(OutsideSpec::Ugi).map(Some),
            "huslines" => command().map(OutsideSpec::HusLines).map(Some),
            "comp30024" => {
                let folder = fs::canonicalize(rest.trim()).ok().filter(|path| path.is_dir());
                folder
                    .map(|folder| Some(OutsideSpec::Comp30024(folder)))
                    .ok_or(missing("the folder of a player's package"))
            }
            "comp424" => {
                let file = fs::canonicalize(rest.trim()).ok().filter(|path| path.is_file());
                file.map(|file| Some(OutsideSpec::Comp424(file))).ok_or(missing("the file of an agent"))
            }
            _ => Ok(None),
        }
    }

    /// The command line that speaks the protocol.
    pub fn command(&self) -> Vec<String> {
        match self {
            OutsideSpec::Ugi(command) => command.clone(),
            OutsideSpec::Comp30024(folder) => {
                adapter(COMP30024, "comp30024.py", &[folder.display().to_string()])
            }
            OutsideSpec::Comp424(file) => adapter(COMP424, "comp424.py", &[file.display().to_string()]),
            OutsideSpec::HusLines(command) => adapter(HUS_LINES, "huslines.py", command),
        }
    }

    /// The bot.
    pub fn bot(&self, settings: HostSettings) -> OutsideBot {
        let bot = OutsideBot::new(self.command(), settings);
        match self {
            // The referees of the contests run beside the package, and players read their files from there.
            OutsideSpec::Comp30024(path) | OutsideSpec::Comp424(path) => match path.parent() {
                Some(folder) => bot.in_folder(folder.to_owned()),
                None => bot,
            },
            OutsideSpec::Ugi(_) | OutsideSpec::HusLines(_) => bot,
        }
    }

    /// A digest of the command line and of the files that it names: another version of the bot has another one.
    ///
    /// Covered are the program, every argument that is a file (of a script also the files of the same kind beside and
    /// below it), and every argument that is a folder with all files in it. What a program loads from elsewhere is not.
    pub fn fingerprint(&self) -> io::Result<String> {
        let mut hasher = blake3::Hasher::new();
        let (words, paths): (&[String], Vec<PathBuf>) = match self {
            OutsideSpec::Ugi(command) | OutsideSpec::HusLines(command) => {
                (command, command.iter().enumerate().filter_map(|(at, word)| find(word, at == 0)).collect())
            }
            OutsideSpec::Comp30024(path) | OutsideSpec::Comp424(path) => (&[], vec![path.clone()]),
        };
        let adapter = match self {
            OutsideSpec::Ugi(_) => "",
            OutsideSpec::Comp30024(_) => COMP30024,
            OutsideSpec::Comp424(_) => COMP424,
            OutsideSpec::HusLines(_) => HUS_LINES,
        };
        let mut add = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        add(adapter.as_bytes());
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

fn adapter(source: &str, name: &str, arguments: &[String]) -> Vec<String> {
    let python = env::var(PYTHON_VARIABLE).unwrap_or_else(|_| "python3".to_owned());
    let mut command = vec![python, "-c".to_owned(), BOOT.to_owned()];
    command.extend([SHARED, source, name].map(str::to_owned));
    command.extend_from_slice(arguments);
    command
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

    #[test]
    fn a_command_line_is_split_as_a_shell_does() {
        let words = |spec| match OutsideSpec::parse(spec).unwrap() {
            Some(OutsideSpec::Ugi(words) | OutsideSpec::HusLines(words)) => words,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            words("ugi:python3 my\\ bot.py --level 'very high' \"x:y\""),
            ["python3", "my bot.py", "--level", "very high", "x:y"]
        );
        assert_eq!(words(" huslines:java Main "), ["java", "Main"]);
    }

    #[test]
    fn mistakes_are_named() {
        let error = |spec| OutsideSpec::parse(spec).unwrap_err().to_string();
        assert_eq!(error("ugi:  "), "expected a command line after `ugi:`, found nothing");
        assert_eq!(error("ugi:a 'b"), "in `ugi:a 'b`: a quotation mark is not closed");
        assert_eq!(
            error("comp30024:/no/such/folder"),
            "in `comp30024:/no/such/folder`: expected the folder of a player's package, \
             but `/no/such/folder` is not one"
        );
        assert_eq!(OutsideSpec::parse("random"), Ok(None));
        assert_eq!(OutsideSpec::parse("alphabeta:depth=4"), Ok(None));
    }

    #[test]
    fn a_fingerprint_changes_with_the_files() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        fs::write(file("bot.py"), "import helper").unwrap();
        fs::write(file("helper.py"), "x = 1").unwrap();
        fs::write(file("notes.txt"), "not code").unwrap();
        let script = OutsideSpec::Ugi(vec!["python3".to_owned(), file("bot.py").display().to_string()]);
        let package = OutsideSpec::Comp30024(folder.path().to_owned());
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
