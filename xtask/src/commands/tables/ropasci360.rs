//! The rows of the RoPaSci 360 report.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

use agents::ropasci360::{
    Guard, Movers, Pessimistic, Phase, ReportSettings, Rule, RuleSet, Settings, State, Tokens, catalogue,
    evaluate, generate, opening_move,
};
use ropasci360::{Hex, Move, Position, Symbol};
use search_core::matrix::{Matrix, solve};
use search_core::{Game, Limits, Player, Record, SearchRng, StopFlag, SystemClock, Task, stream};

use super::{Effort, Progress, Section, fastest, in_parallel};

/// Three tokens a side on inner hexes, no swings, nobody in a throw zone: the report's example.
const EXAMPLE: &str = "5/6/2R1P2/8/4S2r1/8/2p1s2/6/5 3 3 20";

/// All sections of this report.
pub(crate) fn sections(effort: Effort, progress: &Progress) -> Vec<Section> {
    vec![
        progress.part("leaves", leaves),
        progress.part("growth with throws", || growth(effort)),
        progress.part("claims", || claims(effort)),
        progress.part("single ideas", || ablations(effort)),
    ]
}

fn example() -> Tokens {
    // The text is a constant that a test reads.
    let position: Position = EXAMPLE.parse().unwrap_or_else(|error| unreachable!("{error}"));
    Tokens::new(&position, false)
}

/// The product of the actions that both sides generate.
fn pairs(tokens: &Tokens) -> u64 {
    Player::BOTH.map(|player| generate(tokens, player, Movers::Useful).len() as u64).iter().product()
}

/// The leaves of a tree of `depth` turns without any cut.
fn full_tree(tokens: &Tokens, depth: u32) -> u64 {
    if depth == 1 {
        return pairs(tokens);
    }
    let [upper, lower] = Player::BOTH.map(|player| generate(tokens, player, Movers::Useful));
    let mut leaves = 0;
    for &first in &upper {
        for &second in &lower {
            let mut next = *tokens;
            next.play([first, second]);
            leaves += full_tree(&next, depth - 1);
        }
    }
    leaves
}

/// Nodes of the report's search.
fn searched(tokens: &Tokens, depth: u32) -> u64 {
    let settings = Settings::default();
    let mut search = Pessimistic::new(Player::One, Phase::Normal, &settings, Movers::Useful);
    black_box(search.root(tokens, depth, &Guard::new(Player::One)));
    search.nodes
}

fn leaves() -> Section {
    let tokens = example();
    let mut section = Section {
        title: "Leaves of the search".to_owned(),
        text: format!(
            "The report's example: three tokens a side, no swings, nobody in a throw zone, so b = 3 x 6 + 3 = 21 and \
             b^(2d) leaves. Ours is counted at `{EXAMPLE}`; at depth 2 b is not the same everywhere: after the \
             first turn tokens stand beside each other and swing, or come into a throw zone."
        ),
        columns: vec![
            "depth",
            "printed",
            "ours, no cuts",
            "ours, nodes with alpha-beta",
            "time, ratio to the slowest",
            "printed times, ratio",
        ],
        rows: Vec::new(),
    };
    let mut nodes = [0; 2];
    let spent: [Duration; 2] = fastest(5, |piece| nodes[piece] = searched(&tokens, piece as u32 + 1));
    let slowest = spent[1].max(spent[0]).as_secs_f64();
    for (piece, printed, printed_time) in [(0, "441", 0.05 / 24.0), (1, "194,481", 1.0)] {
        let depth = piece as u32 + 1;
        section.rows.push(vec![
            depth.to_string(),
            printed.to_owned(),
            full_tree(&tokens, depth).to_string(),
            nodes[piece].to_string(),
            format!("{:.4}", spent[piece].as_secs_f64() / slowest),
            format!("{printed_time:.4}"),
        ]);
    }
    let rate = |piece: usize| nodes[piece] as f64 / spent[piece].as_secs_f64().max(1e-9);
    let _ = write!(
        section.text,
        " The report's figure of about 8,000 nodes a second on the course server is 441 leaves in 0.05 s (8,820 a second) and \
         194,481 in 24 s (8,103): the rate at depth 1 is 1.09 times that at depth 2; ours is {:.2} times that at depth 2, and \
         that is {:.0} times 8,000 on this machine.",
        rate(0) / rate(1),
        rate(1) / 8000.0
    );
    section
}

