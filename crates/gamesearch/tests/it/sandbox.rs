//! A tournament with a bot that attacks everything in reach ends as if it did not.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;

use crate::common::{run, succeed, text};
use crate::outside::{have, python};

/// Plays as `any_move.py` does. Beside a file `attack` it also tries before each move what a bot must not do.
const HOSTILE: &str = r#"
import ctypes, glob, os, random, signal, socket, sys, time

here = os.path.dirname(os.path.abspath(__file__))
attacks = []
legal = []
# Attacks that worked: then it plays another game.
worked = []

def journal():
    for path in glob.glob(here + "/../../run*/*"):
        open(path, "w").close()

def own_files():
    open(os.path.join(here, "planted"), "w").close()

def others():
    for path in glob.glob(here + "/../*/*.py"):
        if "loser" in path and "attacks" not in path:
            os.truncate(path, 0)

def parent():
    os.kill(os.getppid(), signal.SIGKILL)

def everybody():
    os.kill(-1, signal.SIGSTOP)

def processes():
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) not in (os.getpid(), 0):
            try:
                os.kill(int(entry), signal.SIGKILL)
            except OSError:
                pass

def network():
    socket.create_connection(("127.0.0.1", 22), timeout=1)

def opponent():
    for path in glob.glob(here + "/../*/*.py"):
        if "loser" in path and "attacks" not in path:
            if open(path).read():
                worked.append("opponent")

def trace():
    library = ctypes.CDLL(None, use_errno=True)
    for number in (os.getppid(), 1, 2):
        if library.ptrace(0x4206, number, 0, 0) == 0:
            worked.append("trace")

def disk():
    attacks.remove(disk)
    for number in range(200):
        with open(f"/tmp/fill-{number}", "wb") as file:
            file.write(b"x" * (1 << 20))
    worked.append("disk")

def daemon():
    attacks.remove(daemon)
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True:
                time.sleep(0.01)
        os._exit(0)

if os.path.exists(os.path.join(here, "attack")):
    attacks = [journal, own_files, others, opponent, parent, everybody, processes, trace, network, disk, daemon]

for line in sys.stdin:
    command, *words = line.split() or [""]
    if command == "ugi":
        print("id name hostile")
        print("option name UGI_LegalMoves type check default false")
        print("option name UGI_Seed type spin default 0 min 0 max 9223372036854775807")
        print("ugiok", flush=True)
    elif command == "setoption" and words[1] == "UGI_Seed":
        random.seed(int(words[3]))
    elif command == "isready":
        print("readyok", flush=True)
    elif command == "legal":
        legal = words
    elif command == "go":
        move = random.choice(legal)
        for act in list(attacks):
            try:
                act()
            except OSError:
                pass
        print("bestmove", min(legal) if worked else move, flush=True)
    elif command == "quit":
        break
"#;

#[test]
fn an_attack_changes_no_result() {
    if !have(&python(), &["--version"]) {
        return;
    }
    if !run(&["sandbox", "check"]).status.success() {
        eprintln!("left out: there is no whole sandbox here");
        return;
    }
    let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let file = |name: &str| root.path().join(name);
    for bot in ["bots/attacks", "bots/loser"] {
        fs::create_dir_all(file(bot)).unwrap();
        fs::write(file(bot).join("bot.py"), HOSTILE).unwrap();
    }
    let spec =
        |name: &str| format!("{name}=ugi:{} {}", python(), file("bots").join(name).join("bot.py").display());
    let (attacker, victim) = (spec("attacks"), spec("loser"));
    let tournament = |folder: &Path| {
        let out = folder.display().to_string();
        let arguments = [
            "tournament",
            "--games",
            "hus",
            "--bots",
            "random",
            &attacker,
            &victim,
            "--rounds",
            "1",
            "--limits",
            "nodes=100",
            "--sandbox",
            "on",
            "--out",
            &out,
        ];
        let output = run(&arguments);
        let said = text(&output.stderr);
        assert!(output.status.success(), "{said}\n{}", text(&output.stdout));
        assert!(said.contains("sandbox of bots from outside: on (namespaces"), "{said}");
        assert!(said.contains("no process of a bot from outside is left"), "{said}");
        (fs::read_to_string(folder.join("standings.csv")).unwrap(), said)
    };
    let (meek, _) = tournament(&file("run-meek"));
    fs::write(file("bots/attacks/attack"), "").unwrap();
    let (hostile, said) = tournament(&file("run-hostile"));
    assert_eq!(meek, hostile, "{said}");
    assert!(!file("bots/attacks/planted").exists());
    assert_eq!(fs::read_to_string(file("bots/loser/bot.py")).unwrap(), HOSTILE);
}

#[test]
fn what_is_held_is_said() {
    let output = run(&["sandbox", "check"]);
    let said = text(&output.stdout);
    assert!(said.contains("holds") || said.contains("not possible here"), "{said}");
    let refused = crate::common::refuse(&["tournament", "--sandbox", "perhaps"]);
    assert!(refused.contains("`auto`") || refused.contains("auto"), "{refused}");
    // Nothing is said where no bot is a program.
    let out = succeed(&["analyse", "hus", "start", "--limits", "nodes=100"], "");
    assert!(!out.contains("sandbox"), "{out}");
}
