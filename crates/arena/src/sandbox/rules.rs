//! Rules that a process puts upon itself and all that it starts: Landlock, seccomp, resource limits, no new rights.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, Scope, path_beneath_rules,
};
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

use super::{OPEN_FILES, PROCESSES, SCRATCH};

/// System calls that no bot needs and that lead out: into other processes, into the kernel, to other mounts.
const REFUSED: [libc::c_long; 38] = [
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_adjtimex,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_finit_module,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_init_module,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_kcmp,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    libc::SYS_perf_event_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pivot_root,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_quotactl,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_setns,
    libc::SYS_settimeofday,
    libc::SYS_umount2,
    libc::SYS_unshare,
    libc::SYS_userfaultfd,
];

/// The terminal's request to read a byte as if it had been typed.
const TIOCSTI: u64 = 0x5412;

/// The newest version of Landlock that these rules are written for; an older kernel keeps what it knows.
const LANDLOCK: ABI = ABI::V6;

/// What a bot may use of the system's resources.
pub(super) fn limit_resources() -> Result<(), String> {
    let mut limits = vec![(Resource::Nofile, OPEN_FILES), (Resource::Fsize, SCRATCH), (Resource::Core, 0)];
    if counts_processes_by_namespace() {
        limits.push((Resource::Nproc, PROCESSES));
    }
    for (resource, most) in limits {
        let had = rustix::process::getrlimit(resource);
        let most = had.maximum.map_or(most, |maximum| maximum.min(most));
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })
            .map_err(|error| format!("a limit on {resource:?}: {error}"))?;
    }
    Ok(())
}

/// Before Linux 5.14 all processes of the user count, those of the desktop session too.
fn counts_processes_by_namespace() -> bool {
    let name = rustix::system::uname();
    let release = name.release().to_string_lossy().into_owned();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map_while(|part| part.parse::<u32>().ok());
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= (5, 14)
}

/// Gives up all rights over the namespaces, for this process and whatever it starts.
pub(super) fn drop_rights() -> Result<(), String> {
    rustix::thread::set_no_new_privs(true).map_err(|error| format!("no new rights: {error}"))?;
    for bit in 0..64 {
        // Numbers beyond the last one that this kernel knows are refused.
        let _ =
            rustix::thread::remove_capability_from_bounding_set(CapabilitySet::from_bits_retain(1 << bit));
    }
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    rustix::thread::set_capabilities(None, none).map_err(|error| format!("giving up rights: {error}"))
}

/// Files can be read below `readable` and written below `writable`, there is no network, and no process outside can be sent a
/// signal. Whether the kernel knows Landlock at all.
pub(super) fn landlock(readable: &[PathBuf], writable: &[&Path]) -> Result<bool, String> {
    let rules = || {
        Ruleset::default()
            .handle_access(AccessFs::from_all(LANDLOCK))?
            .handle_access(AccessNet::from_all(LANDLOCK))?
            .scope(Scope::from_all(LANDLOCK))?
            .create()?
            .add_rules(path_beneath_rules(readable, AccessFs::from_read(LANDLOCK)))?
            .add_rules(path_beneath_rules(writable, AccessFs::from_all(LANDLOCK)))?
            .restrict_self()
    };
    let status = rules().map_err(|error| format!("Landlock: {error}"))?;
    Ok(status.ruleset != landlock::RulesetStatus::NotEnforced)
}

/// Refuses system calls that no bot needs, sockets to other machines, and namespaces of its own.
pub(super) fn seccomp() -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| format!("seccomp: {error}");
    let condition = |argument, operator, value| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
            .and_then(|condition| SeccompRule::new(vec![condition]))
            .map_err(|error| failed(&error))
    };
    let mut refused: BTreeMap<i64, Vec<SeccompRule>> =
        REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    let local = libc::AF_UNIX as u64;
    refused.insert(libc::SYS_socket, vec![condition(0, SeccompCmpOp::Ne, local)?]);
    refused.insert(libc::SYS_ioctl, vec![condition(1, SeccompCmpOp::Eq, TIOCSTI)?]);
    let namespaces = [
        libc::CLONE_NEWCGROUP,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWUTS,
    ];
    let mut clone = Vec::new();
    for flag in namespaces {
        let flag = flag as u32 as u64;
        clone.push(condition(0, SeccompCmpOp::MaskedEq(flag), flag)?);
    }
    refused.insert(libc::SYS_clone, clone);
    // The flags of the newer call cannot be looked at; programs fall back to the older one.
    let newer = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    for (rules, error) in [(refused, libc::EPERM), (newer, libc::ENOSYS)] {
        let machine = std::env::consts::ARCH.try_into().map_err(|error| failed(&error))?;
        let refuse = SeccompAction::Errno(error as u32);
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, machine)
            .map_err(|error| failed(&error))?;
        let program: BpfProgram =
            filter.try_into().map_err(|error: seccompiler::BackendError| failed(&error))?;
        seccompiler::apply_filter(&program).map_err(|error| failed(&error))?;
    }
    Ok(())
}