/// Random placements of `count` tokens a side, all of them thrown and none lost.
fn placement(count: u8, rng: &mut SearchRng) -> Option<Tokens> {
    let mut placed: Vec<(Hex, Player, Symbol)> = Vec::new();
    for player in Player::BOTH {
        for _ in 0..count {
            let hex = Hex::from_index(rng.below(Hex::COUNT))?;
            let symbol = placed.iter().find(|token| token.0 == hex).map(|token| token.2);
            placed.push((hex, player, symbol.unwrap_or(Symbol::ALL[rng.below(3)])));
        }
    }
    let position = Position::from_tokens(placed, [count; 2], 40).ok()?;
    Some(Tokens::new(&position, false))
}

fn growth(effort: Effort) -> Section {
    let samples = effort.pick(50, 400);
    let mut section = Section {
        title: "Growth with throws".to_owned(),
        text: format!(
            "\"An enemy that throws everything early raises b and is the worst case.\" For each number of tokens on the board \
             and thrown, {samples} random placements: the actions that the report's generator gives a side, by the report's \
             formula (6 moves a token, 3 throws) and counted."
        ),
        columns: vec![
            "tokens a side",
            "b by the formula",
            "b counted, mean",
            "b counted, most",
            "b^2",
            "b^4",
        ],
        rows: Vec::new(),
    };
    let mut rng = SearchRng::new(1, "growth");
    for count in 1..=9_u8 {
        let counts: Vec<usize> = (0..samples)
            .filter_map(|_| placement(count, &mut rng))
            .map(|tokens| generate(&tokens, Player::One, Movers::Useful).len())
            .collect();
        let mean = counts.iter().sum::<usize>() as f64 / counts.len().max(1) as f64;
        let throws = if count < 9 { 3 } else { 0 };
        section.rows.push(vec![
            count.to_string(),
            (6 * u32::from(count) + throws).to_string(),
            format!("{mean:.1}"),
            counts.iter().max().unwrap_or(&0).to_string(),
            format!("{:.0}", mean.powi(2)),
            format!("{:.0}", mean.powi(4)),
        ]);
    }
    section
}

/// The fewest and the most moves of one token on an inner hex: alone, and packed in by its own side.
fn moves_of_a_token() -> (usize, usize, usize) {
    let alone: Vec<usize> = Hex::all().map(|hex| hex.neighbours().len()).collect();
    let packed = Hex::all().map(|hex| {
        let near = hex.neighbours();
        ((near | near.neighbours()) - hex.into()).len()
    });
    (
        alone.iter().copied().min().unwrap_or(0),
        alone.iter().copied().max().unwrap_or(0),
        packed.max().unwrap_or(0),
    )
}

/// The chance to hit with a throw at one of `count` tokens of which the enemy moves one, for best play of both.
fn chance_to_hit(count: usize) -> f64 {
    solve(&Matrix::from_fn(count, count, |thrown, moved| f64::from(u8::from(thrown != moved)))).value
}

/// One game between two bots from a random opening, with a look at every position before its turn.
fn game(
    specs: [&str; 2],
    seed: u64,
    opening: u32,
    mut look: impl FnMut(&Record<Position>, [Move; 2]),
) -> Option<Record<Position>> {
    let catalogue = catalogue();
    let mut bots = [catalogue.build(specs[0]).ok()?, catalogue.build(specs[1]).ok()?];
    for player in Player::BOTH {
        bots[player.index()].new_game(player, seed * 2 + player.index() as u64).ok()?;
    }
    let mut record = Record::new(Position::start());
    let mut rng = stream(seed, "opening");
    for _ in 0..opening {
        let [one, two] = Player::BOTH.map(|player| record.position().sample(player, &mut rng));
        record.play([one?, two?]).ok()?;
    }
    let (clock, stop, limits) = (SystemClock::new(), StopFlag::new(), Limits::default());
    while record.end().is_none() {
        let mut choose = |player: Player| {
            let task = Task { record: &record, player, limits, stop: &stop, clock: &clock, watch: None };
            bots[player.index()].choose(&task).ok().map(|answer| answer.mv)
        };
        let turn = [choose(Player::One)?, choose(Player::Two)?];
        look(&record, turn);
        record.play(turn).ok()?;
    }
    Some(record)
}

/// Wins, draws and losses of the first bot over pairs of games, and the reasons of the ends.
fn fight(first: &str, second: &str, pairs: u64) -> ([u32; 3], BTreeMap<&'static str, u32>) {
    let mut results = [0; 3];
    let mut reasons = BTreeMap::new();
    // The bots look at no clock, so the games are played on all processors.
    let ends = in_parallel(2 * pairs, |number| {
        let player = Player::after(number as u32);
        let specs = if player == Player::One { [first, second] } else { [second, first] };
        let record = game(specs, number / 2, 2, |_, _| {})?;
        record.end().map(|end| (end.outcome.sign(player), end.reason))
    });
    for (sign, reason) in ends.into_iter().flatten() {
        results[(1 - sign) as usize] += 1;
        *reasons.entry(reason).or_insert(0) += 1;
    }
    (results, reasons)
}

