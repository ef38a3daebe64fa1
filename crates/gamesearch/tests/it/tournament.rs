//! The tournament command from outside: real processes, real signals, wrong arguments.
//!
//! Nothing here depends on how fast the machine is: runs that are to be stopped cannot end by themselves before that,
//! because a bot waits for a file, and everything is waited for by its effect.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{PROGRAM, program, refuse, run, text};

/// Far longer than anything here takes, even on a crowded machine.
const DEADLINE: Duration = Duration::from_mins(4);

fn folder(parent: &tempfile::TempDir, name: &str) -> (PathBuf, String) {
    let path = parent.path().join(name);
    let text = path.display().to_string();
    (path, text)
}

/// What must be the same however a plan was played.
fn results(folder: &Path) -> (String, String) {
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    (read("summary.json"), read("standings.csv"))
}

fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(started.elapsed() < DEADLINE, "waited in vain: {what}");
        sleep(Duration::from_millis(5));
    }
}

fn signal(child: &Child, name: &str) {
    Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
}

/// How many lines of its journal are games.
fn games_in(folder: &Path) -> usize {
    let journal = fs::read_to_string(folder.join("journal.jsonl")).unwrap();
    journal.lines().filter(|line| line.contains("\"index\":")).count()
}

/// A UGI bot for Hus that makes the file `started` at its first move and answers none before the file `go` is there.
fn waiting_bot(folder: &Path) -> String {
    let path = folder.join("waiting.sh");
    let file = |name: &str| folder.join(name).display().to_string();
    // The two files stand in the script, not in the command: files that a command names are part of what the bot is.
    let script = format!(
        "while read -r word rest; do\n\
         case $word in\n\
         ugi) echo 'id name waiting'; echo ugiok ;;\n\
         isready) echo readyok ;;\n\
         go) : > '{}'; while [ ! -e '{}' ]; do sleep 0.02; done; echo bestmove 40 ;;\n\
         quit) exit 0 ;;\n\
         esac\n\
         done\n",
        file("started"),
        file("go")
    );
    fs::write(&path, script).unwrap();
    format!("waiting=ugi:sh '{}'", path.display())
}

const HUS: [&str; 8] = ["--games", "hus", "--bots", "random", "other=random", "--seed", "3", "--no-report"];

