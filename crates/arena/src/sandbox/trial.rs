//! What the sandbox really holds on this system: a program of ours tries from inside what a bot might try.

use std::env;
use std::fs;
use std::io::Write;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Confinement, Sandbox, Strength};
use crate::ugi::channel::Order;
use crate::ugi::ending::Ending;
use crate::ugi::lines::Lines;
use crate::ugi::process::Process;

/// The first argument that makes our program try the sandbox that it is in.
pub(crate) const WORD: &str = "--try-the-sandbox";
/// Whatever the trial does, it is over by then.
const PATIENCE: Duration = Duration::from_secs(30);
/// How many processes the trial tries to have at a time: more than a bot may.
const MANY: u64 = super::PROCESSES + 40;

/// The attempt whose file the runner looks for, and the name of that file.
const BESIDE_THE_BOT: &str = "nothing can be written beside the bot";
const BESIDE: &str = "sandbox-trial";
/// The attempt that the guard may answer.
const CROWD: &str = "the number of processes is limited";

/// One thing that a sandbox is there for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// What must not be possible, or must be.
    pub what: String,
    /// Whether it is as it should be.
    pub held: bool,
    /// What the trial found.
    pub found: String,
}

/// Whether a program can be started in a sandbox of this strength; why not.
pub(crate) fn starts(strength: Strength) -> Result<(), String> {
    let lines = run_inside(strength, &["quick".to_owned()])?;
    if lines.iter().any(|line| line == "ready") { Ok(()) } else { Err("the trial said nothing".to_owned()) }
}

/// Tries everything in a sandbox of this strength. The program that calls this has to call
/// [`guard_if_asked`](crate::ugi::guard_if_asked) first of all.
pub fn try_sandbox(strength: Strength) -> Result<Vec<Held>, String> {
    let secret = env::temp_dir().join(format!("sandbox-secret-{}", std::process::id()));
    fs::write(&secret, "secret").map_err(|error| format!("{}: {error}", secret.display()))?;
    let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|error| format!("a listener: {error}"))?;
    let port = listener.local_addr().map_err(|error| format!("a listener: {error}"))?.port();
    let home = env::var("HOME").unwrap_or_else(|_| "/root".to_owned());
    let arguments = [
        "all".to_owned(),
        std::process::id().to_string(),
        port.to_string(),
        secret.display().to_string(),
        home,
    ];
    let lines = run_inside(strength, &arguments);
    let _ = fs::remove_file(&secret);
    // Below the folder for temporary files the bot sees its scratch folder around its own files: what it writes there never
    // gets out.
    let planted = env::current_exe().map(|program| program.with_file_name(BESIDE));
    let got_out = planted.is_ok_and(|planted| fs::remove_file(planted).is_ok());
    let held = lines?
        .iter()
        .filter_map(|line| {
            let mut parts = line.splitn(3, '\t');
            let (held, what) = (parts.next()? == "held", parts.next()?.to_owned());
            let found = parts.next().unwrap_or_default().to_owned();
            Some(if what == BESIDE_THE_BOT && !held && !got_out {
                Held { what, held: true, found: "it stayed in the scratch folder".to_owned() }
            } else {
                Held { what, held, found }
            })
        })
        .collect();
    Ok(held)
}

/// Runs our own program in a sandbox with these arguments; what it printed.
fn run_inside(strength: Strength, arguments: &[String]) -> Result<Vec<String>, String> {
    let program =
        env::current_exe().map_err(|error| format!("our own program is not to be found: {error}"))?;
    let mut command = vec![program.display().to_string(), WORD.to_owned()];
    let folder = program.parent().unwrap_or(Path::new("/")).to_owned();
    let mut confinement = Confinement::new(&Sandbox::new(strength), &command, folder);
    // Our own program alone, not its neighbours.
    confinement.readable = vec![super::Seen { at: program.clone(), real: program.clone() }];
    command.extend_from_slice(arguments);
    let order = Order { command, memory: None, confinement: Some(confinement) };
    let mut process = Lines::new(Process::spawn(&program, &order, None).map_err(|error| error.to_string())?);
    let deadline = process.now() + PATIENCE;
    let mut lines = Vec::new();
    loop {
        match process.line(deadline) {
            Ok(Some(line)) => {
                let line = String::from_utf8_lossy(line).into_owned();
                if line == "over" {
                    return Ok(lines);
                }
                lines.push(line);
            }
            Ok(None) => {}
            Err(_) => {
                let (ending, errors) = process.end();
                return Err(match ending {
                    Ending::NotStarted(why) => why,
                    Ending::Processes(_) => {
                        lines.push(format!("held\t{CROWD}\t{ending}"));
                        return Ok(lines);
                    }
                    ending => format!("the trial {ending} {errors}").trim_end().to_owned(),
                });
            }
        }
    }
}

