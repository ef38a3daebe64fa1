//! The experiments of `docs/adversarial-search.md`: claims of the lecture that have to be measured, and its closing thoughts.

use search_core::{
    Analysis, Ends, FinalChoice, Game, Hooks, Limits, Mcts, MctsSettings, Outcome, Player, Record, Search,
    Selection, TurnBased, Zero, and_or, puct_bonus, reference, stream, ucb1,
};
use toys::connect_four::ConnectFour;
use toys::textbook_tree::{Branch, Tree};
use toys::tic_tac_toe::TicTacToe;

use crate::lecture::{assert_on_page, grouped};

/// The value of a tree that the first player reads with other payoffs, and its best branch.
fn solved(tree: &str) -> (i32, Option<Branch>) {
    let tree: Tree = tree.parse().unwrap();
    let found = reference::minimax(&Record::new(tree), 2, &Zero, Ends::Utility);
    (found.score.value(), found.best)
}

#[test]
fn constant_sum_is_zero_sum_on_another_scale() {
    // A win, a draw and a loss as 1, 0 and -1; then, doubled, as 1, 1/2 and 0: each payoff u becomes u + 1.
    assert_eq!(solved("p1 0(0(1 0 -1) 0(0 1 0) 0(-1 1 0))"), (0, Some(Branch(2))));
    assert_eq!(solved("p1 0(0(2 1 0) 0(1 2 1) 0(0 2 1))"), (1, Some(Branch(2))));
    // Payoffs of a wide range, as in backgammon from 0 to 192.
    assert_eq!(solved("p1 0(0(192 0 64) 0(4 3 6) 0(2 192 192))"), (3, Some(Branch(2))));
}

/// The opponent as part of the environment: its answers are drawn, not chosen.
#[test]
fn an_opponent_is_not_the_rain() {
    let branches = [[99.0, 1000.0, 1000.0, 1000.0], [100.0, 101.0, 102.0, 100.0]];
    let mean = branches.map(|leaves| leaves.iter().sum::<f64>() / 4.0);
    let least = branches.map(|leaves| leaves.into_iter().fold(f64::INFINITY, f64::min));
    assert_eq!((mean, least), ([774.75, 100.75], [99.0, 100.0]));
    assert!(mean[0] > mean[1] && least[0] < least[1]);
    assert_on_page("774.75");
    assert_on_page("100.75");
}

#[test]
fn go_is_too_wide_for_alpha_beta() {
    let best_case = |plies: u32| 361_u64.pow(plies.div_ceil(2)) + 361_u64.pow(plies / 2) - 1;
    for plies in [4, 5, 6] {
        assert_on_page(&grouped(best_case(plies)));
    }
    assert_on_page(&grouped(361_u64.pow(4)));
    // In the time that 100 million leaves take: five plies with perfect order, three without any.
    assert!(best_case(5) < 100_000_000 && best_case(7) > 100_000_000);
    assert!(361_u64.pow(3) < 100_000_000 && 361_u64.pow(4) > 100_000_000);
}

/// Whether the first player has won.
fn won(position: TicTacToe) -> bool {
    position.end().is_some_and(|end| end.outcome == Outcome::Win(Player::One))
}

/// The lines that the first player could fill with one more stone.
fn threats(position: TicTacToe) -> usize {
    let text: Vec<char> = position.to_string().chars().collect();
    let wins = |cell: usize| {
        let mut text = text.clone();
        text[cell] = 'x';
        let full = |line: &[usize; 3]| line.contains(&cell) && line.iter().all(|&cell| text[cell] == 'x');
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]
            .iter()
            .filter(|line| full(line))
            .count()
    };
    (0..9).filter(|&cell| text[cell] == '.').map(wins).sum()
}

#[test]
fn and_or_search_finds_plans_where_there_is_a_goal() {
    let start = TicTacToe::default();
    let none = and_or::plan(&start, Player::One, 9, &|position| won(*position));
    assert_eq!(none.plan, None, "nobody can force a win of tic-tac-toe");
    assert_on_page(&grouped(none.nodes));

    // After corner and the edge beside it the first player wins.
    let position: TicTacToe = "xo.......".parse().unwrap();
    let found = and_or::plan(&position, Player::One, 7, &|position| won(*position));
    let plan = found.plan.expect("a plan");
    let full = reference::minimax(&Record::new(position), 7, &Zero, Ends::Outcome);
    assert!(full.score.is_win() && found.nodes < full.nodes);
    println!(
        "{} nodes for a plan of {} moves, {} plies; minimax {}",
        found.nodes,
        plan.moves(),
        plan.plies(),
        full.nodes
    );
    for number in [found.nodes, full.nodes] {
        assert_on_page(&grouped(number));
    }
    assert_on_page(&format!("{} moves", plan.moves()));

    // A goal on the way: two threats at once, from which the win follows by itself.
    let fork = |position: &TicTacToe| position.to_move() == Player::Two && threats(*position) >= 2;
    let short = and_or::plan(&position, Player::One, 3, &fork);
    let plan = short.plan.expect("a plan");
    println!("a fork: {} nodes, {} plies", short.nodes, plan.plies());
    assert_on_page(&format!("a fork within {} plies after {} nodes", plan.plies(), short.nodes));
}