fn result([wins, draws, losses]: [u32; 3]) -> String {
    let games = f64::from(wins + draws + losses).max(1.0);
    let share = 100.0 * (f64::from(wins) + 0.5 * f64::from(draws)) / games;
    format!("+{wins} ={draws} -{losses}, {share:.0} %")
}

/// How the throws of rule 2 went in games of the report's bot.
#[derive(Debug, Default)]
struct Throws {
    thrown: u32,
    hit: u32,
    missed_beside: u32,
}

fn throws_of_rule_two(enemy: &str, games: u64) -> Throws {
    let mut throws = Throws::default();
    for seed in 0..games {
        let _ = game(["report", enemy], seed, 2, |record, turn| {
            let (guard, tokens) = Guard::of(record, Player::One);
            let state = State::new(&tokens, Player::One, &guard);
            let decided = state.decide(RuleSet::Program, &mut stream(0, "unused"));
            if decided != (Some(Rule::Throw), Some(turn[0])) {
                return;
            }
            let mut next = *record.position();
            let before = next.token_count(Player::Two) + u8::from(turn[1].is_throw());
            next.play_turn(turn);
            throws.thrown += 1;
            if next.token_count(Player::Two) < before {
                throws.hit += 1;
            } else if turn[1].from() == Some(turn[0].to())
                && next.reach(Player::One, turn[0].to()).contains(turn[1].to())
            {
                throws.missed_beside += 1;
            }
        });
    }
    throws
}

/// Tokens that Upper's opening loses in its five turns, over random games of Lower.
fn lost_in_the_opening(games: u64) -> (u64, u64) {
    let mut rng = stream(7, "opening");
    let mut lost = 0;
    for _ in 0..games {
        let mut position = Position::start();
        for turn in 1..=5 {
            let (Some(upper), Some(lower)) =
                (opening_move(Player::One, turn), position.sample(Player::Two, &mut rng))
            else {
                break;
            };
            position.play_turn([upper, lower]);
        }
        lost += u64::from(position.throws_used(Player::One) - position.token_count(Player::One));
    }
    (lost, games)
}

fn claims(effort: Effort) -> Section {
    let games = effort.pick(10, 50);
    let mut section = Section::claims(
        "The claims",
        "`report` is the authors' program, checked answer by answer (`cargo xtask fidelity ropasci360`).",
    );
    let (corner, inner, packed) = moves_of_a_token();
    section.claim(
        "A token has 6 moves alone and at most 18 when packed.",
        "all hexes, alone and with all neighbours own",
        format!("alone {corner} (corner) to {inner}, packed at most {packed}"),
    );
    section.claim(
        "With three throwable tokens a throw hits with a chance of at least 2/3.",
        "matrix game: throw on one of three, the enemy moves one of three",
        format!(
            "value {:.4} for a throw at random. The program always throws on the same one of them, so an enemy who knows it \
             moves that one away",
            chance_to_hit(3)
        ),
    );
    for enemy in ["random", "greedy", "report"] {
        let Throws { thrown, hit, missed_beside } = throws_of_rule_two(enemy, games);
        section.claim(
            "Such a throw hits, and on a miss the new token stands beside the target.",
            format!("{games} games of `report` against `{enemy}`, the throws of rule 2"),
            format!(
                "{hit} of {thrown} hit; of the {} misses {missed_beside} had the target within reach next turn",
                thrown - hit
            ),
        );
    }
    let (lost, opened) = lost_in_the_opening(effort.pick(2_000, 50_000));
    section.claim(
        "Nothing can be taken in the first five turns.",
        format!("Upper's opening against {opened} random openings of Lower"),
        format!("{lost} tokens lost"),
    );
    section.claim(
        "Space: one board copy per depth level.",
        "size of the board of the faithful bot",
        format!("{} bytes a level", size_of::<Tokens>()),
    );
    let (results, _) = fight("report", "random", games);
    section.claim(
        "The agent won all 17 logged games.",
        format!("`report` against `random`, {games} pairs"),
        result(results),
    );
    let (results, _) = fight("report", "sparring", games);
    section.claim(
        "The sparring partner served for testing.",
        format!("`report` against `sparring`, {games} pairs"),
        result(results),
    );
    let (results, _) = fight("report", "older", games);
    section.claim(
        "The submitted agent is better than the older one.",
        format!("`report` against `older`, {games} pairs"),
        result(results),
    );
    features(&mut section);
    let (with, without) =
        (fight("report", "report", games).1, fight("report:guard=off", "report:guard=off", games).1);
    let repeated = |reasons: &BTreeMap<&str, u32>| reasons.get("repetition").copied().unwrap_or(0);
    section.claim(
        "The guard keeps the agent from draws by repetition.",
        format!("{games} pairs of `report` against itself, and of `report:guard=off` against itself"),
        format!("{} and {} draws by repetition", repeated(&with), repeated(&without)),
    );
    let program = ReportSettings::program();
    section.claim(
        "The weights change to survival and chase once somebody has an invincible token.",
        "the faithful bot, which gives the program's answers also in positions with an invincible token",
        if program.phases {
            "they do"
        } else {
            "in the program they never do: it answers by the normal weights there too; `phases=on` is the text's way"
        },
    );
    section
}

