//! What a host says to a bot and hears from it: lines in, lines out, every wait with a deadline, every amount with a cap.

use std::fmt;
use std::io;
use std::time::Duration;

use super::ending::Ending;

/// A line may be this long.
pub(crate) const LINE_CAP: usize = 64 << 10;
/// The most that a bot may write for one answer.
pub(crate) const BYTE_CAP: usize = 1 << 20;
/// How much is read at once.
pub(crate) const CHUNK: usize = 4 << 10;
/// The longest single wait, so that a request to stop is seen soon.
pub(crate) const SLICE: Duration = Duration::from_millis(10);
/// What a bot wrote unasked is dropped up to this amount; who has written more is heard out within the caps.
const UNASKED: usize = 64 << 10;

/// Why no line came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Silence {
    /// The deadline passed; the bytes of an unfinished line, if there are any.
    Deadline(Option<Vec<u8>>),
    /// The bot closed its output, which it does when it ends.
    Closed,
    /// A line is longer than [`LINE_CAP`].
    LongLine,
    /// More than [`BYTE_CAP`] bytes came for one answer.
    Flood,
    /// The system refused.
    System(String),
}

/// What a host waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// That the bot writes, or closes what it reads or writes.
    Output,
    /// That the bot reads, so that there is room for more.
    Room,
}

/// What came of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ready {
    /// Nothing yet.
    Nothing,
    /// What was waited for.
    Wanted,
    /// The bot has closed its input and has nothing more to say.
    Deaf,
}

/// The streams of a running bot and the clock that it plays by: a process, or what a simulation makes of one.
pub(crate) trait Wire: fmt::Debug + Send {
    /// The time since a fixed moment.
    fn now(&self) -> Duration;

    /// Reads what the bot wrote, without waiting; 0 when it has closed its output.
    fn read(&mut self, chunk: &mut [u8]) -> io::Result<usize>;

    /// Writes what there is room for, without waiting.
    fn write(&mut self, text: &[u8]) -> io::Result<usize>;

    /// Waits at most so long.
    fn wait(&mut self, wanted: Wanted, most: Duration) -> Result<Ready, Silence>;

    /// A new question begins.
    fn begin(&mut self);

    /// Whether the guard has told that the bot was stopped by a signal since the last question, without a look at the processes:
    /// fit for every answer.
    fn was_told_frozen(&mut self) -> bool;

    /// Whether the bot was stopped by a signal since the last question: then the time that passed is not the bot's.
    fn was_frozen(&mut self) -> bool;

    /// The processor time that the bot and its children have used so far; `None` where the system does not tell.
    fn processor_time(&self) -> Option<Duration>;

    /// Forgets what the bot wrote to its error stream in earlier games.
    fn forget_errors(&mut self);

    /// Whether it has ended by itself.
    fn has_ended(&mut self) -> bool;

    /// Waits for a bot that closed its output to end by itself, so that its own words and exit code are known; a bot
    /// that does not is killed after `grace`.
    fn finish(&mut self, grace: Duration) -> (Ending, String);

    /// Kills the bot and everything it started; tells how it ended and what it wrote to its error stream at last.
    fn end(&mut self) -> (Ending, String);
}

/// The lines of one bot. Deadlines are times of its own clock.
#[derive(Debug)]
pub(crate) struct Lines {
    wire: Box<dyn Wire>,
    /// What was read from the bot: a piece of `buffer` from `start` on, of which `scanned` bytes hold no line end.
    buffer: Vec<u8>,
    start: usize,
    scanned: usize,
    /// Bytes read since the last question.
    volume: usize,
    /// The longest time since the last question by which the runner itself woke too late.
    overslept: Duration,
}

impl Lines {
    pub(crate) fn new(wire: impl Wire + 'static) -> Lines {
        Lines::of(Box::new(wire))
    }

    pub(crate) fn of(wire: Box<dyn Wire>) -> Lines {
        Lines { wire, buffer: Vec::new(), start: 0, scanned: 0, volume: 0, overslept: Duration::ZERO }
    }

    /// The time by the bot's clock.
    pub(crate) fn now(&self) -> Duration {
        self.wire.now()
    }

    /// Begins a new question: what came unasked before is dropped, and the caps count anew.
    pub(crate) fn begin(&mut self) {
        self.buffer.clear();
        (self.start, self.scanned, self.volume) = (0, 0, 0);
        self.overslept = Duration::ZERO;
        self.wire.begin();
        // Also what has arrived and was not read yet: a second answer to the last question is none to the next one.
        let mut chunk = [0; CHUNK];
        let mut dropped = 0;
        while dropped < UNASKED {
            // An end or an error goes to the next reader.
            let Ok(count @ 1..) = self.wire.read(&mut chunk) else { break };
            dropped += count;
        }
    }