#[test]
fn the_prior_of_alphazero_beside_ucb1() {
    // The lecture's three children of a root with 100 visits, by UCB1 and by PUCT with two sets of priors.
    let children = [(60.0, 79), (1.0, 10), (2.0, 11)];
    let shown = |bounds: [f64; 3]| bounds.map(|bound| format!("{bound:.3}")).join(" | ");
    let plain = children.map(|(wins, visits)| ucb1(wins, visits, 100, 1.4));
    assert_on_page(&format!("| UCB1 | {} |", shown(plain)));
    for (name, priors) in [("even priors", [1.0 / 3.0; 3]), ("a policy for the third", [0.1, 0.1, 0.8])] {
        let bounds: Vec<f64> = children
            .iter()
            .zip(priors)
            .map(|(&(wins, visits), prior)| wins / visits as f64 + puct_bonus(prior, visits, 100, 1.4))
            .collect();
        assert_on_page(&format!("| PUCT, {name} | {} |", shown([bounds[0], bounds[1], bounds[2]])));
    }
    // A policy that likes the move has the search look at it although it has won little; and the search itself takes one.
    let puct = MctsSettings { selection: Selection::Puct { c: 1.4 }, ..MctsSettings::uct() };
    let record = Record::new("xo.......".parse::<TicTacToe>().unwrap());
    assert!(Mcts::new(Hooks::new(Zero), puct).analyse(&record, Limits::playouts(200)).best.is_some());
}

/// Positions of random games of Connect Four that are not over.
fn positions(count: usize) -> Vec<ConnectFour> {
    let mut rng = stream(11, "positions");
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = ConnectFour::EMPTY;
        for _ in 0..found.len() % 20 {
            let Some(mv) = position.sample(position.to_move(), &mut rng) else { break };
            position = position.after(mv);
        }
        if position.end().is_none() && position.move_list(position.to_move()).as_ref().len() > 1 {
            found.push(position);
        }
    }
    found
}

fn searched(
    position: &ConnectFour,
    playouts: u64,
    choice: FinalChoice,
) -> Analysis<toys::connect_four::Column> {
    let settings = MctsSettings { final_choice: choice, memory_bytes: 1 << 20, ..MctsSettings::uct() };
    let mut search = Mcts::new(Hooks::new(Zero), settings);
    search.new_game(1);
    search.analyse(&Record::new(*position), Limits::playouts(playouts))
}

#[test]
fn the_most_visited_move_almost_always_wins_most_often() {
    let positions = positions(200);
    for playouts in [100, 1000] {
        let same = positions.iter().filter(|position| {
            let by = |choice| searched(position, playouts, choice).best;
            by(FinalChoice::MostVisits) == by(FinalChoice::BestAverage)
        });
        let same = same.count();
        println!("{playouts} playouts: the most visited has the best average in {same} of 200");
        assert_on_page(&format!("{same} of 200 positions with {playouts} playouts"));
        assert!(same > 160);
    }
}

/// Visits of the two most visited root moves, and which the first is.
fn leaders(analysis: &Analysis<toys::connect_four::Column>) -> (u64, u64, toys::connect_four::Column) {
    let mut moves: Vec<_> = analysis.root.iter().collect();
    moves.sort_by_key(|root| std::cmp::Reverse(root.visits));
    (moves[0].visits, moves[1].visits, moves[0].mv)
}

/// The lower and upper end of Wilson's interval with this many standard deviations.
fn wilson(mean: f64, count: f64, z: f64) -> (f64, f64) {
    let centre = mean + z * z / (2.0 * count);
    let spread = z * (mean * (1.0 - mean) / count + z * z / (4.0 * count * count)).sqrt();
    let scale = 1.0 + z * z / count;
    ((centre - spread) / scale, (centre + spread) / scale)
}

/// What thinking on is worth: of a budget of playouts, how many can be saved if the search asks itself now and then whether the
/// rest can change its mind? The rule of `clearly_best` asks whether another move can still become the most visited; the other
/// rule gives up that certainty, and asks whether one is likely to turn out better.
#[test]
fn much_of_a_budget_changes_nothing() {
    const BUDGET: u64 = 1000;
    const STEP: u64 = 100;
    let positions = positions(100);
    let (mut saved, mut changed) = ([0, 0], [0, 0]);
    for position in &positions {
        let full = leaders(&searched(position, BUDGET, FinalChoice::MostVisits)).2;
        let mut stopped = [None; 2];
        // A search with fewer playouts and the same seed is the beginning of the longer one.
        for spent in (STEP..BUDGET).step_by(STEP as usize) {
            let analysis = searched(position, spent, FinalChoice::MostVisits);
            let (first, second, mv) = leaders(&analysis);
            let mean = |mv| {
                let root = analysis.root.iter().find(|root| root.mv == mv).expect("a root move");
                // Scores of this search are chances to win on a logistic scale of 100.
                (1.0 / (1.0 + libm::exp(-f64::from(root.score.value()) / 100.0)), root.visits as f64)
            };
            let (average, visits) = mean(mv);
            let low = wilson(average, visits, 1.0).0;
            let unlikely = analysis.root.iter().filter(|root| root.mv != mv && root.visits > 0).all(|root| {
                let (average, visits) = mean(root.mv);
                wilson(average, visits, 1.0).1 < low
            });
            for (rule, stop) in [first - second > BUDGET - spent, unlikely].into_iter().enumerate() {
                if stop && stopped[rule].is_none() {
                    stopped[rule] = Some(spent);
                    saved[rule] += BUDGET - spent;
                    changed[rule] += u64::from(mv != full);
                }
            }
        }
    }
    for (rule, name) in ["cannot be overtaken", "is unlikely to be overtaken"].into_iter().enumerate() {
        let share = 100.0 * saved[rule] as f64 / (BUDGET * positions.len() as u64) as f64;
        println!("{name}: {share:.1} % saved, {} of 100 moves changed", changed[rule]);
        assert_on_page(&format!("| {name} | {share:.1} % | {} of 100 |", changed[rule]));
    }
    assert_eq!(changed[0], 0, "a move that cannot be overtaken is the answer");
    assert!(saved[1] > saved[0] && changed[1] < 50);
}
