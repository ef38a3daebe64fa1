//! Any text as a position and as a move: what can be read is written back the same, and can be played from.
#![no_main]

use hus::{Position, Pit};
use libfuzzer_sys::fuzz_target;
use search_core::{Game, Player, Record, Turn, stream};

fuzz_target!(|text: &str| {
    if let Ok(mv) = text.parse::<Pit>() {
        assert_eq!(mv.to_string(), text);
    }
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(position.to_string(), text);
        let mut rng = stream(1, text);
        let mut record = Record::new(position);
        for _ in 0..50 {
            let (active, position) = (record.position().active(), *record.position());
            let draw = |player| active.includes(player).then(|| position.sample(player, &mut rng)).flatten();
            let Some(turn) = Turn::from_moves(active, Player::BOTH.map(draw)) else { break };
            record.play(turn).expect("a drawn turn is legal");
            if record.end().is_some() {
                break;
            }
        }
    }
});
