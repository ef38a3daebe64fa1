//! Positions and moves as texts, and random legal games.

use search_core::{Game, Player, Record, Turn, parse_turn, stream, turn_text};

/// Any text as a position and as a move: what can be read is written back the same, and can be played from.
pub fn text<G: Game>(text: &str) {
    if let Ok(mv) = text.parse::<G::Move>() {
        assert_eq!(mv.to_string(), text);
    }
    let Ok(position) = text.parse::<G>() else { return };
    assert_eq!(position.to_string(), text);
    let mut rng = stream(1, text);
    let mut record = Record::new(position);
    for _ in 0..50 {
        let (active, position) = (record.position().active(), record.position().clone());
        let draw = |player| active.includes(player).then(|| position.sample(player, &mut rng)).flatten();
        let Some(turn) = Turn::from_moves(active, Player::BOTH.map(draw)) else { break };
        record.play(turn).expect("a drawn turn is legal");
        if record.end().is_some() {
            break;
        }
    }
}

/// A legal game whose moves the bytes choose: texts of moves, turns and positions are read back as what they are, keys that playing
/// carries along are those of the position read from its text, and the referee takes every generated turn.
pub fn game<G: Game>(bytes: &[u8]) {
    let (seed, choices) = bytes.split_at(bytes.len().min(1));
    let seed = seed.first().copied().unwrap_or_default();
    let mut record = Record::new(G::initial(&G::Setup::default(), seed.into()));
    let mut choices = choices.iter().copied();
    while record.end().is_none() {
        let position = record.position().clone();
        let active = position.active();
        let mut moves = [None, None];
        for player in Player::BOTH.into_iter().filter(|&player| active.includes(player)) {
            let legal = record.legal_moves(player);
            assert!(!legal.is_empty(), "{position} goes on, and {player} cannot move");
            assert_eq!(
                legal.len(),
                position.move_count(player),
                "the count of moves of {player} at {position}"
            );
            let Some(choice) = choices.next() else { return };
            // Where there are more moves than a byte can tell apart, two bytes choose.
            let choice = match legal.len() {
                0..=256 => usize::from(choice),
                _ => usize::from(choice) << 8 | usize::from(choices.next().unwrap_or_default()),
            };
            let mv = legal[choice % legal.len()];
            assert_eq!(mv.to_string().parse::<G::Move>().ok(), Some(mv), "the move {mv} at {position}");
            assert!(position.is_legal(player, mv), "the move {mv} at {position}");
            moves[player.index()] = Some(mv);
        }
        let Some(turn) = G::Turn::from_moves(active, moves) else { return };
        let text = turn_text::<G>(active, turn);
        assert!(
            parse_turn::<G>(active, &text).is_ok_and(|again| again == turn),
            "the turn {text} at {position}"
        );
        record.play(turn).expect("a generated turn is legal");
        let after = record.position();
        let Ok(again) = after.to_string().parse::<G>() else { panic!("{after} cannot be read back") };
        assert_eq!(again.to_string(), after.to_string());
        assert_eq!(
            (again.key(), again.repetition_key()),
            (after.key(), after.repetition_key()),
            "the keys of {after}"
        );
        assert_eq!(again.end().map(|end| end.to_string()), after.end().map(|end| end.to_string()), "{after}");
    }
}
