//! What runner and guard say to each other: one order with the bot's three streams, then notices.
//!
//! They speak through a pair of sockets, of which each side inherits nothing but its own end: the guard's is its standard
//! input, everything else is closed when a program is started. A socket, unlike a pipe, cannot be opened a second time
//! through `/proc`, so no bot can hold the line open or speak on it.

use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use serde::{Deserialize, Serialize};

use super::ending::Ending;
use crate::sandbox::Confinement;

/// The longest order: a command line with the text of an adapter in it.
const LONGEST_ORDER: usize = 16 << 20;

/// What a guard is to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Order {
    /// The bot's command line.
    pub(crate) command: Vec<String>,
    /// Resident memory in bytes that the bot may use.
    pub(crate) memory: Option<u64>,
    /// The sandbox, if there is to be one.
    pub(crate) confinement: Option<Confinement>,
}

/// What a guard tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Notice {
    /// The bot runs.
    Started,
    /// Somebody stopped the bot by a signal.
    Stopped,
    /// The bot has ended and nothing of it is left. The last notice.
    Ended(Ending),
}

impl Notice {
    fn line(&self) -> String {
        match self {
            Notice::Started => "started\n".to_owned(),
            Notice::Stopped => "stopped\n".to_owned(),
            Notice::Ended(ending) => format!("ended {}\n", ending.words()),
        }
    }

    fn parse(line: &str) -> Option<Notice> {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("started", _) => Some(Notice::Started),
            ("stopped", _) => Some(Notice::Stopped),
            ("ended", words) => Ending::parse(words).map(Notice::Ended),
            _ => None,
        }
    }

    /// Tells it to the runner.
    pub(crate) fn send(&self, mut socket: &UnixStream) -> io::Result<()> {
        socket.write_all(self.line().as_bytes())
    }
}

/// Notices as they arrive, in pieces.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    unread: Vec<u8>,
}

impl Notices {
    /// Reads once from a socket; `None` when the guard has closed it.
    pub(crate) fn read(&mut self, mut socket: &UnixStream) -> io::Result<Option<Vec<Notice>>> {
        let mut chunk = [0; 1 << 10];
        let count = socket.read(&mut chunk)?;
        if count == 0 {
            return Ok(None);
        }
        self.unread.extend_from_slice(&chunk[..count]);
        let mut notices = Vec::new();
        while let Some(end) = self.unread.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.unread.drain(..=end).collect();
            notices.extend(Notice::parse(String::from_utf8_lossy(&line).trim_end()));
        }
        Ok(Some(notices))
    }
}

impl Order {
    /// Sends the order with the streams that are to be the bot's input, output and errors.
    pub(crate) fn send(&self, mut socket: &UnixStream, streams: [BorrowedFd<'_>; 3]) -> io::Result<()> {
        let mut text = serde_json::to_vec(self)?;
        text.push(b'\n');
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        if !ancillary.push(SendAncillaryMessage::ScmRights(&streams)) {
            return Err(io::Error::other("no room for three streams in one message"));
        }
        // The streams go with the first byte; a long order does not fit into one message.
        let sent = sendmsg(socket, &[IoSlice::new(&text)], &mut ancillary, SendFlags::empty())?;
        socket.write_all(&text[sent..])
    }

    /// Receives an order with its streams, which no other program inherits.
    pub(crate) fn receive(mut socket: &UnixStream) -> io::Result<(Order, [OwnedFd; 3])> {
        let mut chunk = [0; 16 << 10];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        #[cfg(target_os = "linux")]
        let flags = RecvFlags::CMSG_CLOEXEC;
        #[cfg(not(target_os = "linux"))]
        let flags = RecvFlags::empty();
        let received = recvmsg(socket, &mut [IoSliceMut::new(&mut chunk)], &mut ancillary, flags)?;
        let mut streams = Vec::with_capacity(3);
        for message in ancillary.drain() {
            if let RecvAncillaryMessage::ScmRights(files) = message {
                streams.extend(files);
            }
        }
        #[cfg(not(target_os = "linux"))]
        for stream in &streams {
            rustix::io::fcntl_setfd(stream, rustix::io::FdFlags::CLOEXEC)?;
        }
        let mut text = chunk[..received.bytes].to_vec();
        while text.last() != Some(&b'\n') {
            match socket.read(&mut chunk)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => text.extend_from_slice(&chunk[..count]),
            }
            if text.len() > LONGEST_ORDER {
                return Err(io::Error::other("the order does not end"));
            }
        }
        let streams = <[OwnedFd; 3]>::try_from(streams)
            .map_err(|streams| io::Error::other(format!("expected three streams, got {}", streams.len())))?;
        Ok((serde_json::from_slice(&text)?, streams))
    }
}

