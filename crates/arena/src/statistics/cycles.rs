//! Intransitive results: A beats B, B beats C, C beats A.

/// A cycle in which each player scored above a half against the next, if there is one. `score(a, b)` is the share of
/// the points that `a` took from `b`, `None` if they did not meet.
pub fn find_cycle(players: usize, score: impl Fn(usize, usize) -> Option<f64>) -> Option<Vec<usize>> {
    let beats = |a: usize, b: usize| a != b && score(a, b).is_some_and(|share| share > 0.5);
    // A tournament graph with a cycle need not have one of length three if some pairs are even, so search in general.
    let mut done = vec![false; players];
    for start in 0..players {
        let mut path: Vec<usize> = Vec::new();
        if let Some(cycle) = walk(start, players, &beats, &mut path, &mut done) {
            return Some(shortest_from(&cycle, players, &beats));
        }
    }
    None
}

fn walk(
    at: usize,
    players: usize,
    beats: &impl Fn(usize, usize) -> bool,
    path: &mut Vec<usize>,
    done: &mut [bool],
) -> Option<Vec<usize>> {
    if let Some(position) = path.iter().position(|&seen| seen == at) {
        return Some(path[position..].to_vec());
    }
    if done[at] {
        return None;
    }
    path.push(at);
    for next in (0..players).filter(|&next| beats(at, next)) {
        if let Some(cycle) = walk(next, players, beats, path, done) {
            return Some(cycle);
        }
    }
    path.pop();
    done[at] = true;
    None
}

/// Three players say more than eight: a triangle inside the cycle's players, if there is one.
fn shortest_from(cycle: &[usize], players: usize, beats: &impl Fn(usize, usize) -> bool) -> Vec<usize> {
    for &a in cycle {
        for b in (0..players).filter(|&b| beats(a, b)) {
            if let Some(c) = (0..players).find(|&c| beats(b, c) && beats(c, a)) {
                return vec![a, b, c];
            }
        }
    }
    cycle.to_vec()
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
    fn long_cycles_without_a_triangle_are_found() {
        let ring = |a: usize, b: usize| match (b + 5 - a) % 5 {
            1 => Some(0.7),
            4 => Some(0.3),
            _ => Some(0.5),
        };
        assert_eq!(find_cycle(5, ring).map(|cycle| cycle.len()), Some(5));
    }
}