#[test]
fn the_run_folder_holds_everything_and_jobs_change_nothing() {
    let temporary = tempfile::tempdir().unwrap();
    let (one, one_text) = folder(&temporary, "one");
    let (two, two_text) = folder(&temporary, "two");
    let games =
        ["tournament", "--games", "hus", "colosseum", "--bots", "random", "other=random", "--rounds", "3"];
    let output = run(&[&games[..], &["--jobs", "1", "--out", &one_text]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("hus: 6 games"), "{}", text(&output.stdout));
    let output = run(&[&games[..], &["--jobs", "3", "--out", &two_text]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(results(&one), results(&two));
    for name in ["plan.json", "tournament.toml", "journal.jsonl", "timings.json", "report.html"] {
        assert!(one.join(name).is_file(), "{name} is missing");
    }
    let timings = fs::read_to_string(one.join("timings.json")).unwrap();
    assert!(
        ["processor", "cores", "compiler", "version"].iter().all(|fact| timings.contains(fact)),
        "{timings}"
    );
    let page = fs::read_to_string(one.join("report.html")).unwrap();
    assert!(
        !page.contains("http://")
            || page.matches("http://").count() == page.matches("http://www.w3.org").count()
    );
    assert!(!page.contains("https://") && !page.contains("NaN"));

    // The report again, from the journal alone.
    fs::remove_file(one.join("report.html")).unwrap();
    assert!(run(&["render", &one_text]).status.success());
    assert_eq!(fs::read_to_string(one.join("report.html")).unwrap(), page);

    let output = run(&["replay", &one_text, "1", "--ply", "0"]);
    assert!(text(&output.stdout).contains("other against random"), "{}", text(&output.stdout));
    let output = run(&["replay", &one_text, "4000"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("has no game `4000`; it holds 12 games"),
        "{}",
        text(&output.stderr)
    );

    // More rounds take the games that are there.
    let (_, three_text) = folder(&temporary, "three");
    let more =
        ["tournament", "--games", "hus", "colosseum", "--bots", "random", "other=random", "--rounds", "4"];
    let output = run(&[&more[..], &["--no-report", "--reuse", &one_text, "--out", &three_text]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let timings = fs::read_to_string(temporary.path().join("three/timings.json")).unwrap();
    assert!(timings.contains("\"reused\": 12") && timings.contains("\"played\": 4"), "{timings}");
}

#[test]
fn shards_merge_to_the_bytes_of_one_run() {
    let temporary = tempfile::tempdir().unwrap();
    let (whole, whole_text) = folder(&temporary, "whole");
    let base = [&["tournament"][..], &HUS[..], &["--rounds", "9"]].concat();
    assert!(run(&[&base[..], &["--out", &whole_text]].concat()).status.success());
    let parts: Vec<String> = (0..4)
        .map(|index| {
            let (_, part) = folder(&temporary, &format!("part{index}"));
            let shard = format!("{index}/4");
            let output = run(&[&base[..], &["--shard", &shard, "--out", &part]].concat());
            assert!(output.status.success(), "{}", text(&output.stderr));
            part
        })
        .collect();
    let (merged, merged_text) = folder(&temporary, "merged");
    let mut arguments = vec!["merge"];
    arguments.extend(parts.iter().map(String::as_str));
    arguments.extend(["--out", &merged_text]);
    let output = run(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(results(&merged), results(&whole));
    // Also from parts without settings of their own but in their journals; the first one is damaged.
    fs::write(temporary.path().join("part0/tournament.toml"), "").unwrap();
    for part in ["part1", "part2", "part3"] {
        fs::remove_file(temporary.path().join(part).join("tournament.toml")).unwrap();
    }
    let (again, again_text) = folder(&temporary, "again");
    let last = arguments.len() - 1;
    arguments[last] = &again_text;
    let output = run(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let settings = |folder: &Path| fs::read_to_string(folder.join("tournament.toml")).unwrap();
    assert_eq!(settings(&again), settings(&merged));
    // And what was merged keeps them in its own journal.
    fs::remove_file(again.join("tournament.toml")).unwrap();
    let output = run(&["tournament", "--resume", "--no-report", "--out", &again_text]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(results(&again), results(&whole));
    // What is merged can be gone on with: there is nothing left to play.
    let output = run(&["tournament", "--resume", "--no-report", "--out", &merged_text]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(results(&merged), results(&whole));
}

/// Kills a run when its journal has grown by a random amount, so often, then lets it end.
fn kill_and_resume(rounds: &str, kills: u64, most_bytes: u64) {
    let temporary = tempfile::tempdir().unwrap();
    let (whole, whole_text) = folder(&temporary, "whole");
    let (killed, killed_text) = folder(&temporary, "killed");
    let base = [&["tournament"][..], &HUS[..], &["--rounds", rounds]].concat();
    assert!(run(&[&base[..], &["--out", &whole_text]].concat()).status.success());
    let journal = killed.join("journal.jsonl");
    let length = || fs::metadata(&journal).map_or(0, |metadata| metadata.len());
    for number in 0..kills {
        let resume: &[&str] = if length() > 0 { &["--resume"] } else { &[] };
        let arguments = [&base[..], &["--out", &killed_text], resume].concat();
        let mut child = program(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        if number > 0 && number % 20 == 0 {
            eprintln!("killed {number} times, {} bytes of journal", length());
        }
        let wanted = length() + 1 + search_core::split_mix(number) % most_bytes;
        wait_until("the journal grows or the run ends", || {
            length() >= wanted || child.try_wait().unwrap().is_some()
        });
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let output = run(&[&base[..], &["--resume", "--out", &killed_text]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(results(&killed), results(&whole));
    // Each game once: as many lines as in the uninterrupted run.
    let lines = |folder: &Path| fs::read_to_string(folder.join("journal.jsonl")).unwrap().lines().count();
    assert_eq!(lines(&killed), lines(&whole));
}

#[test]
fn killed_twenty_times_and_nothing_is_lost() {
    kill_and_resume("600", 20, 60_000);
}

#[test]
#[ignore = "long: part of `cargo xtask soak`"]
fn killed_two_hundred_times_and_nothing_is_lost() {
    kill_and_resume("20000", 200, 300_000);
}

#[test]
fn one_interrupt_finishes_the_games_under_way() {
    let temporary = tempfile::tempdir().unwrap();
    let (out, out_text) = folder(&temporary, "run");
    let bot = waiting_bot(temporary.path());
    // Far too many rounds to end before the signal, and the bot waits for it in the first game.
    let arguments =
        ["tournament", "--games", "hus", "--bots", "random", &bot, "--rounds", "100000", "--jobs", "1"];
    let mut child = program(&arguments)
        // The bot talks to this test through files.
        .args(["--sandbox", "off", "--no-report", "--out", &out_text])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("the bot is asked", || temporary.path().join("started").exists());
    signal(&child, "-INT");
    fs::write(temporary.path().join("go"), "").unwrap();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < DEADLINE, "the run does not end");
        sleep(Duration::from_millis(10));
    }
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3), "{said}");
    assert!(said.contains("--resume --out"), "{said}");
    assert!(games_in(&out) >= 1, "the game under way was finished");
    assert!(out.join("summary.json").is_file());
}

#[test]
fn two_interrupts_stop_at_once_and_the_run_goes_on_later() {
    let temporary = tempfile::tempdir().unwrap();
    let (out, out_text) = folder(&temporary, "run");
    let bot = waiting_bot(temporary.path());
    let (log, shown) = (temporary.path().join("stderr"), temporary.path().join("stdout"));
    let arguments =
        ["tournament", "--games", "hus", "--bots", "random", &bot, "--rounds", "1", "--jobs", "1"];
    let mut child = program(&arguments)
        .args(["--sandbox", "off", "--no-report", "--out", &out_text])
        .stdout(fs::File::create(&shown).unwrap())
        .stderr(fs::File::create(&log).unwrap())
        .spawn()
        .unwrap();
    wait_until("the bot is asked", || temporary.path().join("started").exists());
    signal(&child, "-INT");
    wait_until("the first signal is seen", || fs::read_to_string(&log).unwrap().contains("finishing"));
    signal(&child, "-INT");
    wait_until("the run ends", || child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(3));
    let (said, table) = (fs::read_to_string(&log).unwrap(), fs::read_to_string(&shown).unwrap());
    assert!(said.contains(&format!("gamesearch tournament --resume --out {out_text}")), "{said}");
    assert!(table.contains("hus: 0 games") && table.contains("waiting"), "{table}");
    fs::write(temporary.path().join("go"), "").unwrap();
    let output = run(&["tournament", "--resume", "--no-report", "--out", &out_text]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let journal = fs::read_to_string(out.join("journal.jsonl")).unwrap();
    assert_eq!(games_in(&out), 2);
    assert!(journal.contains("\"reason\":\"protocol\""), "{journal}");
    // A person gave the first game up: nobody is suspected of it.
    assert!(journal.contains("{\"left\":"), "{journal}");
}

/// A UGI bot that crashes when it is asked, and from its third start on does not start any more, until the file `well`
/// is there.
fn moody_bot(folder: &Path) -> String {
    let path = folder.join("moody.sh");
    let file = |name: &str| folder.join(name).display().to_string();
    let script = format!(
        "count=$(cat '{0}' 2>/dev/null || echo 0); echo $((count + 1)) > '{0}'\n\
         if [ $count -ge 2 ] && [ ! -e '{1}' ]; then echo 'no licence' >&2; exit 7; fi\n\
         while read -r word rest; do\n\
         case $word in\n\
         ugi) echo 'id name moody'; echo ugiok ;;\n\
         isready) echo readyok ;;\n\
         go) exit 3 ;;\n\
         quit) exit 0 ;;\n\
         esac\n\
         done\n",
        file("count"),
        file("well")
    );
    fs::write(&path, script).unwrap();
    format!("moody=ugi:sh '{}'", path.display())
}

#[test]
fn a_bot_that_fails_to_start_three_times_is_withdrawn_and_the_rest_goes_on() {
    let temporary = tempfile::tempdir().unwrap();
    let (out, out_text) = folder(&temporary, "run");
    let bot = moody_bot(temporary.path());
    let bots = ["--bots", "random", &bot, "other=random"];
    // It counts its starts in a file.
    let alone = ["--sandbox", "off", "--rounds", "3", "--jobs", "1"];
    let base = [&["tournament", "--games", "hus"][..], &bots, &alone].concat();
    let output = run(&[&base[..], &["--out", &out_text]].concat());
    let (said, shown) = (text(&output.stderr), text(&output.stdout));
    assert!(output.status.success(), "{said}");
    assert!(said.contains("moody was withdrawn after three failures to start"), "{said}");
    assert!(said.contains("exit code 7") && said.contains("no licence"), "{said}");
    assert!(shown.contains("note: moody was withdrawn because it would not start"), "{shown}");
    let games = |with: &str, journal: &str| {
        journal.lines().filter(|line| line.contains("\"turns\":") && line.contains(with)).count()
    };
    let journal = fs::read_to_string(out.join("journal.jsonl")).unwrap();
    let (all, voided) = (games("", &journal), games("\"moody\"", &journal));
    assert_eq!(all - voided, 6, "the games of the others are all there: {journal}");
    assert!((1..12).contains(&voided), "{journal}");
    let (summary, standings) = results(&out);
    assert!(summary.contains("\"withdrawn\": true"), "{summary}");
    assert!(standings.contains("hus,3,moody,0,0,0,0,0,"), "{standings}");
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert_eq!(page.matches("\"tag\":\"voided\"").count(), voided, "its games are named in the report");
    assert!(page.contains("moody was withdrawn because it would not start"));

    // The journal knows it as well.
    assert!(run(&["render", &out_text]).status.success());
    assert_eq!(results(&out), (summary.clone(), standings.clone()));
    let (merged, merged_text) = folder(&temporary, "merged");
    assert!(run(&["merge", &out_text, "--out", &merged_text]).status.success());
    assert_eq!(results(&merged), (summary, standings));

    // A bot that starts again gets another chance: everything is played.
    fs::write(temporary.path().join("well"), "").unwrap();
    let output = run(&["tournament", "--resume", "--out", &out_text]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let journal = fs::read_to_string(out.join("journal.jsonl")).unwrap();
    assert_eq!((games("", &journal), games("\"moody\"", &journal)), (18, 12), "{journal}");
    assert!(!results(&out).0.contains("\"withdrawn\": true"));
}

#[test]
fn damaged_lines_are_reported_by_number_and_nothing_else_is_lost() {
    let temporary = tempfile::tempdir().unwrap();
    let (out, out_text) = folder(&temporary, "run");
    let base = [&["tournament"][..], &HUS[..], &["--rounds", "4", "--out", &out_text]].concat();
    assert!(run(&base).status.success());
    let expected = results(&out);
    let journal = out.join("journal.jsonl");
    let mut lines: Vec<String> = fs::read_to_string(&journal).unwrap().lines().map(str::to_owned).collect();
    lines[2] = lines[2].replace("\"outcome\":\"p", "\"outcome\":\"q");
    lines[4] = "not a line".to_owned();
    let torn = lines.pop().unwrap();
    fs::write(&journal, format!("{}\n{}", lines.join("\n"), &torn[..40])).unwrap();
    let output = run(&["tournament", "--resume", "--no-report", "--out", &out_text]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    for part in ["line 3 is left out", "line 5 is left out", "line 9 is left out: it was not finished"] {
        assert!(said.contains(part), "{said}");
    }
    assert_eq!(results(&out), expected);
}

#[test]
fn wrong_usage_says_what_was_expected() {
    let temporary = tempfile::tempdir().unwrap();
    let (out, out_text) = folder(&temporary, "run");
    let positions = format!("file={}", temporary.path().join("positions").display());
    fs::write(temporary.path().join("positions"), "aa1aa1ab/aa1b2a1/8/8/8/8/A2AA2A/AB1AA1BA w 4\n").unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["--games", "chess"], "there is no game `chess`"),
        (&["--games", "hus:3"], "the set-up of hus"),
        (&["--bots", "random", "alfabeta"], "did you mean `alphabeta`?"),
        (&["--bots", "random", "random"], "the bot `random` is there twice"),
        (&["--bots", "random"], "at least two bots, found 1"),
        (&["--limits", "nodes=x"], "expected a whole number from 1, found `x`"),
        (&["--limits", "speed=3"], "there is no limit `speed`"),
        (&["--bot-limits", "mcts"], "expected BOT@LIMITS"),
        (&["--bot-limits", "nobody@nodes=3"], "no bot is called `nobody`"),
        (&["--rounds", "0"], "at least one round"),
        (&["--sprt", "5"], "the comma is missing"),
        (&["--sprt", "0,5"], "exactly two bots, found 4"),
        (&["--shard", "4/4"], "I from 0 to N-1"),
        (&["--openings", "random:x"], "expected `auto`, `start`, `random:N`"),
        (&["--openings", "file=no/such/file"], "cannot read the openings no/such/file"),
        (
            &["--games", "expendibots", "--bots", "random", "x=comp30024:.", "--openings", &positions],
            "can only follow a game from the",
        ),
        (&["--margin", "5"], "margin: expected a time"),
        (&["--anchor", "nobody"], "no bot is called `nobody`; the bots are random, greedy, mcts, alphabeta"),
        (&["--file", "no/such/file"], "cannot read no/such/file"),
        (&["--resume"], "holds no run to go on with"),
        (&["--reuse", "no/such/run"], "--reuse: no/such/run holds no run"),
        (&["--format", "knockout"], "expected one of `round-robin`, `gauntlet`, `swiss`"),
    ];
    for (arguments, part) in cases {
        let games: &[&str] = if arguments.contains(&"--games") { &[] } else { &["--games", "hus"] };
        let output = run(&[&["tournament", "--out", &out_text][..], games, arguments].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(part), "{arguments:?}: {said}");
        assert!(!out.join("journal.jsonl").exists(), "{arguments:?} made a journal");
    }
}

/// The folder that a run without `--out` makes for itself goes again if the run never began.
#[test]
fn a_mistake_leaves_no_run_folder_behind() {
    let temporary = tempfile::tempdir().unwrap();
    let mistakes: &[&[&str]] = &[
        &["--bots", "random", "alfabeta"],
        &["--bots", "random", "ugi:no-such-program"],
        &["--bots", "random", "greedy", "--reuse", "no/such/run"],
    ];
    for mistake in mistakes {
        let arguments = [&["tournament", "--games", "hus", "--rounds", "1"][..], mistake].concat();
        let output = program(&arguments).current_dir(temporary.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{mistake:?}: {}", text(&output.stderr));
        let left = fs::read_dir(temporary.path().join("runs"));
        let left: Vec<_> = left.map_or_else(|_| Vec::new(), Iterator::collect);
        assert!(left.is_empty(), "{mistake:?} left {left:?}");
        let output =
            program(&arguments).args(["--out", "named"]).current_dir(temporary.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(!temporary.path().join("named").exists(), "{mistake:?} left the folder it named");
    }
}

#[test]
fn errors_in_a_file_point_at_the_line() {
    let temporary = tempfile::tempdir().unwrap();
    let (_, out_text) = folder(&temporary, "run");
    let file = temporary.path().join("tournament.toml");
    let file_text = file.display().to_string();
    let cases = [
        ("games = [\"hus\"]\nroundz = 3\n", "tournament.toml:2: unknown field `roundz`"),
        ("games = [\"hus\",\n\"chess\"]\n", "tournament.toml:2: there is no game `chess`"),
        (
            "games = [\"hus\"]\nlimits = \"nodes=x\"\n",
            "tournament.toml:2: nodes: expected a whole number from 1, found `x`\n  2 | limits = \"nodes=x\"",
        ),
        ("games = [\"hus\"]\nbots = [\"random\",\n \"mctz\"]\n", "tournament.toml:3: hus has no bot `mctz`"),
        (
            "games = [\"hus\"]\n[bots.a]\nspec = \"random\"\n[bots.b]\nlimits = \"nodes=3\"\n",
            "tournament.toml:4: a bot needs either `spec` or `command`\n  4 | [bots.b]",
        ),
        (
            "games = [\"hus\"]\n[bots]\na = \"random\"\nb = 3\n",
            "tournament.toml:4: invalid type: integer `3`, expected a spec string, or a table with",
        ),
        (
            "games = [\"hus\"]\n[bots]\na = \"random\"\n\"b/c\" = \"greedy\"\n",
            "tournament.toml:4: expected a bot's name",
        ),
        ("games = [\"hus\"]\nrounds = \"many\"\n", "tournament.toml:2: invalid type: string \"many\""),
        (
            "games = [\"hus\"]\nopenings = \"file=no/such/file\"\n",
            "tournament.toml:2: cannot read the openings no/such/file",
        ),
        ("games = [\"hus\"]\nsprt-errors = \"0.1,0.1\"\n", "tournament.toml:2: a model or error rates"),
        ("games = [\"hus\"]\nsprt-model = \"logistic\"\n", "a model or error rates"),
        ("games = [\"hus\"]\nformat = \"knockout\"\n", "tournament.toml:2: unknown variant `knockout`"),
        ("games = [\"hus\"]\nanchor = \"nobody\"\n", "tournament.toml:2: anchor: no bot is called `nobody`"),
        ("games = [\"hus\"]\nbot-limits = [\"x@nodes=2\"]\n", "no bot is called `x`"),
        ("games = [\"hus\"]\nshard = \"4/4\"\n", "tournament.toml:2: expected a shard as `I/N`"),
    ];
    for (contents, part) in cases {
        fs::write(&file, contents).unwrap();
        let output = run(&["tournament", "--file", &file_text, "--out", &out_text]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{contents}: {said}");
        assert!(said.contains(part), "{contents}: {said}");
    }
    fs::write(
        &file,
        "games = [\"hus\", \"colosseum:size=7\"]\nrounds = 2\nseed = 9\nanchor = \"b\"\n\
         [bots.a]\nspec = \"random\"\nlimits = \"depth=2\"\n[bots.b]\nspec = \"random\"\n[bots.c]\nspec = \"random\"\n",
    )
    .unwrap();
    let output = run(&["tournament", "--file", &file_text, "--no-report", "--out", &out_text]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("colosseum:size=7") && said.contains("over b"), "{said}");
    let summary = fs::read_to_string(temporary.path().join("run/summary.json")).unwrap();
    assert!(summary.contains("\"a\": \"depth=2\"") && summary.contains("\"seed\": 9"), "{summary}");
}

/// The author of a bot that crashes sees its own words at once.
#[test]
fn the_last_words_of_a_crashed_bot_are_shown() {
    let temporary = tempfile::tempdir().unwrap();
    let script = temporary.path().join("crash.sh");
    let lines = "while read -r word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; \
                 go) echo \"KeyError: 'no such pit'\" >&2; exit 1;; esac; done\n";
    fs::write(&script, lines).unwrap();
    let (_, out_text) = folder(&temporary, "run");
    let bot = format!("mine=ugi:sh {}", script.display());
    let output =
        run(&["tournament", "--games", "hus", "--bots", &bot, "random", "--rounds", "1", "--out", &out_text]);
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    let head = format!("mine failed first in game 0 (crash; gamesearch replay {out_text} 0):");
    assert!(said.contains(&head) && said.contains("KeyError: 'no such pit'"), "{said}");
}

/// Every option can stand in the file, also those that say how the run is carried out.
#[test]
fn a_file_says_how_the_run_is_carried_out() {
    let temporary = tempfile::tempdir().unwrap();
    let file = temporary.path().join("tournament.toml");
    let file_text = file.display().to_string();
    let write = |more: &str| {
        let contents =
            format!("games = [\"hus\"]\nbots = [\"random\", \"greedy\"]\nrounds = 4\njobs = 1\n{more}");
        fs::write(&file, contents).unwrap();
    };
    let tournament = |more: &[&str]| {
        let arguments = [&["tournament", "--file", &file_text][..], more].concat();
        let output = program(&arguments).current_dir(temporary.path()).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        (text(&output.stdout), text(&output.stderr))
    };
    let read = |name: &str| fs::read_to_string(temporary.path().join(name)).unwrap();

    write("out = \"half\"\nshard = \"0/2\"\nno-report = true\n");
    let (_, said) = tournament(&[]);
    assert!(said.contains("1 at a time, into half"), "{said}");
    assert_eq!(read("half/journal.jsonl").lines().count(), 1 + 4);
    assert!(!temporary.path().join("half/report.html").exists());

    // The command line comes first.
    write("out = \"half\"\nreuse = [\"half\"]\nno-report = true\n");
    tournament(&["--out", "whole"]);
    let timings = read("whole/timings.json");
    assert!(timings.contains("\"reused\": 4") && timings.contains("\"played\": 4"), "{timings}");

    write("out = \"whole\"\nresume = true\nno-report = true\n");
    tournament(&[]);
    assert!(read("whole/timings.json").contains("\"resumed\": 8"));
}

#[test]
fn what_the_system_refuses_is_a_failure_before_any_game() {
    let temporary = tempfile::tempdir().unwrap();
    let in_the_way = temporary.path().join("file");
    fs::write(&in_the_way, "").unwrap();
    let below = in_the_way.join("run").display().to_string();
    let base = [&["tournament"][..], &HUS[..], &["--rounds", "2"]].concat();
    let output = run(&[&base[..], &["--out", &below]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("cannot make the folder"), "{}", text(&output.stderr));
    // A run that is there is not overwritten.
    let (_, out_text) = folder(&temporary, "run");
    assert!(run(&[&base[..], &["--out", &out_text]].concat()).status.success());
    let output = run(&[&base[..], &["--out", &out_text]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("already holds a run"), "{}", text(&output.stderr));
    // Another plan's journal is refused.
    let output = run(&[&base[..], &["--seed", "4", "--resume", "--out", &out_text]].concat());
    assert_eq!(output.status.code(), Some(2), "an option twice is an error of its own");
    let other = ["--seed", "4", "--rounds", "3", "--bot-limits", "other@nodes=7", "--no-report"];
    let said = refuse(&[&["tournament", "--resume", "--out", &out_text][..], &other].concat());
    for difference in
        ["rounds: 2 in the run, 3 now", "seed: 3 in the run, 4 now", "limits.1: \"nodes=", "\"nodes=7\" now"]
    {
        assert!(said.contains(difference), "{difference}: {said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_before_any_game() {
    let temporary = tempfile::tempdir().unwrap();
    let (out, out_text) = folder(&temporary, "run");
    fs::create_dir(&out).unwrap();
    std::os::unix::fs::symlink("/dev/full", out.join("journal.jsonl")).unwrap();
    let output = run(&[&["tournament"][..], &HUS[..], &["--rounds", "2", "--out", &out_text]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("No space left"), "{}", text(&output.stderr));
}

#[test]
fn positions_are_shown_and_wrong_ones_explained() {
    let output = run(&["show", "hus"]);
    assert!(text(&output.stdout).contains("p1 has 24 moves: 0 1 2"), "{}", text(&output.stdout));
    let output = run(&["show", "hus", "nonsense"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("this is not a position of hus"), "{}", text(&output.stderr));
}

/// The recipe of docs/scaling.md, where GNU parallel is there.
#[test]
fn gnu_parallel_plays_the_shards() {
    let there = Command::new("parallel").arg("--version").output();
    if !there.is_ok_and(|output| text(&output.stdout).starts_with("GNU parallel")) {
        return;
    }
    let temporary = tempfile::tempdir().unwrap();
    let program = PROGRAM;
    let script = format!(
        "parallel --will-cite --jobs 2 --joblog joblog --resume-failed \
         '{program}' tournament --games hus --bots random other=random --rounds 6 --seed 3 --jobs 1 \
         --no-report --out part{{}} --shard {{}}/3 ::: 0 1 2 && '{program}' merge part0 part1 part2 --out whole"
    );
    let output = Command::new("sh").args(["-c", &script]).current_dir(temporary.path()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let (single, single_text) = folder(&temporary, "single");
    let base = [&["tournament"][..], &HUS[..], &["--rounds", "6"]].concat();
    assert!(run(&[&base[..], &["--out", &single_text]].concat()).status.success());
    assert_eq!(results(&temporary.path().join("whole")), results(&single));
}

/// Opens a report in headless Chromium, where that is there, and plays every first game through with the slider.
#[test]
#[ignore = "long: part of `cargo xtask soak`"]
fn the_page_works_in_a_browser() {
    let Some(browser) = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    }) else {
        return;
    };
    let temporary = tempfile::tempdir().unwrap();
    let (out, out_text) = folder(&temporary, "run");
    let output =
        run(&["tournament", "--bots", "random", "other=random", "--rounds", "60", "--out", &out_text]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.len() < 20_000_000);
    let watch = "<script>window.faults=[];onerror=(text)=>{faults.push(text)};\
        console.error=(text)=>{faults.push(String(text))};</script><head>";
    // Every game of the page is stepped through with the button, turn by turn, and its last position must differ from
    // its first; then a side file is loaded, and a game of it shown.
    let check = "<script>(()=>{const seen=[];document.querySelectorAll('.games').forEach((box)=>{\
        const slider=box.querySelector('input[type=range]');const picture=box.querySelector('.picture');\
        let steps=0,good=true;box.querySelectorAll('.list button').forEach((button)=>{button.click();\
        const first=picture.innerHTML;const next=box.querySelector('.next');const turns=Number(slider.max);\
        for(let turn=0;turn<Math.min(turns,60);turn++){next.click();steps+=1;}\
        slider.value=slider.max;slider.oninput();\
        good=good&&picture.innerHTML.includes('<svg')&&!picture.innerHTML.includes('undefined')\
        &&(turns===0||picture.innerHTML!==first)&&box.querySelector('.ply').textContent===`${turns} / ${turns}`;});\
        box.querySelector('.back').click();\
        good=good&&box.querySelector('.ply').textContent===`${slider.max-1} / ${slider.max}`;\
        seen.push([box.dataset.event,good,steps>100].join(' '));});\
        const more=document.querySelector('.more');more.selectedIndex=1;more.onchange();\
        const before=document.querySelectorAll('.list button').length;\
        setTimeout(()=>{const after=document.querySelectorAll('.list button').length;\
        document.querySelector('.games').querySelector('.list').lastChild.click();\
        document.title='checked '+seen.join(', ')+' more '+(after>before)+' faults '+faults.length+' '+faults.join(';');},800);})()</script></body>";
    let page = page.replacen("<head>", watch, 1).replacen("</body>", check, 1);
    fs::write(out.join("check.html"), page).unwrap();
    let address = format!("file://{}", out.join("check.html").display());
    let profile = format!("--user-data-dir={}", temporary.path().join("profile").display());
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--no-first-run",
            &profile,
            "--virtual-time-budget=10000",
            "--dump-dom",
            &address,
        ])
        .output()
        .unwrap();
    let page = text(&output.stdout);
    let title = page.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).unwrap_or("none");
    let expected = "checked expendibots true true, ropasci360 true true, hus true true, colosseum true true more true faults 0 ";
    assert_eq!(title.trim_end(), expected.trim_end());
}
