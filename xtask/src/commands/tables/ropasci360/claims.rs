//! Claims of the RoPaSci report that are facts of rules, boards and weights.

use agents::ropasci360::{
    Phase, RepetitionGuard, ReportSettings, Rule, RuleSet, Settings, State, Tokens, evaluate, opening_move,
};
use ropasci360::{Hex, Move, Position};
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
    hiding_and_trading(&mut section, effort);
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
        format!("{} bytes a level, and no part of a board lies anywhere else in memory", size_of::<Tokens>()),
        // What owns memory elsewhere has to be dropped.
        Verdict::of(!std::mem::needs_drop::<Tokens>()),
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

/// A turn of the report's bot that a rule decided.
struct Decided<'a> {
    before: &'a Position,
    after: Position,
    mine: Move,
    theirs: Move,
}

impl Decided<'_> {
    /// The tokens that a player lost in the turn.
    fn lost(&self, player: Player, mv: Move) -> u8 {
        self.before.token_count(player) + u8::from(mv.is_throw()) - self.after.token_count(player)
    }
}

/// Looks at the turns of games of the report's bot that this rule decided.
fn decided_turns<T: Default + Send>(
    rule: Rule,
    enemy: &str,
    games: u64,
    look: impl Fn(&mut T, &Decided<'_>) + Sync,
) -> Vec<T> {
    in_parallel(games, |number| {
        let mut found = T::default();
        let mut own = None;
        let sides = ["report", enemy].map(Side::from);
        let _ = ground().game(sides, Player::One, number, |record, player, answer| {
            // The report's bot is asked first, its enemy second; then the turn is known.
            let Some(mine) = own.filter(|_| player == Player::Two) else {
                own = Some(answer.mv);
                return;
            };
            own = None;
            let (guard, tokens) = RepetitionGuard::of(record, Player::One);
            let state = State::new(&tokens, Player::One, &guard);
            let decided = state.decide(RuleSet::Program, &mut stream(0, "unused"));
            if decided != (Some(rule), Some(mine)) {
                return;
            }
            let mut after = *record.position();
            after.play_turn([mine, answer.mv]);
            look(&mut found, &Decided { before: record.position(), after, mine, theirs: answer.mv });
        });
        found
    })
}

/// All shares together.
fn sum(shares: impl Iterator<Item = Share>) -> Share {
    shares.fold(Share::default(), |all, share| Share {
        part: all.part + share.part,
        whole: all.whole + share.whole,
    })
}

/// How the throws of rule 2 went in games of the report's bot.
#[derive(Debug, Default)]
struct Throws {
    hit: Share,
    beside: Share,
}

fn throws_of_rule_two(enemy: &str, games: u64) -> Throws {
    let all = decided_turns(Rule::Throw, enemy, games, |throws: &mut Throws, turn| {
        let hit = turn.lost(Player::Two, turn.theirs) > 0;
        throws.hit.add(hit);
        if !hit {
            let fled = turn.theirs.from() == Some(turn.mine.to());
            let reach = turn.after.reach(Player::One, turn.mine.to());
            throws.beside.add(fled && reach.contains(turn.theirs.to()));
        }
    });
    Throws {
        hit: sum(all.iter().map(|throws| throws.hit)),
        beside: sum(all.iter().map(|throws| throws.beside)),
    }
}

/// A rock that hides on a rock, and a paper that comes after it: what each side has before and after.
fn hidden() -> Option<[[u8; 2]; 2]> {
    let mut position: Position = "5/6/7/8/4(Rr)p3/8/7/6/4S 9 8 40".parse().ok()?;
    let count = |position: &Position| Player::BOTH.map(|player| position.token_count(player));
    let before = count(&position);
    position.play_turn(["a9a8".parse().ok()?, "e6e5".parse().ok()?]);
    Some([before, count(&position)])
}

/// What rules 3 and 5 promise.
fn hiding_and_trading(section: &mut Section, effort: Effort) {
    let counts = hidden().unwrap_or_default();
    let [[own, enemy], [own_left, enemy_left]] = counts;
    section.claim(
        "A token on a tile with an opponent's token of its type is safe, unless the opponent gives up one of that type",
        Source::Report,
        "a rock hidden on a rock, and a paper that comes after it: tokens of both sides before and after",
        format!("{own} and {enemy}, then {own_left} and {enemy_left}"),
        Verdict::of(own == own_left + 1 && enemy == enemy_left + 1),
    );
    let games = effort.pick(6, 400);
    for enemy in ["random", "greedy", "report"] {
        let all = decided_turns(Rule::Trade, enemy, games, |paid: &mut Share, turn| {
            if turn.lost(Player::One, turn.mine) > 0 {
                paid.add(turn.lost(Player::Two, turn.theirs) > 0);
            }
        });
        let paid = sum(all.into_iter());
        section.claim(
            "A trade makes sure that the other side loses a token too where the own side loses one",
            Source::Report,
            format!("{games} games of `report` against `{enemy}`: turns of rule 5 that cost an own token, and whether they cost the \
                     other side one (makes sure: always)"),
            paid.to_string(),
            // Without such a turn there is nothing to say.
            if paid.whole == 0 { Verdict::Open } else { Verdict::of(paid.part == paid.whole) },
        );
    }
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
        assert_eq!(hidden(), Some([[2, 2], [1, 1]]));
    }
}
