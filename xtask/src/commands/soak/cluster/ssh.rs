//! GNU parallel over ssh, to an sshd of our own on the loopback address, with keys of its own.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use gamesearch::Failure;

use super::daemons::free_port;
use super::{DEADLINE, Daemon, Yard, wait_until};

pub(super) fn run(yard: &Yard) -> Result<Option<bool>, Failure> {
    let (login, _sshd) = start(yard)?;
    yard.plan("whole", 24, "ssh-work")?;
    let results = || yard.results("ssh-work");

    let mut driver = parallel(yard, &login)?;
    let carried = carried(yard, &login)?;
    wait_until("a result comes", || results() >= 2)?;
    yard.kill_a_worker(&yard.text("ssh-work"))?;
    wait_until("more results come", || results() >= 6)?;
    driver.kill();
    anstream::println!("cluster: killed GNU parallel with {} of 24 results there", results());
    // What it had begun on the other side ends by itself.
    for _ in 0..5 {
        let mut driver = parallel(yard, &login)?;
        driver.ended(DEADLINE);
        let (status, _) = yard.output(&["collect", "ssh-work", "--out", "ssh-run"])?;
        if status.success() {
            return Ok(Some(yard.is_same("whole", "ssh-run") && carried));
        }
    }
    Err(Failure::failed("five runs of GNU parallel did not end the work"))
}

/// One round of a Swiss tournament without a shared folder: pieces go over, results come back.
fn carried(yard: &Yard, login: &str) -> Result<bool, Failure> {
    yard.plan("rounds", 2, "carried")?;
    let mut command = Command::new("parallel");
    command.args(["--will-cite", "--jobs", "2", "--ssh", login, "--sshlogin", "127.0.0.1"]);
    command.args(["--transferfile", "{}", "--return", "{.}.result.jsonl", "--cleanup", "--workdir", "..."]);
    command.arg(format!("{} work --jobs 1 {{}}", yard.program.display()));
    command.args([":::", "carried/piece-0001.json", "carried/piece-0002.json"]).current_dir(&yard.path);
    let ended = Daemon::start(command, &yard.at("carried.txt"))?.ended(DEADLINE);
    anstream::println!("cluster: {} of 2 results were carried back over ssh", yard.results("carried"));
    Ok(ended == Some(0) && yard.results("carried") == 2)
}

/// Two workers on the other side of ssh, with the pieces that are missing now.
fn parallel(yard: &Yard, login: &str) -> Result<Daemon, Failure> {
    let (_, list) = yard.output(&["collect", &yard.text("ssh-work"), "--out", "ssh-run", "--list"])?;
    let missing = yard.at("missing.txt");
    fs::write(&missing, list).map_err(Failure::failed)?;
    let mut command = Command::new("parallel");
    command.args(["--will-cite", "--jobs", "2", "--retries", "3", "--ssh", login, "--sshlogin", "127.0.0.1"]);
    command.args([
        "--arg-file",
        &missing.display().to_string(),
        "--workdir",
        &yard.path.display().to_string(),
    ]);
    command.arg(format!("{} work --jobs 1 {{}}", yard.program.display())).current_dir(&yard.path);
    Daemon::start(command, &yard.at("parallel.txt"))
}

/// The ssh command that logs in, and the server.
fn start(yard: &Yard) -> Result<(String, Daemon), Failure> {
    let folder = yard.at("ssh");
    fs::create_dir_all(&folder).map_err(Failure::failed)?;
    let place = folder.display();
    for key in ["host", "user"] {
        let made = Command::new("ssh-keygen")
            .args(["-q", "-t", "ed25519", "-N", "", "-f"])
            .arg(folder.join(key))
            .stdin(Stdio::null())
            .status();
        if !made.is_ok_and(|status| status.success()) {
            return Err(Failure::failed("ssh-keygen failed"));
        }
    }
    fs::copy(folder.join("user.pub"), folder.join("authorized")).map_err(Failure::failed)?;
    // The server gives up its rights in a folder that its package makes when it starts with the system.
    if !Path::new("/run/sshd").exists() {
        fs::create_dir_all("/run/sshd").map_err(Failure::failed)?;
    }
    let port = free_port()?;
    let settings = format!(
        "Port {port}\nListenAddress 127.0.0.1\nHostKey {place}/host\nAuthorizedKeysFile {place}/authorized\n\
         PidFile {place}/pid\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin prohibit-password\n\
         MaxStartups 100\n"
    );
    fs::write(folder.join("config"), settings).map_err(Failure::failed)?;
    let mut server = Command::new("/usr/sbin/sshd");
    server.args(["-D", "-e", "-f"]).arg(folder.join("config"));
    let server = Daemon::start(server, &yard.at("sshd.txt"))?;
    let login = format!(
        "ssh -p {port} -i {place}/user -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile={place}/known \
         -o LogLevel=ERROR"
    );
    wait_until("sshd lets us in", || {
        let mut words = login.split(' ');
        let mut ssh = Command::new(words.next().unwrap_or("ssh"));
        let status =
            ssh.args(words).args(["127.0.0.1", "true"]).stdin(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    })?;
    anstream::println!("cluster: an sshd is up");
    Ok((login, server))
}