/// Tries what the arguments of this program ask for, as the bot inside.
pub(crate) fn run(arguments: &[String]) {
    match arguments {
        [word] if word == "quick" => say("ready"),
        [word, runner, port, secret, home] if word == "all" => {
            let try_all = Trial {
                runner: runner.parse().unwrap_or(1),
                port: port.parse().unwrap_or(1),
                secret: PathBuf::from(secret),
                home: PathBuf::from(home),
            };
            try_all.run();
        }
        _ => {}
    }
    say("over");
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // Nobody may listen.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

struct Trial {
    runner: u32,
    port: u16,
    secret: PathBuf,
    home: PathBuf,
}

impl Trial {
    fn run(&self) {
        tell("files of others cannot be read", fs::read(&self.secret).map(|_| "a file was read"));
        tell("the home folder cannot be listed", self.list_home());
        tell(BESIDE_THE_BOT, write_beside());
        let system = ["/usr/x", "/etc/x", "/x"].into_iter().find(|path| fs::write(path, "x").is_ok());
        tell("nothing can be written to the system", system.ok_or("refused"));
        tell(
            "there is no network to this machine",
            TcpStream::connect(("127.0.0.1", self.port)).map(|_| "connected"),
        );
        let other = UdpSocket::bind("0.0.0.0:0")
            .and_then(|socket| socket.send_to(b"x", "192.0.2.1:9").map(|_| "sent"));
        tell("there is no network to others", other);
        let runner = i32::try_from(self.runner).ok().and_then(rustix::process::Pid::from_raw);
        let signal = runner.map_or(Err(rustix::io::Errno::SRCH), rustix::process::test_kill_process);
        tell("the runner cannot be sent a signal", signal.map(|()| "it would arrive"));
        let environment = fs::read(format!("/proc/{}/environ", self.runner));
        tell("the runner's memory cannot be looked at", environment.map(|_| "its environment was read"));
        tell("nobody can be traced", trace());
        let status =
            fs::read_to_string("/proc/self/status").unwrap_or_else(|error| format!("NoNewPrivs: {error}"));
        let says = |key: &str, value: &str| {
            let found = status.lines().find_map(|line| line.strip_prefix(key)).map_or("", str::trim);
            if found == value { Err(format!("{key} {found}")) } else { Ok(format!("{key} {found}")) }
        };
        tell("no new rights can be gained", says("NoNewPrivs:", "1"));
        tell("system calls are filtered", says("Seccomp:", "2"));
        let own = Command::new("unshare").args(["-U", "true"]).status();
        tell(
            "no namespaces of its own",
            own.and_then(|status| {
                if status.success() { Ok("made") } else { Err(std::io::ErrorKind::PermissionDenied.into()) }
            }),
        );
        tell("no memory that is in no account", memory_in_no_account());
        tell("the number of open files is limited", many_files());
        tell("the size of a file is limited", large_file());
        tell("the scratch folder is limited", fill_scratch());
        // The last one: it may be the end of this process.
        tell(CROWD, many_processes());
    }

    fn list_home(&self) -> Result<String, String> {
        match fs::read_dir(&self.home) {
            Ok(entries) => {
                // In the room the folder may be there, with nothing in it but the way to the bot's own.
                let names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
                if names.len() > 1 {
                    Ok(format!("{} names", names.len()))
                } else {
                    Err("nothing there".to_owned())
                }
            }
            Err(error) => Err(error.to_string()),
        }
    }
}

/// Tells of an attempt: what succeeded was not held.
fn tell<T: std::fmt::Display, E: std::fmt::Display>(what: &str, attempt: Result<T, E>) {
    match attempt {
        Ok(found) => say(&format!("open\t{what}\t{found}")),
        Err(found) => say(&format!("held\t{what}\t{found}")),
    }
}

/// Asks to trace the process that started this one, which is of the same user; nothing but a rule stands against it.
#[cfg(target_os = "linux")]
fn trace() -> std::io::Result<String> {
    let parent = rustix::process::getppid().map_or(1, |parent| parent.as_raw_nonzero().get());
    let null = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: this request reads and writes no memory of ours.
    #[allow(unsafe_code, reason = "there is no safe wrapper of this call")]
    let done = unsafe { libc::ptrace(libc::PTRACE_SEIZE, parent, null, null) };
    if done == 0 { Ok(format!("process {parent} is traced")) } else { Err(std::io::Error::last_os_error()) }
}

#[cfg(not(target_os = "linux"))]
fn trace() -> Result<String, &'static str> {
    Err("it needs Linux")
}

