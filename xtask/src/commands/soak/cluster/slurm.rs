//! A Slurm of three nodes on this machine. Each node is a `slurmd` in a process namespace of its own, so that killing the
//! namespace takes everything with it that runs on the node, as a power cut does.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use gamesearch::Failure;

use super::daemons::free_port;
use super::{DEADLINE, Daemon, Yard, wait_until};

const NODES: usize = 3;

pub(super) fn run(yard: &Yard) -> Result<Option<bool>, Failure> {
    let mut cluster = Cluster::start(yard)?;
    yard.plan("whole", 24, "slurm-work")?;
    let mut driver = cluster.driver(yard, "slurm-work", "slurm-run")?;
    let results = || yard.results("slurm-work");
    wait_until("a result comes", || results() >= 2)?;
    cluster.nodes[1].kill();
    anstream::println!("cluster: killed node n2 with {} of 24 results there", results());
    yard.kill_a_worker("slurm-work")?;
    wait_until("more results come", || results() >= 6)?;
    driver.kill();
    anstream::println!("cluster: killed the driver with {} of 24 results there", results());
    let mut driver = cluster.driver(yard, "slurm-work", "slurm-run")?;
    let ended = driver.ended(DEADLINE);
    anstream::println!("cluster: the driver ended with {ended:?}");
    let mut same = ended == Some(0) && yard.is_same("whole", "slurm-run");

    // Rounds depend on each other: each is a submission of its own.
    yard.plan("rounds", 2, "slurm-rounds")?;
    let mut driver = cluster.driver(yard, "slurm-rounds", "slurm-rounds-run")?;
    same &= driver.ended(DEADLINE) == Some(0) && yard.is_same("rounds", "slurm-rounds-run");

    // Pieces come until the test ends.
    yard.plan("test", 2, "slurm-test")?;
    let mut driver = cluster.driver(yard, "slurm-test", "slurm-test-run")?;
    same &= driver.ended(DEADLINE) == Some(0) && yard.is_same("test", "slurm-test-run");

    // What is taken back is not played.
    yard.plan("whole", 40, "slurm-cancelled")?;
    let mut driver = cluster.driver(yard, "slurm-cancelled", "slurm-cancelled-run")?;
    wait_until("a worker runs", || !yard.workers("slurm-cancelled").is_empty())?;
    driver.kill();
    let words = ["drive", "slurm-cancelled", "--out", "slurm-cancelled-run", "--engine", "slurm", "--cancel"];
    let output = cluster.with(yard.ours(&words)).output().map_err(Failure::failed)?;
    anstream::print!("cluster: {}", String::from_utf8_lossy(&output.stdout));
    wait_until("no worker is left", || yard.workers("slurm-cancelled").is_empty())?;
    same &= output.status.success() && yard.results("slurm-cancelled") < 40;
    Ok(Some(same))
}

/// The daemons. They end in this order.
struct Cluster {
    settings: String,
    nodes: Vec<Daemon>,
    _controller: Daemon,
    _munge: Daemon,
}

impl Cluster {
    fn start(yard: &Yard) -> Result<Cluster, Failure> {
        let folder = yard.at("slurm");
        let place = folder.display();
        for name in ["", "state", "spool"] {
            fs::create_dir_all(folder.join(name)).map_err(Failure::failed)?;
        }
        let mut key = vec![0_u8; 1024];
        let mut random = fs::File::open("/dev/urandom").map_err(Failure::failed)?;
        std::io::Read::read_exact(&mut random, &mut key).map_err(Failure::failed)?;
        let key_file = folder.join("munge.key");
        fs::write(&key_file, key).map_err(Failure::failed)?;
        fs::set_permissions(&key_file, fs::Permissions::from_mode(0o400)).map_err(Failure::failed)?;

        let mut munge = Command::new("/usr/sbin/munged");
        munge.arg("--foreground").args(
            [
                ("key-file", "key"),
                ("socket", "sock"),
                ("pid-file", "pid"),
                ("log-file", "log"),
                ("seed-file", "seed"),
            ]
            .map(|(option, ending)| format!("--{option}={place}/munge.{ending}")),
        );
        let munge = Daemon::start(munge, &folder.join("munged.txt"))?;
        wait_until("munged listens", || folder.join("munge.sock").exists())?;

        let settings = format!("{place}/slurm.conf");
        fs::write(&settings, settings_text(&place.to_string())?).map_err(Failure::failed)?;
        let mut controller = Command::new("/usr/sbin/slurmctld");
        controller.args(["-D", "-f", &settings]);
        let controller = Daemon::start(controller, &folder.join("slurmctld.txt"))?;
        let mut cluster = Cluster { settings, nodes: Vec::new(), _controller: controller, _munge: munge };
        for number in 1..=NODES {
            let name = format!("n{number}");
            let mut node = Command::new("unshare");
            node.args(["--pid", "--fork", "--kill-child", "--mount-proc", "/usr/sbin/slurmd", "-D"]);
            node.args(["-N", &name, "-f", &cluster.settings]);
            cluster.nodes.push(Daemon::start(node, &folder.join(format!("{name}.txt")))?);
        }
        wait_until("all nodes are idle", || {
            let mut sinfo = cluster.with(Command::new("sinfo"));
            let output = sinfo.args(["--noheader", "--Node", "--format", "%T"]).output();
            output.is_ok_and(|output| {
                String::from_utf8_lossy(&output.stdout).lines().filter(|line| line.trim() == "idle").count()
                    == NODES
            })
        })?;
        anstream::println!("cluster: a Slurm of {NODES} nodes is up");
        Ok(cluster)
    }

    /// A command that speaks to this Slurm.
    fn with(&self, mut command: Command) -> Command {
        command.env("SLURM_CONF", &self.settings);
        command
    }

    fn driver(&self, yard: &Yard, folder: &str, run: &str) -> Result<Daemon, Failure> {
        let words = ["drive", folder, "--out", run, "--engine", "slurm", "--every", "0.5"];
        Daemon::start(self.with(yard.ours(&words)), &yard.at("driver.txt"))
    }
}

/// Everything on the loopback address, in one folder; nodes that do not answer for ten seconds are down.
fn settings_text(place: &str) -> Result<String, Failure> {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").map_err(Failure::failed)?;
    let host = host.trim().split('.').next().unwrap_or_default();
    let mut text = format!(
        "ClusterName=soak\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\n\
         AuthType=auth/munge\nCredType=cred/munge\nAuthInfo=socket={place}/munge.sock,cred_expire=5\n\
         SlurmctldPort={}\nSlurmctldPidFile={place}/slurmctld.pid\nSlurmdPidFile={place}/slurmd-%n.pid\n\
         SlurmdSpoolDir={place}/spool/%n\nStateSaveLocation={place}/state\nProctrackType=proctrack/pgid\n\
         TaskPlugin=task/none\nMpiDefault=none\nReturnToService=2\nSlurmctldTimeout=10\nSlurmdTimeout=10\n\
         InactiveLimit=0\nKillWait=2\nMinJobAge=5\nSchedulerType=sched/backfill\n\
         SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0\nSelectType=select/cons_tres\n\
         SelectTypeParameters=CR_Core\nAccountingStorageType=accounting_storage/none\n\
         JobAcctGatherType=jobacct_gather/none\nJobRequeue=1\n",
        free_port()?
    );
    for number in 1..=NODES {
        let port = free_port()?;
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "NodeName=n{number} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 RealMemory=100 State=UNKNOWN"
        );
    }
    let _ = writeln!(text, "PartitionName=all Nodes=n[1-{NODES}] Default=YES MaxTime=60 State=UP");
    Ok(text)
}
