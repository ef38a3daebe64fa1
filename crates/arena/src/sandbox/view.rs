//! What a bot in a sandbox sees of the files: the system's programs, its own, and nothing else.

use std::env;
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Where programs and libraries of the system are; all of it can be read.
pub(crate) const SYSTEM: [&str; 11] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix", "/gnu", "/snap"];

/// Folders that hold far more than one bot: a file in one of them is shown without its neighbours.
const WIDE: [&str; 10] = ["/", "/tmp", "/var", "/var/tmp", "/etc", "/run", "/dev", "/proc", "/sys", "/home"];

/// Parts of an installation (a virtual environment, a Java) beside the folder `bin` of its program.
const PARTS: [&str; 8] = ["bin", "lib", "lib64", "libexec", "conf", "include", "pyvenv.cfg", "release"];

/// Variables that name what a bot's language needs.
const VARIABLES: [&str; 7] =
    ["CLASSPATH", "CONDA_PREFIX", "JAVA_HOME", "LD_LIBRARY_PATH", "NODE_PATH", "PYTHONPATH", "VIRTUAL_ENV"];

/// Symbolic links are followed so often.
const LINKS: usize = 16;

/// A file or folder, and where the bot sees it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Seen {
    pub(crate) at: PathBuf,
    pub(crate) real: PathBuf,
}

/// A folder that is covered, with what is shown in it all the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cover {
    pub(crate) folder: PathBuf,
    pub(crate) shown: Vec<Seen>,
}

/// The files and folders that a command line names: the program, if it is none of the system's, and every word that is the
/// path of something, also behind an equals sign or in a list with colons.
pub(crate) fn own_files(command: &[String], folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for (number, word) in command.iter().enumerate() {
        if number == 0
            && let Some(program) = program(word, folder)
        {
            found.push(program);
            continue;
        }
        let value = word.split_once('=').map_or(word.as_str(), |(_, value)| value);
        let pieces = [word.as_str(), value].into_iter().chain(value.split(':'));
        for piece in pieces.filter(|piece| !piece.is_empty() && *piece != "." && *piece != "/") {
            let path = absolute(Path::new(piece), folder);
            if fs::metadata(&path).is_ok() {
                found.push(path);
            }
        }
    }
    found.retain(|path| !is_system(path));
    found.sort();
    found.dedup();
    found
}

/// What a bot with this command line may read; `more` is what the user allows besides.
pub(crate) fn of_command(command: &[String], folder: &Path, more: &[PathBuf]) -> Vec<Seen> {
    let mut paths: Vec<PathBuf> = Vec::new();
    if let Some(program) = command.first().and_then(|word| program(word, folder)) {
        installation(&program, &mut paths);
    }
    for path in own_files(command, folder) {
        paths.push(with_neighbours(path));
    }
    for name in VARIABLES {
        let value = env::var_os(name).unwrap_or_default();
        let named = env::split_paths(&value).filter(|path| path.is_absolute() && path.exists());
        paths.extend(named.filter(|path| !is_wide(path)));
    }
    paths.extend(more.iter().map(|path| absolute(path, folder)));
    paths.retain(|path| !is_system(path));
    paths.sort();
    paths.dedup();
    let mut seen: Vec<Seen> = Vec::new();
    for at in paths {
        // What lies in a folder that is seen is seen with it.
        if seen.iter().any(|earlier| at.starts_with(&earlier.at)) {
            continue;
        }
        if let Ok(real) = fs::canonicalize(&at) {
            seen.push(Seen { at, real });
        }
    }
    seen
}

/// Which of the paths are to be covered for a bot with these files of its own: not those that it needs itself.
pub(crate) fn hidden(paths: &[PathBuf], own: &[PathBuf]) -> Vec<PathBuf> {
    let real = |path: &PathBuf| fs::canonicalize(path).ok();
    let own: Vec<PathBuf> = own.iter().filter_map(real).collect();
    let mut hidden: Vec<PathBuf> =
        paths.iter().filter_map(real).filter(|path| !own.iter().any(|own| own.starts_with(path))).collect();
    hidden.sort();
    hidden.dedup();
    hidden
}

/// Which of the paths are folders around a bot's own files, to be covered but for these and for what the user shows there.
/// A folder in which its files lie directly is its own.
pub(crate) fn covered(paths: &[PathBuf], own: &[PathBuf], more: &[PathBuf]) -> Vec<Cover> {
    let real = |path: &PathBuf| fs::canonicalize(path).ok();
    let own: Vec<PathBuf> = own.iter().filter_map(real).map(with_neighbours).collect();
    let below = |path: &Path, folder: &Path| path != folder && path.starts_with(folder);
    let mut covered: Vec<Cover> = Vec::new();
    for folder in paths.iter().filter_map(real) {
        let mut shown: Vec<PathBuf> = own.iter().filter(|path| below(path, &folder)).cloned().collect();
        if shown.is_empty() || own.iter().any(|path| folder.starts_with(path)) {
            continue;
        }
        shown.extend(more.iter().filter_map(real).filter(|path| below(path, &folder)));
        shown.sort();
        shown.dedup();
        covered.push(Cover {
            folder,
            shown: shown.into_iter().map(|path| Seen { at: path.clone(), real: path }).collect(),
        });
    }
    covered.sort_by(|a, b| a.folder.cmp(&b.folder));
    covered.dedup();
    covered
}

