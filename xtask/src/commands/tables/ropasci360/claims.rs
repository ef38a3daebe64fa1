//! Claims of the RoPaSci report that are facts of rules, boards and weights.

use agents::ropasci360::{
    Guard, Phase, ReportSettings, Rule, RuleSet, Settings, State, Tokens, evaluate, opening_move,
};
use ropasci360::{Hex, Position};
use search_core::matrix::{Matrix, solve};
use search_core::{Game, Player, stream};

use super::ground;
use crate::commands::tables::matches::Side;
use crate::commands::tables::section::Source;
use crate::commands::tables::verdict::{Share, Verdict};
use crate::commands::tables::{Effort, Section, in_parallel};

pub(super) fn section(effort: Effort) -> Section {
    let mut section = Section::claims(
        "Rules, board and weights",
        "`report` is the authors' program, checked answer by answer (`cargo xtask fidelity ropasci360`).",
    );
    let (corner, inner, packed) = moves_of_a_token();
    section.claim(
        "A token has at most 18 slides and swings when packed, and 6 slides alone",
        Source::Report,
        "all hexes, with all neighbours own, and alone",
        format!("packed at most {packed}; alone {inner} on inner hexes, {corner} in a corner"),
        Verdict::of((inner, packed) == (6, 18)),
    );
    hits(&mut section, effort);
    let (lost, opened) = lost_in_the_opening(effort.pick(500, 50_000));
    section.claim(
        "No tokens can be killed early in the game",
        Source::Report,
        format!("the tokens that Upper's opening of five turns loses to {opened} random openings of Lower"),
        lost.to_string(),
        Verdict::of(lost == 0),
    );
    section.claim(
        "The space needed is the depth times one board",
        Source::Report,
        "the search keeps one copy of the board for each level and no list of positions; the size of that board here",
        format!("{} bytes a level", size_of::<Tokens>()),
        Verdict::Figure,
    );
    weights(&mut section);
    let program = ReportSettings::program();
    section.claim(
        "The weights change to survival and chase once somebody has an invincible token",
        Source::Report,
        "the faithful bot, which gives the program's answers also in positions with an invincible token; `phases=on` is the \
         text's way",
        if program.phases { "they change" } else { "in the program they never change" },
        Verdict::of(program.phases),
    );
    section
}

/// The fewest and the most moves of one token: alone, and packed in by its own side.
fn moves_of_a_token() -> (usize, usize, usize) {
    let alone = || Hex::all().map(|hex| hex.neighbours().len());
    let packed = Hex::all().map(|hex| {
        let near = hex.neighbours();
        ((near | near.neighbours()) - hex.into()).len()
    });
    (alone().min().unwrap_or(0), alone().max().unwrap_or(0), packed.max().unwrap_or(0))
}

/// The chance to hit with a throw at one of `count` tokens of which the enemy moves one, for best play of both.
fn chance_to_hit(count: usize) -> f64 {
    solve(&Matrix::from_fn(count, count, |thrown, moved| f64::from(u8::from(thrown != moved)))).value
}

/// How the throws of rule 2 went in games of the report's bot.
#[derive(Debug, Default)]
struct Throws {
    hit: Share,
    beside: Share,
}

fn throws_of_rule_two(enemy: &str, games: u64) -> Throws {
    let all = in_parallel(games, |number| {
        let mut throws = Throws::default();
        let mut own = None;
        let sides = ["report", enemy].map(Side::from);
        let _ = ground().game(sides, Player::One, number, |record, player, answer| {
            // The report's bot is asked first, its enemy second; then the turn is known.
            let Some(mine) = own.filter(|_| player == Player::Two) else {
                own = Some(answer.mv);
                return;
            };
            own = None;
            let (guard, tokens) = Guard::of(record, Player::One);
            let state = State::new(&tokens, Player::One, &guard);
            let decided = state.decide(RuleSet::Program, &mut stream(0, "unused"));
            if decided != (Some(Rule::Throw), Some(mine)) {
                return;
            }
            let mut next = *record.position();
            let before = next.token_count(Player::Two) + u8::from(answer.mv.is_throw());
            next.play_turn([mine, answer.mv]);
            let hit = next.token_count(Player::Two) < before;
            throws.hit.add(hit);
            if !hit {
                let fled = answer.mv.from() == Some(mine.to());
                throws.beside.add(fled && next.reach(Player::One, mine.to()).contains(answer.mv.to()));
            }
        });
        throws
    });
    let sum = |of: fn(&Throws) -> Share| {
        let shares = all.iter().map(of);
        shares.fold(Share::default(), |all, share| Share {
            part: all.part + share.part,
            whole: all.whole + share.whole,
        })
    };
    Throws { hit: sum(|throws| throws.hit), beside: sum(|throws| throws.beside) }
}