    /// The most by which the runner itself woke too late since the last question: time that must not be charged to the bot.
    pub(crate) fn overslept(&self) -> Duration {
        self.overslept
    }

    pub(crate) fn was_told_frozen(&mut self) -> bool {
        self.wire.was_told_frozen()
    }

    pub(crate) fn was_frozen(&mut self) -> bool {
        self.wire.was_frozen()
    }

    pub(crate) fn processor_time(&self) -> Option<Duration> {
        self.wire.processor_time()
    }

    pub(crate) fn forget_errors(&mut self) {
        self.wire.forget_errors();
    }

    /// Writes all of `text`, or gives up at the deadline.
    pub(crate) fn write(&mut self, text: &[u8], deadline: Duration) -> Result<(), Silence> {
        let mut rest = text;
        while !rest.is_empty() {
            match self.wire.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock => {
                        let now = self.wire.now();
                        if now >= deadline {
                            return Err(Silence::Deadline(None));
                        }
                        self.wait(Wanted::Room, deadline.saturating_sub(now))?;
                    }
                    io::ErrorKind::Interrupted => {}
                    io::ErrorKind::BrokenPipe => return Err(Silence::Closed),
                    _ => return Err(Silence::System(error.to_string())),
                },
            }
        }
        Ok(())
    }

    /// The next line, without its end; `None` after a short wait without one, so that the caller can look around.
    pub(crate) fn line(&mut self, deadline: Duration) -> Result<Option<&[u8]>, Silence> {
        if let Some(length) = self.complete_line()? {
            return Ok(Some(self.take_line(length)));
        }
        let now = self.wire.now();
        if now >= deadline {
            let part = self.buffer[self.start..].to_vec();
            return Err(Silence::Deadline((!part.is_empty()).then_some(part)));
        }
        match self.wait(Wanted::Output, deadline.saturating_sub(now).min(SLICE))? {
            Ready::Deaf => return Err(Silence::Closed),
            Ready::Nothing => {}
            Ready::Wanted => {
                self.read_output()?;
                if let Some(length) = self.complete_line()? {
                    return Ok(Some(self.take_line(length)));
                }
            }
        }
        Ok(None)
    }

    fn wait(&mut self, wanted: Wanted, most: Duration) -> Result<Ready, Silence> {
        let before = self.wire.now();
        let ready = self.wire.wait(wanted, most)?;
        let waited = self.wire.now().saturating_sub(before);
        self.overslept = self.overslept.max(waited.saturating_sub(most));
        Ok(ready)
    }

    /// The length of the first unread line, if it is complete.
    fn complete_line(&mut self) -> Result<Option<usize>, Silence> {
        let unread = &self.buffer[self.start..];
        let found = unread[self.scanned..].iter().position(|&byte| byte == b'\n');
        let length = found.map_or(unread.len(), |at| self.scanned + at);
        self.scanned = length;
        if length > LINE_CAP {
            return Err(Silence::LongLine);
        }
        Ok(found.map(|_| length))
    }

    fn take_line(&mut self, length: usize) -> &[u8] {
        let line = self.start..self.start + length;
        self.start += length + 1;
        self.scanned = 0;
        let line = &self.buffer[line];
        line.strip_suffix(b"\r").unwrap_or(line)
    }

    fn read_output(&mut self) -> Result<(), Silence> {
        // Lines that were handed out are no longer needed.
        self.buffer.drain(..self.start);
        self.start = 0;
        let mut chunk = [0; CHUNK];
        match self.wire.read(&mut chunk) {
            Ok(0) => Err(Silence::Closed),
            Ok(count) => {
                self.volume += count;
                self.buffer.extend_from_slice(&chunk[..count]);
                if self.volume > BYTE_CAP { Err(Silence::Flood) } else { Ok(()) }
            }
            Err(error) if is_temporary(&error) => Ok(()),
            Err(error) => Err(Silence::System(error.to_string())),
        }
    }

    /// Asks the bot to end by itself and gives it `grace` for it; then it is killed. Whether it ended by itself.
    pub(crate) fn quit(mut self, grace: Duration) -> bool {
        let now = self.now();
        let _ = self.write(b"quit\n", now);
        self.finish(grace).0 != Ending::Released
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.wire.has_ended()
    }

    pub(crate) fn finish(&mut self, grace: Duration) -> (Ending, String) {
        self.wire.finish(grace)
    }

    pub(crate) fn end(&mut self) -> (Ending, String) {
        self.wire.end()
    }
}

