//! Claims of the RoPaSci report that games decide, and its ideas one by one.

use super::ground;
use crate::commands::tables::matches::Match;
use crate::commands::tables::section::Source;
use crate::commands::tables::verdict::{Share, Verdict};
use crate::commands::tables::{Effort, Section};

/// The report's nodes a second on the course's server, and the seconds of a game there.
const RATE: f64 = 8000.0;
const GAME: f64 = 60.0;

pub(super) fn section(effort: Effort) -> Section {
    let pairs = effort.pick(2, 100);
    let mut section = Section::claims(
        "Games",
        "Pairs of games from openings of two random turns with the sides exchanged, the score of the bot named first.",
    );
    let mut all = Match::default();
    for (claim, source, enemy) in [
        (
            "it wins against a player at random (logs of won games lie beside the program)",
            Source::Beside,
            "random",
        ),
        ("against the player that served for trials", Source::Beside, "sparring"),
        ("against an older version of the player", Source::Beside, "older"),
        ("against the rules with one ply", Source::Ours, "greedy"),
        ("against itself", Source::Ours, "report"),
    ] {
        let result = ground().play("report", enemy, pairs);
        let tested = format!("`report` against `{enemy}`, {pairs} pairs");
        section.claim(claim, source, tested, result.to_string(), Verdict::Figure);
        all = all.plus(&result);
    }
    let seconds = all.work[0].most_nodes as f64 / RATE;
    section.claim(
        "The depth rule keeps the run time of a game below 60 seconds",
        Source::Report,
        format!(
            "the most nodes of `report` in one of the {} games above, at the report's 8,000 nodes a second",
            all.games().games()
        ),
        format!("{} nodes, {seconds:.1} s", all.work[0].most_nodes),
        Verdict::of(seconds < GAME),
    );
    let full = ground().play("report:depth=2", "greedy", effort.pick(1, 10));
    let seconds = full.work[0].most_nodes as f64 / RATE;
    section.claim(
        "and without the rule it would not stay there",
        Source::Report,
        format!("the same of `report:depth=2` in {} games against `greedy`", full.games().games()),
        format!("{} nodes, {seconds:.1} s", full.work[0].most_nodes),
        Verdict::of(seconds > GAME),
    );
    let without = ground().play("report:rules=off", "greedy", effort.pick(1, 20));
    let with = ground().play("report", "greedy", effort.pick(1, 20));
    let [with_rules, without_rules] =
        [&with, &without].map(|played| played.work[0].nodes as f64 / played.work[0].answers.max(1) as f64);
    section.claim(
        "The five rules decrease the time that a turn costs",
        Source::Report,
        format!(
            "nodes a turn in {} games of `report` and of `report:rules=off` against `greedy`",
            with.games().games()
        ),
        format!(
            "{with_rules:.0} and {without_rules:.0}: {:.2} times as many",
            without_rules / with_rules.max(1.0)
        ),
        Verdict::of(with_rules < without_rules),
    );
    repetition(&mut section, pairs);
    section
}

fn repeated(result: &Match) -> Share {
    let part = result.reasons.get("repetition").copied().unwrap_or(0);
    Share { part, whole: result.reasons.values().sum() }
}

fn repetition(section: &mut Section, pairs: u64) {
    let (with, without) = (
        ground().play("report", "report", pairs),
        ground().play("report:guard=off", "report:guard=off", pairs),
    );
    let (with, without) = (repeated(&with), repeated(&without));
    section.claim(
        "The check of repeated states prevents draws by a state that occurs three times",
        Source::Report,
        format!("draws by repetition in {pairs} pairs of `report` against itself, and of `report:guard=off` against itself"),
        format!("{with}; without it {without}"),
        Verdict::below(with.interval(), without.interval().low.unwrap_or(0.0)),
    );
}

pub(super) fn ablations(effort: Effort) -> Section {
    let pairs = effort.pick(1, 60);
    let mut section = Section {
        title: "Ideas, each against the program as submitted".to_owned(),
        text: format!(
            "{pairs} pairs from openings of two random turns; the score is that of the bot on the left against `report`. Stronger \
             or weaker is said where the interval does not hold 50 %."
        ),
        columns: vec!["bot", "from", "what changes", "result", "so the bot", "draws by repetition"],
        rows: Vec::new(),
    };
    for (spec, from, about) in [
        ("report:as=text", "report", "everything as the report says it"),
        ("report:phases=on", "report", "the three phases come into force"),
        ("report:distance=fixed", "ours", "the slip in the distance feature mended"),
        ("report:distance=plain", "report", "plain distances"),
        ("report:moves=all", "report", "all slides and swings are searched"),
        ("report:rules=off", "ours", "search alone, without the five rules"),
        ("report:rules=text", "report", "the rules as printed"),
        ("report:draws=on", "report", "a draw by mutual elimination, repetition or the last turn is worth 0"),
        ("report:opening=off", "ours", "no fixed opening"),
        ("report:guard=off", "ours", "no check of repeated states"),
        ("report:depth=1", "ours", "always one turn deep"),
        ("report:zones=plain", "report", "throw-zone counts not lowered"),
        ("report:eatable=500", "beside the program", "a weight for tokens to take (switched off)"),
        ("report:advance=20", "beside the program", "a weight for advancing (switched off)"),
        ("report:diversity=500", "beside the program", "a weight for different symbols (switched off)"),
        (
            "report:reserve=100",
            "beside the program",
            "keep three of throws left and different symbols (a note)",
        ),
        (
            "report:crowd=100",
            "beside the program",
            "a penalty for more than three tokens of a symbol (a note)",
        ),
        ("report:moves=near", "beside the program", "tokens more than 4 hexes from any enemy stay (a note)"),
        ("report:throws=beside", "beside the program", "throws beside enemy tokens too (a note)"),
        ("report:stir=20", "beside the program", "a throw every 20 turns (a note)"),
        ("greedy", "ours", "the rules, then one ply"),
    ] {
        let result = ground().play(spec, "report", pairs);
        let verdict = match result.first_is_stronger() {
            Verdict::Holds => "is stronger",
            Verdict::Fails => "is weaker",
            _ => "",
        };
        section.rows.push(vec![
            format!("`{spec}`"),
            from.to_owned(),
            about.to_owned(),
            result.to_string(),
            verdict.to_owned(),
            repeated(&result).part.to_string(),
        ]);
    }
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_the_printed_ones() {
        // 194,481 leaves are about 24 s, 441 are about 0.05 s.
        assert!((194_481.0 / RATE - 24.0).abs() < 0.5);
        assert!((441.0 / RATE - 0.05).abs() < 0.01);
    }
}