fn hits(section: &mut Section, effort: Effort) {
    let chance = chance_to_hit(3);
    section.claim(
        "With three opponent tokens in the throw zone a throw kills one with a chance of at least 2/3",
        Source::Report,
        "matrix game: throw on one of three, the enemy moves one of three. The program always throws on the same one, so an enemy \
         who knows it moves that one away",
        format!("value {chance:.4} for a throw at random"),
        Verdict::of(chance >= 2.0 / 3.0 - 1e-9),
    );
    let games = effort.pick(6, 400);
    for enemy in ["random", "greedy", "report"] {
        let Throws { hit, beside } = throws_of_rule_two(enemy, games);
        section.claim(
            "(the same in games)",
            Source::Ours,
            format!("{games} games of `report` against `{enemy}`: the throws of rule 2 that hit"),
            hit.to_string(),
            // Below two thirds the claim fails against such an enemy.
            Verdict::above(hit.interval(), 2.0 / 3.0),
        );
        section.claim(
            "On a miss the new token stands right next to its target and can kill it next turn",
            Source::Report,
            "the misses of these throws: is the target within reach of the thrown token?",
            beside.to_string(),
            // Without a miss there is nothing to say.
            if beside.whole == 0 { Verdict::Open } else { Verdict::of(beside.part == beside.whole) },
        );
    }
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

fn weights(section: &mut Section) {
    let settings = Settings::default();
    let value = |text: &str| {
        let position: Option<Position> = text.parse().ok();
        position.map_or(f64::NAN, |position| {
            evaluate(&Tokens::new(&position, false), Player::One, Phase::Normal, &settings)
        })
    };
    // A paper against scissors far away, so nothing can be beaten; and after throwing a rock in the far corner.
    let (before, after) = (value("P4/6/7/8/9/8/7/6/s4 3 3 20"), value("R3P/6/7/8/9/8/7/6/s4 4 3 20"));
    let penalty = Phase::Normal.listed_weights()[2];
    section.claim(
        "If no opponent token can be beaten, throwing a useful one costs nothing: the penalty is as large as a throw",
        Source::Report,
        "the evaluation with a paper against scissors, and after a rock was thrown in the far corner; free: the difference is \
         less than a hundredth of a throw",
        format!("{before:.1} and {after:.1}: {:.1} from distances, where a throw is worth {penalty:.0}", after - before),
        Verdict::of((after - before).abs() < penalty / 100.0),
    );
    let listed = Phase::Normal.listed_weights();
    section.claim(
        "The features stand in the order of their relative priority",
        Source::Report,
        "the weights of the five features in the order of the list: own tokens lost, opponent's lost, throws, throw zones, distances",
        format!("{:?}", &listed[..5]),
        Verdict::of(listed[..5].windows(2).all(|pair| pair[0] >= pair[1])),
    );
    for (phase, name, printed) in [
        (Phase::Normal, "normal", [10_000.0, 10_000.0, 5_000.0, 990.0, 1.0, 5_000.0, 1_000_000.0]),
        (Phase::Survival, "survival", [1_000_000.0, 1_000.0, 5_000.0, 990.0, 1.0, 0.0, 1_000_000.0]),
        (Phase::Chase, "chase down", [1_000.0, 1_000_000.0, 0.0, 990.0, 1.0, 50_000.0, 1_000_000.0]),
    ] {
        section.claim(
            &format!(
                "The weights of the {name} phase are {}",
                printed.map(|weight| weight.to_string()).join(", ")
            ),
            Source::Report,
            "the weights of `report:phases=on`, in the order of the list and then the two penalties",
            phase.listed_weights().map(|weight| weight.to_string()).join(", "),
            Verdict::of(phase.listed_weights() == printed),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_chances_and_moves_come_out() {
        assert!((chance_to_hit(3) - 2.0 / 3.0).abs() < 1e-9);
        assert_eq!(moves_of_a_token(), (3, 6, 18));
    }
}