/// Our own end of a line whose other end a program inherited as its standard input.
pub(crate) fn inherited() -> io::Result<UnixStream> {
    let socket = io::stdin().as_fd().try_clone_to_owned()?;
    // The bot shall not inherit it: the copy is closed when a program is started, and nothing reads it as input any more.
    let nothing = std::fs::File::open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    Ok(UnixStream::from(socket))
}

/// Makes sure that a program started from here inherits no file that a parent process left open.
pub(crate) fn close_on_exec() {
    let Ok(entries) = std::fs::read_dir("/dev/fd") else { return };
    let numbers: Vec<i32> =
        entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for number in numbers.into_iter().filter(|&number| number > 2) {
        // A file that was inherited by number has no owner in this process, so there is no safe way to speak of it.
        // SAFETY: the number was open a moment ago and nobody else runs here; if it was that of the list itself, the
        // system only answers that there is no such file.
        #[allow(unsafe_code, reason = "a file inherited by number has no safe handle")]
        let file = unsafe { BorrowedFd::borrow_raw(number) };
        let _ = rustix::io::fcntl_setfd(file, rustix::io::FdFlags::CLOEXEC);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_arrives_with_its_streams() {
        for length in [1, 1 << 20] {
            let order =
                Order { command: vec!["two\nlines".repeat(length)], memory: Some(5), confinement: None };
            let (ours, theirs) = UnixStream::pair().unwrap();
            let (read, write) = io::pipe().unwrap();
            let (received, streams) = std::thread::scope(|scope| {
                let guard = scope.spawn(|| Order::receive(&theirs).unwrap());
                order.send(&ours, [write.as_fd(), read.as_fd(), write.as_fd()]).unwrap();
                guard.join().unwrap()
            });
            drop((write, read));
            assert_eq!(received, order);
            let [write, read, copy] = streams;
            drop(copy);
            std::fs::File::from(write).write_all(b"through").unwrap();
            let mut text = String::new();
            std::fs::File::from(read).read_to_string(&mut text).unwrap();
            assert_eq!(text, "through");
        }
    }

    #[test]
    fn an_order_that_is_cut_off_is_an_error() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        (&ours).write_all(b"{\"command\":").unwrap();
        drop(ours);
        assert!(Order::receive(&theirs).is_err());
    }

    #[test]
    fn notices_arrive_in_pieces() {
        let all = [
            Notice::Started,
            Notice::Stopped,
            Notice::Ended(Ending::NotStarted("`x`: no such\nfile".to_owned())),
            Notice::Ended(Ending::Exited(3)),
            Notice::Ended(Ending::Signalled(11)),
            Notice::Ended(Ending::Memory(5 << 20)),
            Notice::Ended(Ending::Released),
        ];
        let (ours, theirs) = UnixStream::pair().unwrap();
        let mut notices = Notices::default();
        for notice in &all {
            let line = notice.line();
            let (first, second) = line.as_bytes().split_at(4);
            (&theirs).write_all(first).unwrap();
            assert_eq!(notices.read(&ours).unwrap(), Some(Vec::new()));
            (&theirs).write_all(second).unwrap();
            let read = notices.read(&ours).unwrap().unwrap();
            let expected = match notice {
                Notice::Ended(Ending::NotStarted(why)) => {
                    Notice::Ended(Ending::NotStarted(why.replace('\n', " ")))
                }
                other => other.clone(),
            };
            assert_eq!(read, [expected]);
        }
        drop(theirs);
        assert_eq!(notices.read(&ours).unwrap(), None);
    }
}
