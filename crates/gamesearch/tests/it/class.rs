//! A class of teams: submissions, ladder, pages, finals and grades.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{program, refuse, run, text, workspace};
use crate::outside::{have, python};

/// A class of Hus in which games are short in time and everything happens soon.
fn class(root: &Path) -> PathBuf {
    class_of(root, "hus")
}

/// Such a class of any game.
pub(crate) fn class_of(root: &Path, game: &str) -> PathBuf {
    let folder = root.join("class");
    let name = folder.display().to_string();
    let made = run(&["class", "init", &name, "--game", game]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let path = folder.join("class.toml");
    let settings = fs::read_to_string(&path).unwrap();
    let quick = settings
        .replace("# limits = \"official\" ", "limits = \"movetime=20s\" ")
        .replace("settle = \"5s\"", "settle = \"1ms\"")
        .replace("every = \"10s\"", "every = \"100ms\"")
        .replace("positions = 20 ", "positions = 3 ")
        .replace("provisional = 75.0 ", "provisional = 300.0 ")
        .replace("disk = 512 ", "file_games = 10\ndisk = 512 ")
        .replace("entrants = 16 ", "entrants = 4 ")
        .replace("pairs = 3 ", "pairs = 1 ")
        .replace("more = 4 ", "more = 1 ")
        .replace("ugi:python3", &format!("ugi:{}", python()));
    fs::write(&path, quick).unwrap();
    folder
}

pub(crate) fn any_move() -> String {
    let example = "crates/gamesearch/src/contests/adapters/examples/any_move.py";
    fs::read_to_string(workspace().join(example)).unwrap()
}

pub(crate) fn hand_in(class: &Path, team: &str, contents: &str) {
    let folder = class.join("submissions").join(team);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("bot.py"), contents).unwrap();
}

/// The lines of the ladder's journal with their game numbers.
fn games(class: &Path) -> Vec<(u64, String)> {
    let mut files: Vec<PathBuf> = fs::read_dir(class.join("ladder"))
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
        .collect();
    files.sort();
    let mut found = Vec::new();
    for path in files {
        for line in fs::read_to_string(path).unwrap().split_inclusive('\n') {
            // What a kill has torn is no game.
            if let Some(line) = line.strip_suffix('\n') {
                let value: serde_json::Value = serde_json::from_str(line).unwrap();
                found.push((value["index"].as_u64().unwrap(), line.to_owned()));
            }
        }
    }
    found
}

pub(crate) fn json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The page of a team that only the team knows.
fn secret_page(class: &Path, team: &str) -> String {
    let links = fs::read_to_string(class.join("team-links.csv")).unwrap();
    let line = links.lines().find(|line| line.contains(&format!("teams/{team}"))).unwrap();
    let path = line.rsplit(',').next().unwrap();
    fs::read_to_string(class.join("site").join(path)).unwrap()
}

