//! Which entry plays next: the one whose rating is known least, against one near in rating.

use arena::Digest;

/// What the choice goes by.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Standing {
    /// Elo, and half of its 95 % interval; nothing before the first rating.
    pub(crate) rating: Option<(f64, f64)>,
    /// Games played and under way.
    pub(crate) games: u64,
    /// Games under way.
    pub(crate) busy: u64,
    /// Whether it is there to be played against only.
    pub(crate) reference: bool,
}

/// How the choice is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    /// Ratings with a wider error are provisional.
    pub(crate) provisional: f64,
    /// An entry that has played this many games is no longer chosen first; 0 for no limit.
    pub(crate) games: u64,
    /// Whether the ladder ends when no rating is provisional any more.
    pub(crate) until_settled: bool,
    pub(crate) seed: u64,
}

impl Standing {
    /// Whether the rating is not known well enough.
    pub(crate) fn is_provisional(&self, bound: f64) -> bool {
        self.rating.is_none_or(|(_, error)| error > bound)
    }
}

/// The next pairing of players by their numbers, the first being the one that it is for; `met` says how many games two have
/// played. Nothing if no entry has to play.
pub(crate) fn next_pairing(
    players: &[Standing],
    met: &dyn Fn(usize, usize) -> u64,
    rule: Rule,
    number: u64,
) -> Option<[usize; 2]> {
    if players.len() < 2 {
        return None;
    }
    let lot = |player: usize| {
        Digest::of(&["lot", &rule.seed.to_string(), &number.to_string(), &player.to_string()]).number()
    };
    let due = |player: &usize| {
        let one = &players[*player];
        let provisional = one.is_provisional(rule.provisional);
        // References among themselves would fill the disk while no team hands in.
        !one.reference && (rule.games == 0 || one.games < rule.games) && (provisional || !rule.until_settled)
    };
    // New entries first: a rating that is provisional, then few games.
    let first = (0..players.len()).filter(due).min_by_key(|&player| {
        let one = &players[player];
        (!one.is_provisional(rule.provisional), one.games, lot(player))
    })?;
    let second = (0..players.len()).filter(|&player| player != first).max_by(|&a, &b| {
        let worth = |other: usize| worth(&players[first], &players[other], met(first, other));
        worth(a).total_cmp(&worth(b)).then_with(|| lot(a).cmp(&lot(b)))
    })?;
    Some([first, second])
}

/// What a pair of games against this opponent tells of a player: most if the end is open, less the more often they have
/// met, and less while the opponent plays elsewhere.
fn worth(player: &Standing, other: &Standing, met: u64) -> f64 {
    let spread = |one: &Standing| one.rating.map_or((0.0, 600.0), |(rating, error)| (rating, error / 1.96));
    let ((a, sigma_a), (b, sigma_b)) = (spread(player), spread(other));
    // The expected score with unsure ratings: the logistic curve, flattened by their variance.
    let k = std::f64::consts::LN_10 / 400.0;
    let variance = (sigma_a * sigma_a + sigma_b * sigma_b) * k * k;
    let flat = (1.0 + std::f64::consts::PI * variance / 8.0).sqrt();
    let chance = 1.0 / (1.0 + (-(a - b) * k / flat).exp());
    4.0 * chance * (1.0 - chance) / ((1.0 + met as f64 / 2.0) * (1.0 + other.busy as f64 / 4.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Rule = Rule { provisional: 80.0, games: 100, until_settled: false, seed: 1 };

    fn player(rating: f64, error: f64, games: u64) -> Standing {
        Standing { rating: Some((rating, error)), games, busy: 0, reference: false }
    }

    #[test]
    fn new_entries_play_first_and_against_their_like() {
        let players = [
            player(300.0, 40.0, 50),
            player(0.0, 40.0, 40),
            Standing::default(),
            player(-300.0, 40.0, 60),
            player(20.0, 90.0, 12),
        ];
        assert_eq!(next_pairing(&players, &|_, _| 0, RULE, 7).unwrap()[0], 2);
        // The only provisional one with games: against the one of its strength.
        let known = [players[0], players[1], players[3], players[4]];
        assert_eq!(next_pairing(&known, &|_, _| 0, RULE, 7), Some([3, 1]));
        // An opponent that it has met often tells less than one a little further off.
        let near = [player(0.0, 90.0, 10), player(0.0, 40.0, 50), player(80.0, 40.0, 50)];
        assert_eq!(next_pairing(&near, &|_, _| 0, RULE, 7), Some([0, 1]));
        let met = |a: usize, b: usize| if a.max(b) == 1 { 20 } else { 0 };
        assert_eq!(next_pairing(&near, &met, RULE, 7), Some([0, 2]));
    }

    #[test]
    fn the_ladder_rests_when_all_is_known() {
        let settled = [player(0.0, 40.0, 50), player(50.0, 60.0, 100)];
        assert_eq!(next_pairing(&settled, &|_, _| 0, RULE, 1), Some([0, 1]));
        assert_eq!(next_pairing(&settled, &|_, _| 0, Rule { until_settled: true, ..RULE }, 1), None);
        let full = [player(0.0, 40.0, 100), player(50.0, 90.0, 100)];
        assert_eq!(next_pairing(&full, &|_, _| 0, RULE, 1), None);
        assert_eq!(next_pairing(&full, &|_, _| 0, Rule { games: 0, ..RULE }, 1), Some([1, 0]));
        assert_eq!(next_pairing(&full[..1], &|_, _| 0, RULE, 1), None);
        let references = settled.map(|one| Standing { reference: true, ..one });
        assert_eq!(next_pairing(&references, &|_, _| 0, RULE, 1), None);
        assert_eq!(next_pairing(&[settled[0], references[1]], &|_, _| 0, RULE, 1), Some([0, 1]));
    }
}