/// Where the program of a command line is.
fn program(word: &str, folder: &Path) -> Option<PathBuf> {
    if word.contains('/') {
        return Some(absolute(Path::new(word), folder));
    }
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(word)).find(|path| path.is_file())
}

/// A program with the installation that it belongs to, along all symbolic links.
fn installation(program: &Path, paths: &mut Vec<PathBuf>) {
    let mut path = program.to_owned();
    for _ in 0..LINKS {
        let folder = path.parent().unwrap_or(Path::new("/"));
        let above = folder.parent();
        let prefix = above.filter(|prefix| folder.ends_with("bin") && prefix.join("lib").is_dir());
        match prefix {
            // Scripts of a manager of versions, which find the program that is meant somewhere beside them.
            None if folder.ends_with("shims") => {
                paths.extend(above.filter(|above| !is_wide(above)).map(Path::to_owned));
            }
            Some(prefix) => {
                paths.extend(PARTS.iter().map(|part| prefix.join(part)).filter(|part| part.exists()));
            }
            None => paths.push(with_neighbours(path.clone())),
        }
        let Ok(target) = fs::read_link(&path) else { return };
        path = absolute(&target, folder);
    }
}

/// The folder of a file, unless that is far more than the bot's.
fn with_neighbours(path: PathBuf) -> PathBuf {
    if path.is_dir() {
        return path;
    }
    match path.parent() {
        Some(folder) if !is_wide(folder) => folder.to_owned(),
        _ => path,
    }
}

/// Whether a folder holds far more than one bot: the home folder and all above it, and the like.
fn is_wide(folder: &Path) -> bool {
    let home = env::var_os("HOME").map(PathBuf::from);
    WIDE.iter().any(|wide| folder == Path::new(wide))
        || home.is_some_and(|home| home.starts_with(folder))
        || fs::canonicalize(folder).is_ok_and(|real| real != folder && is_wide(&real))
}

pub(crate) fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system))
}

/// A path from the root, without `.` and `..`.
fn absolute(path: &Path, folder: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Component::ParentDir => {
                whole.pop();
            }
            Component::CurDir => {}
            part => whole.push(part),
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(list: &[&str]) -> Vec<String> {
        list.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_bot_sees_its_own_folder_and_what_it_names() {
        let root = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(root.path()).unwrap();
        for folder in ["bots/a", "bots/b", "lib"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in ["bots/a/bot.py", "bots/b/bot.py", "lib/x.jar", "weights.bin"] {
            fs::write(root.join(file), "").unwrap();
        }
        let command = words(&["sh", "a/bot.py", "--weights=../weights.bin", "-cp", "a:../lib/x.jar", "none"]);
        let folder = root.join("bots");
        let own = own_files(&command, &folder);
        let expected = ["bots/a", "bots/a/bot.py", "lib/x.jar", "weights.bin"].map(|name| root.join(name));
        assert_eq!(own, expected);
        let more = [root.join("lib")];
        let at: Vec<PathBuf> = of_command(&words(&["python3", "a/bot.py"]), &folder, &more)
            .into_iter()
            .map(|seen| seen.at)
            .collect();
        assert!(at.contains(&root.join("bots/a")) && at.contains(&root.join("lib")), "{at:?}");
        assert!(!at.iter().any(|path| root.join("bots/b").starts_with(path)), "{at:?}");
    }

    #[test]
    fn a_file_in_a_wide_folder_comes_alone() {
        let file = tempfile::Builder::new().tempfile_in("/tmp").unwrap();
        assert_eq!(with_neighbours(file.path().to_owned()), file.path());
        assert!(is_wide(Path::new("/")) && is_wide(Path::new("/home")));
        if let Some(home) = env::var_os("HOME") {
            assert!(is_wide(Path::new(&home)));
        }
    }

    #[test]
    fn what_a_bot_needs_itself_is_not_hidden() {
        let root = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(root.path()).unwrap();
        for file in ["a.py", "b.py"] {
            fs::write(root.join(file), "").unwrap();
        }
        let paths = [root.clone(), root.join("a.py"), root.join("b.py"), root.join("nowhere")];
        assert_eq!(hidden(&paths, &[root.join("a.py")]), [root.join("b.py")]);
        // Its neighbours may be its own.
        assert_eq!(covered(&paths, &[root.join("a.py")], &[]), []);
    }

    #[test]
    fn of_a_folder_around_it_a_bot_sees_its_own_alone() {
        let root = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(root.path()).unwrap();
        for folder in ["store/a/bot", "store/b/bot", "lib", "journal"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::write(root.join("store/a/bot/bot.py"), "").unwrap();
        let own = [root.join("store/a/bot/bot.py")];
        let more = [root.join("lib"), PathBuf::from("/usr")];
        let found = covered(&[root.clone(), root.join("journal")], &own, &more);
        let [cover] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(cover.folder, root);
        let shown: Vec<&PathBuf> = cover.shown.iter().map(|seen| &seen.at).collect();
        assert_eq!(shown, [&root.join("lib"), &root.join("store/a/bot")]);
    }
}
