//! Standings of made-up results: many bots, failures, matches of two.

use std::time::{Duration, Instant};

use arena::{
    BotPlan, EventPlan, FORMAT_VERSION, FinishedGame, Format, Job, Plan, RatingChoice, Schedule, Standings,
    Tally,
};
use search_core::split_mix;
use serde_json::json;

fn plan(bots: usize, format: Format, rounds: u32) -> Plan {
    Plan {
        version: FORMAT_VERSION,
        events: vec![EventPlan {
            name: "toy".to_owned(),
            game: "toy".to_owned(),
            setup: "standard".to_owned(),
            simultaneous: false,
            openings: "start".to_owned(),
            limits: vec!["none".to_owned(); bots],
        }],
        bots: (0..bots)
            .map(|number| BotPlan {
                name: format!("bot{number}"),
                spec: format!("bot{number}"),
                fingerprint: String::new(),
                start_only: false,
            })
            .collect(),
        format,
        rounds,
        seed: 1,
        margin_micros: 0,
        at_once: false,
        clock: arena::ClockKind::Wall,
        replay: None,
        sprt: None,
    }
}

/// Plays a plan: `result` says of a game who won (`p1`, `p2`, `draw`), and whether the loser failed.
fn tally(plan: &Plan, result: impl Fn(&Job) -> (&'static str, bool)) -> Tally {
    let (schedule, id) = (Schedule::new(plan), plan.id());
    let mut tally = Tally::new(plan.bots.len());
    for index in 0..schedule.games() {
        let slot = schedule.slot(index);
        let pairing = schedule.fixed_pairing(slot.board).unwrap();
        let job = Job { index, event: slot.event, round: slot.round, pairing, swapped: slot.swapped };
        let (outcome, failed) = result(&job);
        let loser = if outcome == "p1" { "p2" } else { "p1" };
        let faults =
            if failed { json!([{ "player": loser, "kind": "crash", "message": "gone" }]) } else { json!([]) };
        let game: FinishedGame = serde_json::from_value(json!({
            "plan": id, "id": id, "index": index, "event": "toy", "round": job.round, "seed": "00",
            "game": "toy", "setup": "standard",
            "players": job.seats().map(|bot| plan.bots[bot].name.clone()),
            "start": "start", "turns": format!("{index}"), "outcome": outcome,
            "reason": if failed { "crash" } else { "mate" }, "plies": 1, "faults": faults,
            "moves": [1, 0], "micros": [1, 0], "slowest": [1, 0],
        }))
        .unwrap();
        tally.add(&job, &game);
    }
    tally
}

/// The stronger bot (the lower number) wins more often.
fn likely(job: &Job) -> (&'static str, bool) {
    let [first, second] = job.seats();
    let luck = (split_mix(job.index) % 1000) as f64 / 1000.0;
    let chance = 1.0 / (1.0 + 10f64.powf((first as f64 - second as f64) / 400.0));
    (if luck < chance { "p1" } else { "p2" }, false)
}

/// Rates and shows many bots that have all met, within this time even without optimisation on a crowded machine.
/// With a loop over all pairings for each cell this took hours.
fn rate_and_show(bots: usize, most: Duration, failures: bool) {
    let plan = plan(bots, Format::RoundRobin, 1);
    // One failure is enough for a second rating of everybody.
    let tally = tally(&plan, |job| (likely(job).0, failures && job.index == 0));
    let (started, worked) = (Instant::now(), processor_time());
    let standings = Standings::new(&plan, 0, &tally, Some(3), &[]);
    let text = arena::event_text(&standings);
    let took = started.elapsed();
    let worked = worked.zip(processor_time()).map(|(before, after)| after.saturating_sub(before));
    let more = if failures { ", a failure among them" } else { "" };
    eprintln!("standings and tables of {bots} bots{more}: {took:.2?}, of a processor {worked:.2?}");
    assert_eq!(standings.has_failures(), failures);
    assert_eq!(standings.rows.iter().all(|row| row.elo_without_failures.is_some()), failures);
    assert!(took < most, "{took:?}");
    assert_eq!((standings.rows.len(), standings.pairings.len()), (bots, bots * (bots - 1) / 2));
    assert!(standings.rows[0].elo > Some(100.0) && standings.rows[bots - 1].elo < Some(-100.0));
    assert!(standings.rows.iter().all(|row| row.elo_error.is_some_and(|error| error > 5.0 && error < 60.0)));
    assert!(text.contains(&format!("no crosstable of {bots} bots")), "{}", &text[..200]);
    // Results are found from either side.
    let [first, last] = [&standings.rows[0], &standings.rows[bots - 1]];
    let results = standings.between(first, last).unwrap();
    assert_eq!(standings.between(last, first), Some(results.reversed()));
    assert_eq!(results.games(), 2);
    assert_eq!(standings.between(first, first), None);
}

/// What the processor has worked for this thread, where the system tells it.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

#[test]
fn three_hundred_bots_are_rated_and_shown() {
    rate_and_show(300, Duration::from_mins(1), false);
    rate_and_show(300, Duration::from_mins(1), true);
}

#[test]
#[ignore = "long: part of `cargo xtask soak`"]
fn a_thousand_bots_are_rated_and_shown() {
    rate_and_show(1000, Duration::from_mins(5), false);
    rate_and_show(1000, Duration::from_mins(5), true);
}

#[test]
fn the_note_on_intervals_counts_the_pairings_that_met() {
    for (format, pairings) in [(Format::RoundRobin, 6), (Format::Gauntlet, 3)] {
        let plan = plan(4, format, 5);
        let standings = Standings::new(&plan, 0, &tally(&plan, likely), None, &[]);
        let note =
            format!("95 % holds for each pairing by itself; of {pairings} pairings one in twenty misses");
        assert!(standings.warnings.contains(&note), "{:?}", standings.warnings);
    }
}

#[test]
fn a_match_of_two_has_one_difference() {
    let plan = plan(2, Format::RoundRobin, 20);
    // The first bot wins three of four.
    let tally = tally(&plan, |job| {
        let first_wins = job.index % 4 != 3;
        (if first_wins == (job.seats()[0] == 0) { "p1" } else { "p2" }, false)
    });
    let standings = Standings::new(&plan, 0, &tally, Some(1), &[]);
    let pairing = &standings.pairings[0];
    let elo = pairing.elo.unwrap();
    assert!((elo - 190.8485).abs() < 1e-3, "{elo}");
    let (low, high) = (pairing.elo_low.unwrap(), pairing.elo_high.unwrap());
    let [first, second] = &*standings.rows else { panic!("two rows") };
    assert_eq!((first.over_anchor, second.over_anchor), (Some(elo), None));
    assert!((first.elo.unwrap() - second.elo.unwrap() - elo).abs() < 1e-3);
    let text = arena::event_text(&standings);
    let shown = format!("+190.8 ({low:+.1} to {high:+.1})");
    let turned = format!("-190.8 ({:+.1} to {:+.1})", -high, -low);
    assert_eq!(text.matches(&shown).count(), 2, "in the table and in the line: {text}");
    assert_eq!(text.matches(&turned).count(), 1, "{text}");
    // Nothing else that could be taken for the difference.
    let elo_line = text.lines().find(|line| line.contains("Elo difference")).unwrap();
    assert!(!elo_line.contains("over "), "{text}");
}

#[test]
fn a_match_that_is_all_won_has_one_bound() {
    let plan = plan(2, Format::RoundRobin, 6);
    let tally = tally(&plan, |job| (if job.seats()[0] == 0 { "p1" } else { "p2" }, false));
    let standings = Standings::new(&plan, 0, &tally, Some(1), &[]);
    let text = arena::event_text(&standings);
    // 0.025^(1/6) = 0.5407.
    assert_eq!(text.matches("above +28.4").count(), 2, "{text}");
    assert_eq!(text.matches("below -28.4").count(), 1, "{text}");
    assert!(
        !text.contains('±') || text.lines().all(|line| !line.contains('±') || line.contains("moving first"))
    );
}

#[test]
fn wins_by_the_others_failure_are_counted_apart() {
    let plan = plan(3, Format::RoundRobin, 10);
    // Nobody is better than anybody, but bot2 crashes in every second of its games.
    let tally = tally(&plan, |job| {
        let [first, second] = job.seats();
        let crashes = job.index % 4 < 2 && (first == 2 || second == 2);
        if crashes {
            return (if first == 2 { "p2" } else { "p1" }, true);
        }
        (if job.round % 2 == 0 { "p1" } else { "p2" }, false)
    });
    let standings = Standings::new(&plan, 0, &tally, None, &[]);
    let row = |name: &str| standings.rows.iter().find(|row| row.bot == name).unwrap();
    let failures: u64 = 2 * 10;
    assert_eq!((row("bot2").won_by_failure, row("bot2").lost_by_failure), (0, failures));
    assert_eq!(row("bot0").won_by_failure + row("bot1").won_by_failure, failures);
    assert!(row("bot2").elo.unwrap() < -50.0);
    let clean = row("bot2").elo_without_failures.unwrap();
    assert!(clean.abs() < 1.0, "by what it played it is as good as the others: {clean}");
    let text = arena::event_text(&standings);
    assert!(text.contains("by failure") && text.contains("Elo without"), "{text}");
    assert!(text.contains("shows no strength"), "{text}");
    // Without a failure nothing of this is shown or written.
    let quiet = Standings::new(&plan, 0, &self::tally(&plan, likely), None, &[]);
    assert!(!arena::event_text(&quiet).contains("by failure"));
    assert!(!serde_json::to_string(&quiet).unwrap().contains("failure"));
}

/// A match in which the first bot wins three pairs of four, and every sixteenth game is lost to it by a crash of its own.
fn match_with_crashes() -> (Plan, Tally) {
    let plan = plan(2, Format::RoundRobin, 40);
    let tally = tally(&plan, |job| {
        let [first, _] = job.seats();
        let crashes = job.index % 16 == 5;
        let first_bot_wins = !crashes && (job.index / 2 % 4 != 3 || job.index % 2 == 0);
        (if first_bot_wins == (first == 0) { "p1" } else { "p2" }, crashes)
    });
    (plan, tally)
}

#[test]
fn score_and_difference_of_a_match_have_the_same_interval() {
    let plan = plan(2, Format::RoundRobin, 20);
    // 15 pairs won twice, one won and drawn, four shared: lopsided, and few.
    let lopsided = tally(&plan, |job| {
        let (pair, first) = (job.index / 2, job.seats()[0]);
        match pair {
            15 if job.index % 2 == 0 => ("draw", false),
            0..=15 => (if first == 0 { "p1" } else { "p2" }, false),
            _ => ("p1", false),
        }
    });
    let standings = Standings::new(&plan, 0, &lopsided, Some(1), &[]);
    let pairing = &standings.pairings[0];
    let pairs = [
        (pairing.score, pairing.elo),
        (pairing.score_low, pairing.elo_low),
        (pairing.score_high, pairing.elo_high),
    ];
    for (score, elo) in pairs {
        let turned = arena::statistics::score_of_elo(elo.unwrap());
        assert!((turned - score.unwrap()).abs() < 2e-4, "{score:?} is not {elo:?}: {pairing:?}");
    }
    assert!(pairing.score_low.unwrap() > 0.75 && pairing.score_high.unwrap() < 0.96, "{pairing:?}");
    // The rows carry the halves of it, and no other error.
    let [first, second] = &*standings.rows else { panic!("two rows") };
    let half = |value: Option<f64>| value.unwrap() / 2.0;
    assert!((first.elo_low.unwrap() - half(pairing.elo_low)).abs() < 1e-3);
    assert!((first.elo_high.unwrap() - half(pairing.elo_high)).abs() < 1e-3);
    assert!((second.elo_low.unwrap() + half(pairing.elo_high)).abs() < 1e-3);
    assert!(standings.rows.iter().all(|row| row.elo_error.is_none() && row.over_anchor_error.is_none()));
    let text = arena::event_text(&standings);
    assert!(text.contains("the same 95 % interval on both scales"), "{text}");
    let json = serde_json::to_value(&standings).unwrap();
    assert!(json["pairings"][0].get("elo_error").is_none(), "a second interval: {json}");
}

#[test]
fn ratings_can_leave_out_what_failures_decided() {
    let (plan, tally) = match_with_crashes();
    let of_all = Standings::new(&plan, 0, &tally, None, &[]);
    let choice = RatingChoice { anchor: None, no_faults: true };
    let without = Standings::new(&plan, 0, &tally, choice, &[]);
    let (all, clean) = (&of_all.pairings[0], &without.pairings[0]);
    let (beside, other) = (all.without_failures.unwrap(), clean.of_all_games.unwrap());
    assert_eq!((clean.elo, clean.elo_low, clean.elo_high), (beside.elo, beside.elo_low, beside.elo_high));
    assert_eq!((other.elo, other.elo_low, other.elo_high), (all.elo, all.elo_low, all.elo_high));
    assert!(clean.elo > all.elo && all.of_all_games.is_none() && clean.without_failures.is_none());
    // Points and crosstable are those of all games.
    for (row, other) in of_all.rows.iter().zip(&without.rows) {
        assert_eq!((row.points, row.games, row.results), (other.points, other.games, other.results));
        assert_eq!((row.elo, row.elo_without_failures), (other.elo_of_all_games, other.elo));
    }
    assert_eq!(
        of_all.between(&of_all.rows[0], &of_all.rows[1]),
        without.between(&without.rows[0], &without.rows[1])
    );
    let text = arena::event_text(&without);
    assert!(text.contains("Elo of all games") && !text.contains("Elo without"), "{text}");
    assert!(text.contains("leave these 5 games out"), "{text}");
    // Without a failure both say the same.
    let quiet = self::tally(&plan, likely);
    let [all, clean] = [false, true]
        .map(|no_faults| Standings::new(&plan, 0, &quiet, RatingChoice { anchor: None, no_faults }, &[]));
    assert_eq!(all.rows, clean.rows);
    assert_eq!(all.pairings, clean.pairings);
}

#[test]
fn a_joint_rating_can_leave_out_failures_and_who_has_only_those() {
    let plan = plan(3, Format::RoundRobin, 10);
    // bot2 crashes in every game.
    let tally = tally(&plan, |job| {
        let [first, second] = job.seats();
        match (first == 2, second == 2) {
            (true, _) => ("p2", true),
            (_, true) => ("p1", true),
            _ => (if job.round % 2 == 0 { "p1" } else { "p2" }, false),
        }
    });
    let choice = RatingChoice { anchor: Some(0), no_faults: true };
    let standings = Standings::new(&plan, 0, &tally, choice, &[]);
    let [first, second, last] = &*standings.rows else { panic!("three rows") };
    assert_eq!((&*last.bot, last.elo, last.elo_error, last.over_anchor), ("bot2", None, None, None));
    assert_eq!((last.games, last.lost_by_failure), (40, 40));
    assert!(last.elo_of_all_games.unwrap() < -100.0);
    assert!(
        [first, second].iter().all(|row| row.elo.is_some_and(|elo| elo.abs() < 1.0)),
        "{first:?} {second:?}"
    );
    let json = serde_json::to_value(&standings).unwrap();
    assert_eq!(json["no_faults"], json!(true));
    assert!(arena::event_text(&standings).contains("Elo of all games"));
}
