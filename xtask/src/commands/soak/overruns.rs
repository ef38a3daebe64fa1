//! The champions' moves by the clock while busy loops take the processors: how far beyond the limit they come, and how much of
//! that they worked themselves. The rest is the system's: it let others run.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use agents::Catalogue;
use arena::ThreadClock;
use gamesearch::Failure;
use search_core::{Clock, Game, Limits, Player, Record, SearchRng, StopFlag, SystemClock, Task, Turn};

/// The times per move that are tried.
const LIMITS: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(100)];

/// A bot may work so long beyond its limit: what looks at the clock are apart, and the way back.
const MOST_WORKED: Duration = Duration::from_millis(2);

/// What both clocks showed at one look.
#[derive(Debug, Clone, Copy)]
struct Look {
    wall: Duration,
    worked: Duration,
}

/// A clock by the wall that keeps what its thread had worked at each look.
#[derive(Debug)]
struct Watched {
    wall: SystemClock,
    worked: ThreadClock,
    limit: Duration,
    began: Look,
    seen: Mutex<Seen>,
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    last: Look,
    /// The last look before the limit was over.
    last_within: Look,
    /// The longest work between two looks.
    longest: Duration,
}

impl Watched {
    fn new(limit: Duration) -> Watched {
        let (wall, worked) = (SystemClock::new(), ThreadClock::new());
        let began = Look { wall: wall.now(), worked: worked.now() };
        let seen = Seen { last: began, last_within: began, longest: Duration::ZERO };
        Watched { wall, worked, limit, began, seen: Mutex::new(seen) }
    }

    fn look(&self) -> Look {
        let look = Look { wall: self.wall.now(), worked: self.worked.now() };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.longest = seen.longest.max(look.worked.saturating_sub(seen.last.worked));
        seen.last = look;
        if look.wall.saturating_sub(self.began.wall) <= self.limit {
            seen.last_within = look;
        }
        look
    }

    /// The move as it was: to be asked once it has been made.
    fn ended(&self) -> Overrun {
        let end = self.look();
        let seen = *self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let late = end.wall.saturating_sub(self.began.wall).saturating_sub(self.limit);
        // What was worked since the last look before the limit, but no more than the overrun itself.
        let worked = end.worked.saturating_sub(seen.last_within.worked).min(late);
        Overrun { late, worked, longest: seen.longest }
    }
}

impl Clock for Watched {
    fn now(&self) -> Duration {
        self.look().wall
    }
}

/// How far one move, or the worst of several, came beyond its limit.
#[derive(Debug, Clone, Copy, Default)]
struct Overrun {
    /// By the wall.
    late: Duration,
    /// Of that worked by the bot.
    worked: Duration,
    /// The longest work between two looks at the clock, in the whole move.
    longest: Duration,
}

impl Overrun {
    fn worse(self, other: Overrun) -> Overrun {
        Overrun {
            late: self.late.max(other.late),
            worked: self.worked.max(other.worked),
            longest: self.longest.max(other.longest),
        }
    }
}

/// Plays the champion against itself from random openings until it has made this many moves.
fn measure<G: Game>(catalogue: &Catalogue<G>, limit: Duration, moves: u32) -> Result<(Overrun, u32), Failure>
where
    G::Setup: Default,
{
    let mut rng = SearchRng::new(12, "overruns");
    let (mut made, mut late, mut worst) = (0, 0, Overrun::default());
    for game in 0.. {
        let mut record = Record::new(G::initial(&G::Setup::default(), game));
        let build = || catalogue.build("champion").map_err(Failure::failed);
        let mut bots = [build()?, build()?];
        for (player, bot) in Player::BOTH.into_iter().zip(&mut bots) {
            bot.new_game(player, game).map_err(Failure::failed)?;
        }
        let mut random_turns = 4;
        while record.end().is_none() {
            let active = record.position().active();
            let mut chosen = [None; 2];
            for player in active.players() {
                let moves_there = record.legal_moves(player);
                chosen[player.index()] = if random_turns > 0 {
                    Some(moves_there[rng.below(moves_there.len())])
                } else {
                    let clock = Watched::new(limit);
                    let stop = StopFlag::new();
                    let task = Task::plain(&record, player, Limits::movetime(limit), &stop, &clock);
                    let answer = bots[player.index()].choose(&task).map_err(Failure::failed)?;
                    let overrun = clock.ended();
                    worst = worst.worse(overrun);
                    late += u32::from(overrun.late > Duration::ZERO);
                    made += 1;
                    Some(answer.mv)
                };
            }
            random_turns -= u32::from(random_turns > 0);
            let turn = G::Turn::from_moves(active, chosen)
                .ok_or_else(|| Failure::failed("a turn without all of its moves"))?;
            record.play(turn).map_err(Failure::failed)?;
            if made >= moves {
                return Ok((worst, late));
            }
        }
    }
    Ok((worst, late))
}

/// Measures all champions beside as many busy loops as there are processors; whether none worked far beyond its limit.
pub(super) fn run(moves: u32) -> Result<bool, Failure> {
    let over = AtomicBool::new(false);
    let loops = gamesearch::processors();
    std::thread::scope(|scope| {
        for _ in 0..loops {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let passed = measure_all(moves, loops);
        over.store(true, Ordering::Relaxed);
        passed
    })
}

fn measure_all(moves: u32, loops: usize) -> Result<bool, Failure> {
    anstream::println!(
        "{moves} moves of each champion beside {loops} busy loops; `worked` is what the bot itself did beyond its limit, `apart` \
         the longest work between two looks at the clock"
    );
    let mut passed = true;
    let mut tell = |game: &str, limit: Duration, (worst, late): (Overrun, u32)| {
        anstream::println!(
            "{game:12} {limit:>6.0?}: {late} moves late, by {:.1?} at most, worked {:.2?} of it, apart {:.2?}",
            worst.late,
            worst.worked,
            worst.longest
        );
        passed &= worst.worked <= MOST_WORKED;
    };
    for limit in LIMITS {
        tell("expendibots", limit, measure(&agents::expendibots::catalogue(), limit, moves)?);
        tell("ropasci360", limit, measure(&agents::ropasci360::catalogue(), limit, moves)?);
        tell("hus", limit, measure(&agents::hus::catalogue(), limit, moves)?);
        tell("colosseum", limit, measure(&agents::colosseum::catalogue(), limit, moves)?);
    }
    Ok(passed)
}
