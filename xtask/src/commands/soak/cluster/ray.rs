//! Ray: a head without processors and two nodes with one each. Any program that reaches a Ray can run anything on it, and it listens on every
//! address, so it gets a network namespace of its own that has nothing but a loopback.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use gamesearch::Failure;

use super::{DEADLINE, Daemon, Yard, wait_until};
use crate::games::workspace;

pub(super) fn run(yard: &Yard) -> Result<Option<bool>, Failure> {
    let Some(python) = python() else {
        anstream::println!("cluster: Ray is skipped: `pip install ray` did not work here");
        return Ok(None);
    };
    let network = Network::new(yard)?;
    let _head = node(yard, &network, &python, &["--head", "--port", PORT, "--num-cpus", "0"])?;
    let worker = || node(yard, &network, &python, &["--address", ADDRESS, "--num-cpus", "1"]);
    wait_until("the head of Ray listens", || {
        let mut look = network.command(&python);
        look.args(["-c", "import socket; socket.create_connection(('127.0.0.1', 6379), 1)"]);
        look.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    })?;
    let (mut lost, _kept) = (worker()?, worker()?);
    yard.plan("whole", 24, "ray-work")?;
    let results = || yard.results("ray-work");

    let mut driver = submit(yard, &network, &python)?;
    wait_until("a result comes", || results() >= 2)?;
    lost.kill();
    anstream::println!("cluster: killed a node of Ray with {} of 24 results there", results());
    // Nodes may come while it runs.
    let _new = worker()?;
    yard.kill_a_worker(&yard.text("ray-work"))?;
    wait_until("more results come", || results() >= 6)?;
    driver.kill();
    anstream::println!("cluster: killed the driver of Ray with {} of 24 results there", results());
    for _ in 0..5 {
        let mut driver = submit(yard, &network, &python)?;
        driver.ended(DEADLINE);
        let (status, _) = yard.output(&["collect", "ray-work", "--out", "ray-run"])?;
        if status.success() {
            return Ok(Some(yard.is_same("whole", "ray-run")));
        }
    }
    Err(Failure::failed("five runs of Ray did not end the work"))
}

/// A Python with Ray: one that is there, or in an environment of our own.
fn python() -> Option<PathBuf> {
    let has_ray = |python: &PathBuf| {
        let mut import = Command::new(python);
        import.args(["-c", "import ray"]).stdout(Stdio::null()).stderr(Stdio::null());
        import.status().is_ok_and(|status| status.success())
    };
    let environment = workspace().join("target/ray");
    let (system, own) = (PathBuf::from("python3"), environment.join("bin/python"));
    if let Some(python) = [&own, &system].into_iter().find(|python| has_ray(python)) {
        return Some(python.clone());
    }
    let quiet = |mut command: Command| {
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    let mut make = Command::new("python3");
    make.args(["-m", "venv"]).arg(&environment);
    let mut install = Command::new(&own);
    install.args(["-m", "pip", "install", "--quiet", "ray"]);
    (quiet(make) && quiet(install) && has_ray(&own)).then_some(own)
}

const PORT: &str = "6379";
const ADDRESS: &str = "127.0.0.1:6379";

/// A network that only this machine has, while this value is there.
struct Network {
    holder: Daemon,
}

impl Network {
    fn new(yard: &Yard) -> Result<Network, Failure> {
        let mut command = Command::new("unshare");
        command.args(["--net", "sh", "-c", "ip link set lo up && touch network && exec sleep 3600"]);
        command.current_dir(&yard.path);
        let network = Network { holder: Daemon::start(command, &yard.at("network.txt"))? };
        wait_until("the network is up", || yard.at("network").exists())?;
        Ok(network)
    }

    /// A command in this network.
    fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new("nsenter");
        command.arg(format!("--net=/proc/{}/ns/net", self.holder.number())).arg(program);
        command
    }
}

/// A node of Ray, all of whose processes end with it.
fn node(yard: &Yard, network: &Network, python: &PathBuf, words: &[&str]) -> Result<Daemon, Failure> {
    let mut command = network.command("unshare");
    command.args(["--pid", "--fork", "--kill-child", "--mount-proc"]).arg(python);
    command.args(["-c", "import sys; from ray.scripts.scripts import main; sys.exit(main())"]);
    command.args(["start", "--block", "--disable-usage-stats", "--object-store-memory", "100000000"]);
    command.args(["--node-ip-address", "127.0.0.1"]).args(words);
    if words.contains(&"--head") {
        command.args(["--include-dashboard", "false", "--temp-dir", &yard.text("ray")]);
    }
    Daemon::start(command, &yard.at("ray.txt"))
}

/// The driver, with the pieces that are missing now.
fn submit(yard: &Yard, network: &Network, python: &PathBuf) -> Result<Daemon, Failure> {
    let (_, list) = yard.output(&["collect", &yard.text("ray-work"), "--out", "ray-run", "--list"])?;
    let missing = yard.at("ray-missing.txt");
    std::fs::write(&missing, list).map_err(Failure::failed)?;
    let mut command = network.command("sh");
    // Its input is the list; everything else is as with every daemon.
    command.args(["-c", "exec \"$0\" \"$@\" < ray-missing.txt"]).arg(python);
    command
        .arg(workspace().join("docs/engines/ray_pieces.py"))
        .arg(&yard.program)
        .args(["work", "--jobs", "1"]);
    command.current_dir(&yard.path).env("RAY_ADDRESS", ADDRESS);
    Daemon::start(command, &yard.at("ray-driver.txt"))
}