pub(crate) fn is_temporary(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;

    /// A bot that has written these pieces, and a clock that jumps at each wait.
    #[derive(Debug)]
    struct Written {
        pieces: VecDeque<&'static [u8]>,
        now: Duration,
        /// By how much each wait takes longer than it should.
        jump: Duration,
    }

    impl Written {
        fn lines(pieces: &[&'static [u8]], jump: Duration) -> Lines {
            Lines::new(Written { pieces: pieces.iter().copied().collect(), now: Duration::ZERO, jump })
        }
    }

    impl Wire for Written {
        fn now(&self) -> Duration {
            self.now
        }

        fn read(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
            let piece = self.pieces.pop_front().ok_or(io::ErrorKind::WouldBlock)?;
            chunk[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }

        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            Ok(text.len())
        }

        fn wait(&mut self, _: Wanted, most: Duration) -> Result<Ready, Silence> {
            self.now += most + self.jump;
            Ok(if self.pieces.is_empty() { Ready::Nothing } else { Ready::Wanted })
        }

        fn begin(&mut self) {}

        fn was_told_frozen(&mut self) -> bool {
            false
        }

        fn was_frozen(&mut self) -> bool {
            false
        }

        fn processor_time(&self) -> Option<Duration> {
            None
        }

        fn forget_errors(&mut self) {}

        fn has_ended(&mut self) -> bool {
            self.pieces.is_empty()
        }

        fn finish(&mut self, _: Duration) -> (Ending, String) {
            (Ending::Released, String::new())
        }

        fn end(&mut self) -> (Ending, String) {
            (Ending::Released, String::new())
        }
    }

    #[test]
    fn lines_come_out_of_pieces() {
        let mut lines = Written::lines(&[b"on", b"e\r\ntwo\nth", b"ree"], Duration::ZERO);
        let deadline = SLICE * 4;
        assert_eq!(lines.line(deadline), Ok(None));
        assert_eq!(lines.line(deadline), Ok(Some(&b"one"[..])));
        assert_eq!(lines.line(deadline), Ok(Some(&b"two"[..])));
        assert_eq!(lines.line(deadline), Ok(None));
        // Half a line at the deadline is told with it.
        assert_eq!(lines.line(deadline), Ok(None));
        assert_eq!(lines.line(deadline), Err(Silence::Deadline(Some(b"three".to_vec()))));
    }

    /// Also where nobody has read it yet: it stands in the pipe, not in the buffer.
    #[test]
    fn a_second_answer_to_the_last_question_is_none_to_the_next() {
        let mut lines = Written::lines(&[b"bestmove 1\n", b"bestmove 2\n"], Duration::ZERO);
        assert_eq!(lines.line(SLICE), Ok(Some(&b"bestmove 1"[..])));
        lines.begin();
        assert_eq!(lines.line(SLICE * 3), Ok(None));
    }

    #[test]
    fn a_runner_that_wakes_too_late_knows_it() {
        let late = Duration::from_secs(3);
        let mut lines = Written::lines(&[], late);
        assert_eq!(lines.line(Duration::from_mins(1)), Ok(None));
        assert_eq!(lines.overslept(), late);
        lines.begin();
        assert_eq!(lines.overslept(), Duration::ZERO);
    }

    #[test]
    fn a_flood_and_an_endless_line_have_an_end() {
        const FULL: [u8; CHUNK] = [b'x'; CHUNK];
        let endless = vec![&FULL[..]; LINE_CAP / CHUNK + 2];
        let mut lines = Written::lines(&endless, Duration::ZERO);
        let silence = loop {
            if let Err(silence) = lines.line(Duration::from_mins(1)) {
                break silence;
            }
        };
        assert_eq!(silence, Silence::LongLine);
        let mut short = [b'x'; CHUNK];
        short[CHUNK - 1] = b'\n';
        let short: &'static [u8] = Box::leak(Box::new(short));
        let flood = vec![short; BYTE_CAP / CHUNK + 2];
        let mut lines = Written::lines(&flood, Duration::ZERO);
        let silence = loop {
            if let Err(silence) = lines.line(Duration::from_mins(1)) {
                break silence;
            }
        };
        assert_eq!(silence, Silence::Flood);
    }
}
