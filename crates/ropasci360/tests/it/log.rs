//! The reader of tournament logs.

use proptest::prelude::*;
use ropasci360::Position;
use ropasci360::log::{self, Agreement};
use search_core::strategies::walks;
use search_core::{Outcome, Player, Record};

fn agreement(text: &str) -> Agreement {
    log::replay(text).agreement
}

const OPENING: &str = "* [10:00:00] turn 1: upper: THROW symbol s to (4, -2)\n\
                       * [10:00:00] turn 1: lower: THROW symbol p to (-4, 2)\n\
                       some picture of the board\n\
                       * [10:00:01] turn 2: upper: SLIDE from (4, -2) to (3, -2)\n\
                       * [10:00:01] turn 2: lower: SLIDE from (-4, 2) to (-3, 1)\n";

#[test]
fn sample_logs_agree_with_the_rules() {
    for (text, reason, turns) in [
        (include_str!("../data/log-win.txt"), "invincible-vs-last-token", 32),
        (include_str!("../data/log-repetition.txt"), "repetition", 6),
    ] {
        let replay = log::replay(text);
        let Agreement::Agrees(end) = replay.agreement else { panic!("{}", replay.agreement) };
        assert_eq!((end.reason, replay.record.turns().len()), (reason, turns));
        assert!(!replay.agreement.is_difference());
    }
}

#[test]
fn a_log_without_a_result_breaks_off() {
    assert_eq!(agreement(""), Agreement::BreaksOff { ours: None });
    let replay = log::replay(OPENING);
    assert_eq!(replay.agreement, Agreement::BreaksOff { ours: None });
    assert_eq!(replay.record.position().to_string(), "5/2S3/7/8/9/8/7/2p3/5 1 1 2");
}

#[test]
fn wrong_results_and_illegal_actions_are_told() {
    let wrong = format!("{OPENING}winner: lower\n");
    assert_eq!(agreement(&wrong), Agreement::Differs { logged: Outcome::Win(Player::Two), ours: None });
    assert_eq!(agreement(&wrong).to_string(), "differs: the log says p2, by the rules the game goes on");

    let far = format!("{OPENING}turn 3: upper: SWING from (3, -2) to (1, -1)\n");
    let Agreement::Illegal { line: 6, last: true, .. } = agreement(&far) else {
        panic!("{}", agreement(&far))
    };
    let tag = format!(
        "{OPENING}turn 3: upper: SWING from (3, -2) to (2, -2)\nturn 3: lower: THROW symbol r to (-4, 2)\n"
    );
    assert!(agreement(&tag).to_string().contains("a swing of p1 goes 2 hexes, not 1 from h3 to g3"));
    assert!(!agreement(&tag).is_difference());
    let goes_on = format!("{tag}turn 4: upper: THROW symbol r to (4, -2)\n");
    assert!(agreement(&goes_on).is_difference());

    for (text, message) in [
        (
            "turn 1: upper: THROW symbol s to (5, 0)",
            "line 1: expected a hex of the board `(r, q)`, found `(5, 0)`",
        ),
        ("turn 1: upper: SLIDE from (1, 0)", "line 1: expected `to` and a hex, found ``"),
        (
            "turn x: upper: SLIDE from (1, 0) to (0, 0)",
            "line 1: expected the number of a turn, found `x: upper",
        ),
        ("turn 1: middle: THROW symbol s to (4, 0)", "line 1: expected the player `upper` or `lower`"),
        ("winner: nobody", "line 1: expected the winner `upper` or `lower`, found `nobody`"),
        ("turn 2: upper: THROW symbol s to (4, -2)", "line 1: expected an action of turn 1"),
    ] {
        let found = agreement(text).to_string();
        assert!(found.starts_with(&format!("unreadable: {message}")), "{found}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(walk in walks::<Position>(120)) {
        let mut record = Record::new(Position::start());
        for &turn in walk.turns() {
            if record.play(turn).is_err() {
                break;
            }
        }
        let replay = log::replay(&log::write(&record));
        prop_assert_eq!(replay.record.turns(), record.turns());
        prop_assert_eq!(replay.agreement, match record.end() {
            Some(end) => Agreement::Agrees(end),
            None => Agreement::BreaksOff { ours: None },
        });
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(turn |winner: |draw: |THROW |SLIDE |SWING |symbol |from |to |\\(|\\)|, |upper: |[0-9rps:é\\-]|\n){0,20}") {
        let _ = log::replay(&text).agreement.to_string();
    }
}