/// Claims about the weights of the evaluation.
fn features(section: &mut Section) {
    let settings = Settings::default();
    let value = |text: &str| {
        let position: Option<Position> = text.parse().ok();
        position.map_or(f64::NAN, |position| {
            evaluate(&Tokens::new(&position, false), Player::One, Phase::Normal, &settings)
        })
    };
    // A rock against scissors far away; without a token that beats anything; and after throwing one.
    let (before, after) = (value("P4/6/7/8/9/8/7/6/s4 3 3 20"), value("R3P/6/7/8/9/8/7/6/s4 4 3 20"));
    section.claim(
        "A throw of a useful symbol costs nothing when nothing can be beaten: the penalty is as large as a throw.",
        "the evaluation with a paper against scissors, and after a rock was thrown in the far corner",
        format!("{before:.1} and {after:.1}: the difference of {:.1} is distances alone", after - before),
    );
    section.claim(
        "The features are listed by falling importance.",
        "the weights for one unit of each",
        "tokens lost 10000, throws 5000, throw zone 990, distances 1; but the penalties behind them are 5000 (beats nothing) and \
         1000000 (the enemy has an invincible token)",
    );
}

fn ablations(effort: Effort) -> Section {
    let pairs = effort.pick(4, 20);
    let mut section = Section {
        title: "Ideas of the report, each against the program as submitted".to_owned(),
        text: format!(
            "{pairs} pairs from random openings of two turns; the score is that of the bot on the left against `report`."
        ),
        columns: vec!["bot", "what changes", "result", "draws by repetition"],
        rows: Vec::new(),
    };
    for (spec, about) in [
        ("report:as=text", "everything as the report says it"),
        ("report:phases=on", "the three phases come into force"),
        ("report:distance=fixed", "the slip in the distance feature mended"),
        ("report:distance=plain", "plain distances"),
        ("report:moves=all", "all slides and swings are searched"),
        ("report:rules=off", "search alone, without the five rules"),
        ("report:rules=text", "the rules as printed"),
        ("report:opening=off", "no fixed opening"),
        ("report:guard=off", "no repetition guard"),
        ("report:depth=1", "always one turn deep"),
        ("report:zones=plain", "throw-zone counts not lowered"),
        ("report:eatable=500", "a weight for tokens to take (tried and switched off)"),
        ("report:advance=20", "a weight for advancing (tried and switched off)"),
        ("report:diversity=500", "a weight for different symbols (tried and switched off)"),
        ("report:reserve=100", "keep three of throws left and different symbols (a note of the authors)"),
        ("report:crowd=100", "a penalty for more than three tokens of a symbol (a note)"),
        ("report:moves=near", "tokens more than 4 hexes from any enemy stay (a note)"),
        ("report:throws=beside", "throws beside enemy tokens too (a note)"),
        ("report:stir=20", "a throw every 20 turns (a note)"),
        ("greedy", "the rules, then one ply"),
    ] {
        let (results, reasons) = fight(spec, "report", pairs);
        section.rows.push(vec![
            format!("`{spec}`"),
            about.to_owned(),
            result(results),
            reasons.get("repetition").unwrap_or(&0).to_string(),
        ]);
    }
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_has_the_printed_number_of_leaves() {
        let tokens = example();
        assert_eq!(full_tree(&tokens, 1), 441);
        assert_eq!(21_u64.pow(4), 194_481);
    }

    #[test]
    fn the_printed_chances_and_moves_come_out() {
        assert!((chance_to_hit(3) - 2.0 / 3.0).abs() < 1e-9);
        assert_eq!(moves_of_a_token(), (3, 6, 18));
    }
}
