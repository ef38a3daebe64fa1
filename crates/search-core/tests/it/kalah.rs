//! Kalah: the rules, and the solver with payoffs against the results of Irving, Donkers and Uiterwijk (2000).

use proptest::prelude::*;
use search_core::{
    Ends, Game, Goal, Insight, Limits, Player, Record, Score, SearchRng, Solver, SolverSettings, TurnBased,
    Zero, reference,
};
use toys::kalah::{House, Kalah, Seeds};
use toys::kalah_insight::Harvest;

search_core::game_laws!(Kalah<6>);

fn position<const HOUSES: usize>(text: &str) -> Kalah<HOUSES> {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[track_caller]
fn plays<const HOUSES: usize>(before: &str, house: &str, after: &str) {
    let mut position = position::<HOUSES>(before);
    position.play(house.parse().expect("a house"));
    assert_eq!(position.to_string(), after);
}

#[test]
fn seeds_are_sown_to_the_right_past_the_other_store() {
    plays::<6>("4,4,4,4,4,4 4,4,4,4,4,4 0 0 p1", "6", "4,4,4,4,4,0 5,5,5,4,4,4 1 0 p2");
    // Thirteen seeds come round to the house they were taken from, which is empty then.
    plays::<6>("13,0,0,0,0,1 0,0,0,0,0,2 0 0 p1", "1", "0,1,1,1,1,2 1,1,1,1,1,0 5 0 p2");
}

#[test]
fn a_last_seed_in_the_store_moves_again() {
    plays::<3>("3,3,3 3,3,3 0 0 p1", "1", "0,4,4 3,3,3 1 0 p1");
}

#[test]
fn a_last_seed_in_an_own_empty_house_captures() {
    plays::<3>("1,0,2 1,3,1 0 0 p1", "1", "0,0,2 1,0,1 4 0 p2");
    // Even if the house opposite is empty.
    plays::<3>("1,0,2 1,0,1 0 0 p1", "1", "0,0,2 1,0,1 1 0 p2");
    plays::<3>("1,0,2 1,0,1 0 0 p2", "1", "1,0,2 0,0,1 0 1 p1");
}

#[test]
fn what_is_left_goes_to_its_owner() {
    let mut end = position::<3>("0,0,1 2,1,4 5 6 p1");
    end.play(House(2));
    assert_eq!(end.to_string(), "0,0,0 0,0,0 6 13 p1");
    assert_eq!((end.utility(Player::One), end.utility(Player::Two)), (-7, 7));
    assert!(end.end().is_some_and(|end| end.outcome == search_core::Outcome::Win(Player::Two)));
}

#[test]
fn bad_texts_are_refused() {
    let error = |text: &str| text.parse::<Kalah<3>>().expect_err(text).to_string();
    assert!(error("1,2,3 1,2,3 0 0").contains("the player to move"));
    assert!(error("1,2 1,2,3 0 0 p1").contains("3 numbers of seeds"));
    assert!(error("1,2,99 1,2,3 0 0 p1").contains("from 0 to 36"));
    assert!(error("9,9,9 9,9,9 0 0 p1").contains("at most 36 seeds"));
    assert!("7".parse::<House>().is_err() && "0".parse::<Seeds>().is_err());
}

fn solved<const HOUSES: usize>(position: Kalah<HOUSES>) -> Score {
    let settings = SolverSettings { goal: Goal::Payoff, table_bytes: 4 << 20, ..SolverSettings::default() };
    let mut solver = Solver::new(Harvest, settings);
    let record = Record::new(position);
    let solution = solver.solve(&record, Limits::default());
    let score = solution.score().expect("solved");
    assert!(solver.is_exact());
    // The line is worth what it is said to be.
    let mover = record.position().to_move();
    let mut game = record;
    for &mv in &solution.line {
        game.play(mv).expect("the moves of the line are legal");
    }
    assert_eq!(Score::new(game.position().utility(mover)), score);
    score
}

/// The margins of Kalah(HOUSES, 1), Kalah(HOUSES, 2), ...
fn margins<const HOUSES: usize>(most: u8) -> Vec<i32> {
    (1..=most).map(|seeds| solved(Kalah::<HOUSES>::initial(&Seeds(seeds), 0)).value()).collect()
}

#[test]
fn boards_have_their_published_results() {
    let outcomes = |margins: Vec<i32>| -> String {
        margins.into_iter().map(|margin| ["L", "D", "W"][(margin.signum() + 1) as usize]).collect()
    };
    assert_eq!(outcomes(margins::<1>(6)), "DLWLWD");
    assert_eq!(outcomes(margins::<2>(6)), "WLLLWW");
    assert_eq!(outcomes(margins::<3>(6)), "DWWWWL");
    // The margins as published, from four houses on.
    assert_eq!(margins::<4>(3), [2, 6, 8]);
    assert_eq!(margins::<5>(3), [0, 0, 8]);
    assert_eq!(margins::<6>(2), [2, 10]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn endings_are_worth_what_minimax_finds(
        seeds in prop::collection::vec(0_u8..3, 6), stores in (0_u8..9, 0_u8..9), second: bool,
    ) {
        let mover = if second { "p2" } else { "p1" };
        let houses = |seeds: &[u8]| seeds.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        let (one, two) = seeds.split_at(3);
        let text = format!("{} {} {} {} {mover}", houses(one), houses(two), stores.0, stores.1);
        let position = position::<3>(&text);
        prop_assume!(position.end().is_none());
        let truth = reference::minimax(&Record::new(position), 60, &Zero, Ends::Utility);
        prop_assert_eq!(solved(position), truth.score, "{}", text);
    }

    #[test]
    fn gains_are_what_play_brings(seed: u64, plies in 0_usize..30, seeds in 1_u8..7) {
        let mut rng = SearchRng::new(seed, "moves");
        let mut position = Kalah::<4>::initial(&Seeds(seeds), 0);
        for _ in 0..plies {
            let Some(mv) = position.sample(position.to_move(), &mut rng) else { break };
            position.play(mv);
        }
        let mover = position.to_move();
        for &mv in &position.move_list(mover) {
            let next = position.after(mv);
            let (captured, again) = position.gains(mv);
            prop_assert_eq!(again, next.to_move() == mover, "{} after {}", position, mv);
            if next.end().is_none() {
                let place = usize::from(mv.0) + usize::from(position.houses(mover)[usize::from(mv.0)]);
                // The seeds that came to the store by being sown: one whenever it was passed.
                let sown = (place + 5) / 9;
                let total = next.lead(mover) - position.lead(mover);
                prop_assert_eq!(captured as i32 + sown as i32, total, "{} after {}", position, mv);
            }
        }
    }

    #[test]
    fn distributions_have_keys_of_their_own(
        one in prop::collection::vec(0_u8..4, 8), two in prop::collection::vec(0_u8..4, 8),
    ) {
        let make = |seeds: &[u8]| {
            let houses = |seeds: &[u8]| seeds.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
            position::<4>(&format!("{} {} 0 0 p1", houses(&seeds[..4]), houses(&seeds[4..])))
        };
        let [first, second] = [&one, &two].map(|seeds| Insight::key(&Harvest, &make(seeds)));
        prop_assert_eq!(first == second, one == two);
        prop_assert!(first >> <Harvest as Insight<Kalah<4>>>::KEY_BITS == 0);
    }
}
