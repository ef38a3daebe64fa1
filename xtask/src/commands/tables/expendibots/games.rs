//! The claims of the report that games decide: the order of strength, the greedy bot's weakness, single ideas.

use expendibots::{Position, SquareSet};
use search_core::{Limits, Player, Record};

use super::{PLAIN, ground};
use crate::commands::tables::matches::{Match, Side};
use crate::commands::tables::section::Source;
use crate::commands::tables::verdict::{Share, Verdict};
use crate::commands::tables::{Effort, Section, in_parallel};

/// The bots that the report's cover lists, in its order.
fn cover() -> [(&'static str, String); 6] {
    [
        ("random", "random".to_owned()),
        ("MCTS", "mcts:faithful=true".to_owned()),
        ("minimax", "minimax:depth=3,quiesce=mixed".to_owned()),
        ("greedy", "greedy".to_owned()),
        ("alpha-beta", format!("alphabeta:depth=3,order=booms,{PLAIN}")),
        ("ordered alpha-beta", "report".to_owned()),
    ]
}

/// The order of strength on the report's cover, by a round robin.
pub(super) fn order(effort: Effort) -> Section {
    let bots = cover();
    let pairs = effort.pick(1, 30);
    // By the stronger and the weaker bot.
    let results: Vec<Vec<Match>> = (0..bots.len())
        .map(|stronger| {
            (0..stronger).map(|weaker| ground().play(&*bots[stronger].1, &*bots[weaker].1, pairs)).collect()
        })
        .collect();
    let specs: Vec<String> = bots.iter().map(|(_, spec)| format!("`{spec}`")).collect();
    let mut section = Section::claims(
        "The order of strength",
        &format!(
            "The report's cover lists, with the strongest last as we read it: {}. Here {}, all as the authors' programs, faults \
             included: every pairing in {pairs} pairs of games from the same four random plies with colours exchanged.",
            bots.each_ref().map(|(name, _)| *name).join(", "),
            specs.join(", ")
        ),
    );
    for stronger in 1..bots.len() {
        for weaker in (0..stronger).rev() {
            let result = &results[stronger][weaker];
            let source = if weaker + 1 == stronger { "is listed right after" } else { "is listed after" };
            section.claim(
                &format!("{} {source} {}", bots[stronger].0, bots[weaker].0),
                Source::Report,
                format!("{pairs} pairs"),
                result.to_string(),
                result.first_is_stronger(),
            );
        }
    }
    section
}

/// Other claims that a match decides.
pub(super) fn section(effort: Effort) -> Section {
    let mut section = Section::claims(
        "Other matches",
        "Pairs of games from the same four random plies with colours exchanged, the score of the bot named first.",
    );
    let pairs = effort.pick(1, 40);
    for (claim, source, first, second, pairs) in [
        (
            "MCTS performed very poorly even against greedy",
            Source::Report,
            "greedy",
            "mcts:faithful=true",
            pairs,
        ),
        ("The greedy bot loses to the submitted one", Source::Report, "report", "greedy", pairs),
        ("A random bot is very easy to beat", Source::Report, "greedy", "random", 2 * pairs),
        (
            "The submitted bot is stronger than MCTS and greedy",
            Source::Report,
            "report",
            "mcts:faithful=true",
            pairs,
        ),
        (
            "Suicide booms spoil the playouts",
            Source::Report,
            "mcts:iterations=100,rollout=nosuicide",
            "mcts:iterations=100",
            pairs,
        ),
        (
            "The player with more moves is in a better position, so the ratio of moves helps",
            Source::Report,
            "alphabeta:depth=2,eval=ratio+mobility",
            "alphabeta:depth=2",
            pairs,
        ),
        (
            "More components make resilient, so their ratio helps",
            Source::Report,
            "alphabeta:depth=2,eval=ratio+components",
            "alphabeta:depth=2",
            pairs,
        ),
        (
            "300 times the ratio and 2 for each token",
            Source::Beside,
            "alphabeta:depth=2,eval=ratio+tokens",
            "alphabeta:depth=2",
            pairs,
        ),
        (
            "the ratios of all components",
            Source::Beside,
            "alphabeta:depth=2,eval=parts",
            "alphabeta:depth=2",
            pairs,
        ),
        (
            "the ordering keys of all stacks",
            Source::Beside,
            "alphabeta:depth=2,eval=keys",
            "alphabeta:depth=2",
            pairs,
        ),
        ("flat Monte Carlo, 10 playouts a move", Source::Beside, "mcts:flat=10", "greedy", pairs.min(20)),
        (
            "greedy hands over to alpha-beta after 15 plies",
            Source::Beside,
            "greedy:until=plies",
            "greedy",
            pairs,
        ),
        (
            "greedy without even trades when behind",
            Source::Beside,
            "greedy:trades=unless-behind",
            "greedy",
            2 * pairs,
        ),
        ("greedy with its first three classes only", Source::Beside, "greedy:classes=3", "greedy", 2 * pairs),
        (
            "greedy leaves the largest threatened component first",
            Source::Beside,
            "greedy:save=most",
            "greedy",
            2 * pairs,
        ),
        ("our correction of the two faults of MCTS", Source::Ours, "mcts", "mcts:faithful=true", pairs),
        ("the report as text", Source::Ours, "report:as=text", "report", pairs),
        ("the program without its faults", Source::Ours, "report:sound=true", "report", pairs),
    ] {
        let result = ground().play(first, second, pairs);
        // An idea that no report claims to be good has a figure and no verdict.
        let verdict = if source == Source::Report { result.first_is_stronger() } else { Verdict::Figure };
        let tested = format!("`{first}` against `{second}`, {pairs} pairs");
        section.claim(claim, source, tested, result.to_string(), verdict);
    }
    skill(&mut section, effort);
    greedy(&mut section, effort);
    section
}

/// What it costs that MCTS keeps six actions of a node.
pub(super) fn kept_actions(effort: Effort) -> Section {
    let mut section = Section::claims(
        "Actions that MCTS keeps",
        "An iteration plays one game from every new child. So a bot that keeps all actions gets fewer iterations: as many playouts for a move \
         of the start, where 50 are legal.",
    );
    let (kept, all) = ("mcts:iterations=300", "mcts:iterations=36,expand=0");
    let pairs = effort.pick(1, 60);
    let result = ground().play(all, kept, pairs);
    section.claim(
        "Keeping 6 actions harms MCTS",
        Source::Report,
        format!(
            "`{all}`, which keeps all actions, against `{kept}`, {pairs} pairs: 36 * 50 = 300 * 6 playouts"
        ),
        result.to_string(),
        result.first_is_stronger(),
    );
    section
}

/// What the order by maps is worth in games, with equally many nodes for a move.
fn skill(section: &mut Section, effort: Effort) {
    let (pairs, nodes) = (effort.pick(1, 40), effort.pick(200, 2_000));
    let side = |spec| Side { spec, limits: Limits::nodes(nodes) };
    let result = ground().play(side("alphabeta:order=booms+map"), side("alphabeta:order=booms"), pairs);
    section.claim(
        "Ordering drastically improves the skill of the bot",
        Source::Report,
        format!(
            "`alphabeta:order=booms+map` against `alphabeta:order=booms`, {nodes} nodes a move, {pairs} pairs (drastic: more than \
             three quarters of the points)"
        ),
        result.to_string(),
        Verdict::above(result.interval(), 0.75),
    );
}

/// The blocks of four that a player starts with.
fn blocks(player: Player) -> Vec<SquareSet> {
    let start = Position::start();
    let components = start.components_meeting(start.stacks(player));
    components.map(|component| component.squares).collect()
}

/// What the first bot's first big loss hit.
#[derive(Debug, Clone, Copy)]
struct FirstLoss {
    plies: u32,
    /// Whether it took a block of four that still stood as at the start, or three of its stacks.
    block: bool,
}

/// The first ply that costs `player` three tokens or more.
fn first_loss(record: &Record<Position>, player: Player) -> Option<FirstLoss> {
    let mut position = *record.start();
    for &mv in record.turns() {
        let before = position;
        search_core::TurnBased::play(&mut position, mv);
        if before.tokens(player) >= position.tokens(player) + 3 {
            let stood = |block: &SquareSet| {
                (*block & before.stacks(player)).len() >= 3 && (*block & position.stacks(player)).is_empty()
            };
            return Some(FirstLoss { plies: position.plies(), block: blocks(player).iter().any(stood) });
        }
    }
    None
}

fn greedy(section: &mut Section, effort: Effort) {
    const EARLY: u32 = 40;
    let games = effort.pick(4, 200);
    let losses = |enemy: &'static str| -> Vec<Option<FirstLoss>> {
        in_parallel(games, |game| {
            let seat = Player::after(game as u32);
            let game = ground().game(["greedy", enemy].map(Side::from), seat, game / 2, |_, _, _| {})?;
            first_loss(&game.record, seat)
        })
    };
    let against = losses("report");
    let early = |losses: &[Option<FirstLoss>]| {
        Share::count(losses.iter().map(|loss| loss.is_some_and(|loss| loss.plies <= EARLY)))
    };
    let (aggressive, random) = (early(&against), early(&losses("random")));
    section.claim(
        "Greedy is weak in the early game against an aggressive enemy",
        Source::Report,
        format!(
            "{games} games of `greedy` against `report`: does it lose three tokens or more at once in the first {EARLY} plies? \
             And against `random`"
        ),
        format!("{aggressive}; against `random` {random}"),
        Verdict::above(aggressive.interval(), random.interval().high.unwrap_or(1.0)),
    );
    let blocks = Share::count(against.iter().flatten().map(|loss| loss.block));
    section.claim(
        "because it neglects one of its clusters of 4",
        Source::Report,
        "those first losses: did they take a block of the start of which three stacks or more still stood? (most: more than half)",
        blocks.to_string(),
        Verdict::above(blocks.interval(), 0.5),
    );
}