fn write_beside() -> std::io::Result<String> {
    // Left there: the runner looks whether it got out.
    fs::write(env::current_exe()?.with_file_name(BESIDE), "x")?;
    Ok("a file was written".to_owned())
}

/// Starts sleeping processes until it may not, or there are more than a bot may have.
fn many_processes() -> Result<String, String> {
    let mut children = Vec::new();
    let refused = loop {
        if children.len() as u64 >= MANY {
            break None;
        }
        match Command::new("sleep").arg("5").spawn() {
            Ok(child) => children.push(child),
            Err(error) => break Some(error),
        }
    };
    let count = children.len();
    if refused.is_none() {
        // Where the system does not refuse them the guard looks from time to time.
        std::thread::sleep(Duration::from_secs(2));
    }
    for mut child in children {
        let _ = child.kill();
        let _ = child.wait();
    }
    match refused {
        Some(error) => Err(format!("after {count}: {error}")),
        None => Ok(format!("{count} at a time")),
    }
}

/// Asks for a file that is nowhere but in memory: what is written there is in the account of no process.
#[cfg(target_os = "linux")]
fn memory_in_no_account() -> std::io::Result<&'static str> {
    rustix::fs::memfd_create("trial", rustix::fs::MemfdFlags::CLOEXEC)?;
    Ok("a file in memory was made")
}

#[cfg(not(target_os = "linux"))]
fn memory_in_no_account() -> Result<&'static str, &'static str> {
    Err("it needs Linux")
}

/// Opens a file again and again, more often than it may.
fn many_files() -> std::io::Result<String> {
    let mut files = Vec::new();
    for _ in 0..super::OPEN_FILES + 8 {
        files.push(fs::File::open("/dev/null")?);
    }
    Ok(format!("{} at a time", files.len()))
}

/// Makes a file that is larger than it may be, in another program: the kernel may answer with a signal that ends it.
fn large_file() -> Result<String, String> {
    let path = env::temp_dir().join("large");
    let size = super::SCRATCH + 1;
    let ended = Command::new("truncate").args(["-s", &size.to_string()]).arg(&path).output();
    let _ = fs::remove_file(&path);
    match ended {
        Ok(output) if output.status.success() => Ok(format!("{size} bytes")),
        Ok(output) => Err(output.status.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// Writes until the scratch folder is full, or has taken more than it should.
fn fill_scratch() -> Result<String, String> {
    let chunk = vec![1_u8; 1 << 20];
    let most = super::SCRATCH / chunk.len() as u64 + 8;
    let mut written = 0;
    for number in 0..most {
        let path = env::temp_dir().join(format!("filler-{number}"));
        if let Err(error) = fs::write(&path, &chunk) {
            return Err(format!("after {written} MiB: {error}"));
        }
        written += 1;
    }
    Ok(format!("{written} MiB were taken"))
}