#[test]
fn a_class_from_its_submissions_to_its_grades() {
    if !have(&python(), &["--version"]) {
        return;
    }
    let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let class = class(root.path());
    let name = class.display().to_string();
    let good = any_move();
    // What stands beside the settings is what replays games.
    fs::write(class.join("gamesearch.html"), "<!doctype html>the playground").unwrap();
    hand_in(&class, "alpha", &good);
    hand_in(&class, "=1+1<script>alert(1)", &good);
    hand_in(&class, "broken", "raise RuntimeError('<script>no weights</script>')\n");
    std::os::unix::fs::symlink("/etc/passwd", class.join("submissions/broken/link")).unwrap();

    // Killed again and again while it plays: what is in the journal stays there.
    let mut seen: Vec<(u64, String)> = Vec::new();
    for _ in 0..3 {
        let mut ladder =
            program(&["class", &name]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let patience = Instant::now() + Duration::from_mins(2);
        while games(&class).len() < seen.len() + 6 && Instant::now() < patience {
            assert_eq!(ladder.try_wait().unwrap(), None);
            std::thread::sleep(Duration::from_millis(20));
        }
        ladder.kill().unwrap();
        ladder.wait().unwrap();
        let now = games(&class);
        assert!(now.len() >= seen.len() + 6 && now[..seen.len()] == seen[..], "{} {}", now.len(), seen.len());
        seen = now;
    }
    let numbers: BTreeSet<u64> = seen.iter().map(|(index, _)| *index).collect();
    assert_eq!(numbers.len(), seen.len(), "a game is there twice");

    // What is put right plays, and what is broken then leaves the good one in place.
    fs::remove_file(class.join("submissions/broken/link")).unwrap();
    hand_in(&class, "broken", &format!("{good}\n# put right\n"));
    let ended = run(&["class", &name, "--once"]);
    assert!(ended.status.success(), "{}", text(&ended.stderr));
    hand_in(&class, "alpha", "print('<b>I am no bot</b>'\n");
    let ended = run(&["class", &name, "--once"]);
    assert!(
        text(&ended.stderr).contains("alpha: refused (starts and introduces itself"),
        "{}",
        text(&ended.stderr)
    );

    let roster = json(&class.join("store/teams.json"));
    let state = |team: &str| roster["teams"][team]["judged"]["accepted"].as_bool();
    assert_eq!((state("alpha"), state("broken")), (Some(false), Some(true)));
    assert!(roster["teams"]["alpha"]["entry"].is_object());
    let finished = games(&class);
    assert!(finished[..seen.len()] == seen[..]);
    let numbers: BTreeSet<u64> = finished.iter().map(|(index, _)| *index).collect();
    assert_eq!(numbers.len(), finished.len(), "a game is there twice");
    // At the end no pair is half played: every opening was played from both seats.
    assert!(numbers.iter().all(|index| numbers.contains(&(index ^ 1))));

    let live = json(&class.join("site/live.json"));
    assert_eq!(live["rows"].as_array().unwrap().len(), 5);
    assert!(live["facts"].as_str().unwrap().starts_with(&format!("{} games, 3 teams", finished.len())));
    let known = |row: &serde_json::Value| row["team"] == false || row["provisional"] == false;
    assert!(live["rows"].as_array().unwrap().iter().all(known), "{live}");

    // What teams write is text on every page, and what they write to their error streams is on their own page alone.
    let mut pages = Vec::new();
    files_below(&class.join("site"), &mut pages);
    for path in pages.iter().filter(|path| path.extension().is_some_and(|end| end == "html")) {
        let page = fs::read_to_string(path).unwrap();
        assert!(!page.contains("<script>") && !page.contains("<b>I am"), "{}", path.display());
        let own = path.components().any(|part| part.as_os_str() == "secret");
        assert!(own || !page.contains("SyntaxError"), "{}", path.display());
    }
    let report = secret_page(&class, "alpha");
    assert!(
        report.contains("SyntaxError") && report.contains("The last good submission plays on"),
        "{report}"
    );
    let team = fs::read_to_string(class.join("site/teams/alpha.html")).unwrap();
    assert!(team.contains("gamesearch.html#game=hus&amp;setup=standard&amp;start="), "{team}");
    assert_eq!(
        fs::read_to_string(class.join("site/gamesearch.html")).unwrap(),
        "<!doctype html>the playground"
    );
    let standings = fs::read_to_string(class.join("site/standings.csv")).unwrap();
    assert!(standings.contains(",'=1+1<script>alert(1),"), "{standings}");

    // A knock-out among the three, killed by nobody; the same command says the same again.
    let cup = run(&["class", "final", &name, "cup"]);
    assert!(cup.status.success(), "{}", text(&cup.stderr));
    let result = json(&class.join("finals/cup/result.json"));
    assert_eq!(result["over"], true);
    assert_eq!(result["rounds"].as_array().unwrap().len(), 2);
    assert_eq!(result["places"][0]["result"], "winner");
    let bracket = fs::read_to_string(class.join("site/final-cup.html")).unwrap();
    assert!(bracket.contains("<svg") && !bracket.contains("<script>"));
    let again = run(&["class", "final", &name]);
    assert_eq!(text(&cup.stdout), text(&again.stdout));

    let grades = run(&["class", "grade", &name]);
    let grades = text(&grades.stdout);
    let head = "rank,team,score,elo,elo_low,elo_high,provisional,games,won,drawn,lost,failed_by_start,failed_by_crash,";
    assert!(grades.starts_with(head), "{grades}");
    assert!(grades.lines().next().unwrap().contains(",beats_greedy,final_cup,state"), "{grades}");
    assert_eq!(grades.lines().count(), 4, "{grades}");
    // Random moves do not beat a bot that looks one move ahead.
    assert!(
        grades.lines().skip(1).all(|line| line.contains(",no,") || line.contains(",not shown,")),
        "{grades}"
    );
}

pub(crate) fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

/// What is handed in while the team's earlier submission is examined is taken after it, with no new start of the ladder.
#[test]
fn a_team_may_hand_in_again_at_any_moment() {
    if !have(&python(), &["--version"]) {
        return;
    }
    let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let class = class(root.path());
    let name = class.display().to_string();
    let slow = any_move().replacen("import ", "import time\ntime.sleep(1.5)\nimport ", 1);
    assert!(slow.contains("sleep"));
    hand_in(&class, "alpha", &slow);
    let log = root.path().join("log");
    let said = || fs::read_to_string(root.path().join("log")).unwrap();
    let errors = fs::File::create(&log).unwrap();
    let mut ladder =
        program(&["class", &name, "--once"]).stdout(Stdio::null()).stderr(errors).spawn().unwrap();
    let patience = Instant::now() + Duration::from_mins(1);
    while !said().contains("alpha: a new submission") {
        assert!(Instant::now() < patience, "{}", said());
        std::thread::sleep(Duration::from_millis(10));
    }
    let second = format!("{}\n# the second\n", any_move());
    hand_in(&class, "alpha", &second);
    assert!(ladder.wait().unwrap().success(), "{}", said());
    let alpha = &json(&class.join("store/teams.json"))["teams"]["alpha"];
    assert_eq!(alpha["versions"], 2, "{}", said());
    let token = alpha["entry"]["token"].as_str().unwrap();
    let bot = class.join("store/entries/alpha").join(&token[..16]).join("bot/bot.py");
    assert_eq!(fs::read_to_string(bot).unwrap(), second);
    assert_eq!(fs::read_dir(class.join("store/incoming")).unwrap().count(), 0);
}

/// Teams as folders of a branch, and as branches.
#[test]
fn submissions_come_from_a_repository_too() {
    if !have(&python(), &["--version"]) || !have("git", &["--version"]) {
        return;
    }
    let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let class = class(root.path());
    let repository = root.path().join("handed-in");
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.arg("-C").arg(&repository).args(["-c", "user.name=t", "-c", "user.email=t@example.org"]);
        let output = command.args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    };
    for team in ["one", "two"] {
        fs::create_dir_all(repository.join(team)).unwrap();
        fs::write(repository.join(team).join("bot.py"), any_move()).unwrap();
    }
    git(&["init", "--quiet", "--initial-branch=main"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "submissions"]);
    git(&["checkout", "--quiet", "--orphan", "three"]);
    git(&["rm", "-r", "--quiet", "--cached", "."]);
    fs::write(repository.join("bot.py"), any_move()).unwrap();
    git(&["add", "bot.py"]);
    git(&["commit", "--quiet", "-m", "a team of its own"]);
    let path = class.join("class.toml");
    let settings = fs::read_to_string(&path).unwrap();
    let name = class.display().to_string();
    let teams = |kind: &str, hidden: &str| {
        let git = format!("git = \"{}\"\nteams = \"{kind}\"\nbranch = \"{hidden}\"", repository.display());
        fs::write(&path, settings.replace("folder = \"submissions\" ", &format!("{git} "))).unwrap();
        let ended = run(&["class", &name, "--once"]);
        assert!(ended.status.success(), "{}", text(&ended.stderr));
        let roster = json(&class.join("store/teams.json"));
        let playing =
            roster["teams"].as_object().unwrap().iter().filter(|(_, team)| team["entry"].is_object());
        playing.map(|(name, _)| name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(teams("folders", "main"), ["one", "two"]);
    assert_eq!(teams("branches", "main"), ["one", "three", "two"]);
}

#[test]
fn mistakes_in_the_settings_are_named() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("class");
    let name = folder.display().to_string();
    let missing = refuse(&["class", &name]);
    assert!(missing.contains("there is no") && missing.contains("class init"), "{missing}");
    assert!(run(&["class", "init", &name]).status.success());
    assert!(refuse(&["class", "init", &name]).contains("is there already"));
    let path = folder.join("class.toml");
    let settings = fs::read_to_string(&path).unwrap();
    for (from, to, part) in [
        ("settle = \"5s\"", "settle = \"soon\"", "expected a time such as"),
        ("provisional = 75.0", "provisional = -1.0", "a number of Elo above 0"),
        ("folder = \"submissions\"", "", "needs `folder"),
        ("ugi:{folder}/bot\"", "ugi:bot\"", "expected a command with `{folder}`"),
        ("beat = [", "beat = [\"nobody\", ", "there is no reference `nobody`"),
        ("[grades]", "[grade]", "unknown field `grade`"),
        ("format = \"knock-out\"", "format = \"lots\"", "unknown variant `lots`"),
        ("# closes = 2026-05-29T18:00:00Z", "closes = 2026-05-29", "with its zone"),
    ] {
        assert!(settings.contains(from), "{from}");
        fs::write(&path, settings.replacen(from, to, 1)).unwrap();
        let said = refuse(&["class", &name]);
        assert!(said.contains(part), "{from}: {said}");
    }
    fs::write(&path, &settings).unwrap();
    assert!(refuse(&["class", &name, "--for", "soon"]).contains("expected a time"));
    assert!(refuse(&["class", "final", &name, "league"]).contains("no final `league`; they are: cup"));
}
