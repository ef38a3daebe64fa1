//! What the reader of a table should know: games that are alike, groups that never met, results that go in a circle,
//! failures, bots that were withdrawn.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::journal::Void;
use crate::plan::Plan;
use crate::shown::shown;
use crate::statistics::find_cycle;
use crate::tally::Tally;

/// The warnings of an event. `players` are the bots that are not withdrawn.
pub(crate) fn warnings(
    plan: &Plan,
    tally: &Tally,
    players: &[usize],
    withdrawn: &[Option<String>],
    no_faults: bool,
) -> Vec<String> {
    let mut warnings = Vec::new();
    let name = |bot: usize| shown(&plan.bots[bot].name);
    let distinct = &tally.distinct;
    if distinct.is_suspicious() {
        let twins = plan.bots.iter().enumerate().any(|(number, bot)| {
            plan.bots[..number]
                .iter()
                .any(|other| (&other.spec, &other.fingerprint) == (&bot.spec, &bot.fingerprint))
        });
        let advice =
            if twins { "bots with one spec play the same games" } else { "use more varied openings" };
        warnings.push(format!(
            "only {} of {} games are different: errors are left out, they would be too small; {advice}",
            distinct.distinct(),
            distinct.total()
        ));
    }
    let starters = plan.bots.iter().filter(|bot| bot.start_only);
    let starters = listed(starters.map(|bot| shown(&bot.name).into_owned()));
    if !starters.is_empty() {
        warnings.push(format!("games of these bots began at the start, not at the openings, because they play from there only: {starters}"));
    }
    let groups = groups(players, plan.bots.len(), tally);
    if tally.games() > 0 && groups.len() > 1 {
        let texts: Vec<String> =
            groups.iter().map(|group| listed(group.iter().map(|&bot| name(bot).into_owned()))).collect();
        warnings.push(format!(
            "these groups have not met, so their ratings cannot be compared: {}",
            texts.join(" | ")
        ));
    }
    let score =
        |a: usize, b: usize| tally.pairing(players[a], players[b]).and_then(|(games, _)| games.score());
    if let Some(cycle) = find_cycle(players.len(), score) {
        let names: Vec<_> = cycle.iter().chain(cycle.first()).map(|&place| name(players[place])).collect();
        warnings.push(format!(
            "the results go in a circle, so read the crosstable rather than one rating: {}",
            names.join(" beats ")
        ));
    }
    if tally.double_forfeits > 0 {
        warnings.push(format!(
            "{} games in which both bots failed at once count as draws and are left out of the ratings",
            tally.double_forfeits
        ));
    }
    for (game, Void { players, problem }) in tally.void.iter().take(MOST) {
        let [one, two] = [shown(&players[0]), shown(&players[1])];
        warnings.push(format!("game {game}, {one} against {two}, has no result: {}", shown(problem)));
    }
    if tally.void.len() > MOST {
        warnings.push(format!("{} more games have no result", tally.void.len() - MOST));
    }
    for (&[victim, opponent], games) in &tally.tampering {
        warnings.push(format!(
            "tampering: {games} games of {} against {} are void and count for nobody: somebody stopped it or killed its \
             guard, and only a bot that ran at the time can have done so",
            name(victim),
            name(opponent)
        ));
    }
    for (bot, used) in tally.bots.iter().enumerate() {
        if !used.faults.is_empty() {
            let mut faults: Vec<_> = used.faults.iter().map(|(kind, count)| (kind.word(), count)).collect();
            faults.sort_unstable();
            let kinds: Vec<String> =
                faults.into_iter().map(|(kind, count)| format!("{count} {kind}")).collect();
            warnings.push(format!("{} lost games by failures: {}", name(bot), kinds.join(", ")));
        }
    }
    let is_player = |bot: usize| withdrawn.get(bot).is_none_or(Option::is_none);
    let pairings =
        || tally.pairings().filter(|&([a, b], _)| is_player(a) && is_player(b)).map(|(_, pairing)| pairing);
    let failures: u64 = pairings().map(|pairing| pairing.by_failure.iter().sum::<u64>()).sum();
    if failures > 0 {
        let ratings = if no_faults {
            format!("the ratings leave these {failures} games out, ratings of all games stand beside")
        } else {
            "ratings without such games stand beside".to_owned()
        };
        warnings.push(format!(
            "a game won by the other's failure counts as a point but shows no strength: {ratings}"
        ));
    }
    for (bot, problem) in withdrawn.iter().enumerate() {
        if let Some(problem) = problem {
            let played: u64 = tally
                .pairings()
                .filter(|([a, b], _)| *a == bot || *b == bot)
                .map(|(_, pairing)| pairing.all.games().games())
                .sum();
            let problem: String = problem.lines().next().unwrap_or_default().chars().take(200).collect();
            let problem = shown(&problem);
            warnings.push(format!(
                "{} was withdrawn because it would not start ({problem}); its {played} finished games are voided, the \
                 others were not played",
                name(bot)
            ));
        }
    }
    // Those that have met: in a gauntlet or a Swiss tournament not all pairs do.
    let met = pairings().filter(|pairing| pairing.all.games().games() > 0).count();
    if players.len() > 3 && met > 0 {
        warnings
            .push(format!("95 % holds for each pairing by itself; of {met} pairings one in twenty misses"));
    }
    if tally.replays > 0 {
        warnings.push(format!("{} games were played again after an infinite move", tally.replays));
    }
    warnings
}

/// How many of a kind are named.
const MOST: usize = 12;

/// Names in a list that stays readable, however many there are.
fn listed(mut names: impl Iterator<Item = String>) -> String {
    let mut text = names.by_ref().take(MOST).collect::<Vec<_>>().join(", ");
    let more = names.count();
    if more > 0 {
        // Writing to a string does not fail.
        let _ = write!(text, " and {more} more");
    }
    text
}

/// The players in groups that are connected by games.
fn groups(players: &[usize], bots: usize, tally: &Tally) -> Vec<Vec<usize>> {
    // Each bot points to one of its group, the last one to itself.
    let mut leaders: Vec<usize> = (0..bots).collect();
    let mut plays = vec![false; bots];
    for &bot in players {
        plays[bot] = true;
    }
    let find = |leaders: &mut Vec<usize>, mut bot: usize| {
        while leaders[bot] != bot {
            leaders[bot] = leaders[leaders[bot]];
            bot = leaders[bot];
        }
        bot
    };
    for ([a, b], pairing) in tally.pairings() {
        if plays[a] && plays[b] && pairing.all.games().games() > 0 {
            let (a, b) = (find(&mut leaders, a), find(&mut leaders, b));
            // The lower number leads, so that groups stand in the order of the plan.
            leaders[a.max(b)] = a.min(b);
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &bot in players {
        groups.entry(find(&mut leaders, bot)).or_default().push(bot);
    }
    groups.into_values().collect()
}
