//! Intransitive results: A beats B, B beats C, C beats A.

/// A cycle in which each player scored above a half against the next, if there is one. `score(a, b)` is the share of
/// the points that `a` took from `b`, `None` if they did not meet.
pub fn find_cycle(players: usize, score: impl Fn(usize, usize) -> Option<f64>) -> Option<Vec<usize>> {
    let beats = Beats::new(players, score);
    // A tournament graph with a cycle need not have one of length three if some pairs are even, so search in general.
    let mut seen = vec![Seen::Never; players];
    (0..players).find_map(|start| walk(start, &beats, &mut seen)).map(|cycle| beats.shortest_from(&cycle))
}

/// Who beats whom, a row of bits for each player.
struct Beats {
    players: usize,
    words: usize,
    rows: Vec<u64>,
    /// The same turned over: who is beaten by whom.
    columns: Vec<u64>,
}

impl Beats {
    fn new(players: usize, score: impl Fn(usize, usize) -> Option<f64>) -> Beats {
        let words = players.div_ceil(64);
        let (mut rows, mut columns) = (vec![0; players * words], vec![0; players * words]);
        for a in 0..players {
            for b in (0..players).filter(|&b| b != a) {
                if score(a, b).is_some_and(|share| share > 0.5) {
                    rows[a * words + b / 64] |= 1 << (b % 64);
                    columns[b * words + a / 64] |= 1 << (a % 64);
                }
            }
        }
        Beats { players, words, rows, columns }
    }

    fn holds(&self, a: usize, b: usize) -> bool {
        self.rows[a * self.words + b / 64] >> (b % 64) & 1 == 1
    }

    /// Whom `a` beats, from `b` on.
    fn next(&self, a: usize, b: usize) -> Option<usize> {
        (b..self.players).find(|&b| self.holds(a, b))
    }

    /// Three players say more than eight: a triangle with one of the cycle's players, if there is one.
    fn shortest_from(&self, cycle: &[usize]) -> Vec<usize> {
        for &a in cycle {
            let beaters = &self.columns[a * self.words..(a + 1) * self.words];
            for b in (0..self.players).filter(|&b| self.holds(a, b)) {
                let beaten = &self.rows[b * self.words..(b + 1) * self.words];
                let common = beaters.iter().zip(beaten).map(|(left, right)| left & right).enumerate();
                if let Some((word, bits)) = common.into_iter().find(|&(_, bits)| bits != 0) {
                    return vec![a, b, word * 64 + bits.trailing_zeros() as usize];
                }
            }
        }
        cycle.to_vec()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Never,
    /// On the path that is walked.
    OnPath,
    /// No cycle leads through it.
    Done,
}

/// Goes from `start` along wins until the path meets itself. Written as a loop: a path may be as long as there are players.
fn walk(start: usize, beats: &Beats, seen: &mut [Seen]) -> Option<Vec<usize>> {
    if seen[start] != Seen::Never {
        return None;
    }
    // Each player of the path with the next opponent to look at.
    let mut path = vec![(start, 0)];
    seen[start] = Seen::OnPath;
    while let Some((at, from)) = path.last_mut() {
        let at = *at;
        let Some(next) = beats.next(at, *from) else {
            seen[at] = Seen::Done;
            path.pop();
            continue;
        };
        *from = next + 1;
        match seen[next] {
            Seen::Done => {}
            Seen::Never => {
                seen[next] = Seen::OnPath;
                path.push((next, 0));
            }
            Seen::OnPath => {
                let position = path.iter().position(|&(player, _)| player == next)?;
                return Some(path[position..].iter().map(|&(player, _)| player).collect());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rock_paper_scissors_is_a_cycle_and_a_ladder_is_not() {
        let cyclic = |a: usize, b: usize| Some(if (a + 1) % 3 == b { 0.6 } else { 0.4 });
        assert_eq!(find_cycle(3, cyclic).map(|cycle| cycle.len()), Some(3));
        let ladder = |a: usize, b: usize| Some(if a < b { 0.9 } else { 0.1 });
        assert_eq!(find_cycle(6, ladder), None);
        assert_eq!(find_cycle(3, |_, _| None), None);
    }

    #[test]
    fn a_triangle_is_found_among_hundreds() {
        // A ladder in which the last three go round.
        let score = |a: usize, b: usize| {
            let (low, high) = (a.min(b), a.max(b));
            let first_wins = (low, high) != (297, 299);
            Some(if (a == low) == first_wins { 0.9 } else { 0.1 })
        };
        let mut cycle = find_cycle(300, score).unwrap();
        cycle.sort_unstable();
        assert_eq!(cycle, [297, 298, 299]);
    }

    #[test]
    fn long_cycles_without_a_triangle_are_found() {
        let ring = |a: usize, b: usize| match (b + 5 - a) % 5 {
            1 => Some(0.7),
            4 => Some(0.3),
            _ => Some(0.5),
        };
        assert_eq!(find_cycle(5, ring).map(|cycle| cycle.len()), Some(5));
    }
}
