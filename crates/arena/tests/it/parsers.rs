//! Arbitrary text at every parser of the arena: an error or a value, never a panic.

use std::fmt::Display;
use std::str::FromStr;

use arena::statistics::Sprt;
use arena::ugi::{Command, Info, OptionLine, OutsideSpec, Reply};
use arena::{Digest, MatchLimits, OpeningsChoice, Shard, parse_duration, read_journal};
use proptest::prelude::*;

/// What can be read is written back so that it reads the same again; what cannot is told why.
fn written_and_read<T>(text: &str) -> Result<(), TestCaseError>
where
    T: FromStr<Err: Display> + Display + PartialEq + std::fmt::Debug,
{
    match text.parse::<T>() {
        Ok(value) => {
            let written = value.to_string();
            match written.parse::<T>() {
                Ok(again) => prop_assert_eq!(again, value, "{} became {}", text, written),
                Err(error) => prop_assert!(false, "{} became {}: {}", text, written, error),
            }
        }
        Err(error) => prop_assert!(!error.to_string().is_empty()),
    }
    Ok(())
}

proptest! {
    #[test]
    fn limits(text in "(nodes|playouts|depth|movetime|first|gametime|inc|official|x)=?[0-9]{0,22}(\\.[0-9])?(ms|s|m|h)?(,(first|inc|nodes)=[0-9]{1,20}(ms|s))?|\\PC*") {
        written_and_read::<MatchLimits>(&text)?;
    }

    #[test]
    fn durations(text in "[0-9]{0,25}(\\.[0-9]{0,3})?(ms|s|m|h|d|us)?|\\PC*") {
        if let Some(duration) = parse_duration(&text) {
            prop_assert_eq!(parse_duration(&arena::duration_text(duration)), Some(duration), "{}", text);
        }
    }

    #[test]
    fn small_words(text in "[0-9a-f]{60,68}|[0-9]{1,3}/[0-9]{1,21}|(random:|file=)[0-9]{0,12}|-?[0-9]{1,4}(\\.[0-9])?,-?[0-9]{1,4}|\\PC*") {
        written_and_read::<Digest>(&text)?;
        if let Ok(shard) = text.parse::<Shard>() {
            prop_assert!(shard.index < shard.count);
        }
        if let Ok(OpeningsChoice::Random(plies)) = text.parse() {
            prop_assert!(plies <= 100);
        }
        if let Ok(sprt) = text.parse::<Sprt>() {
            prop_assert!(sprt.elo0 < sprt.elo1 && sprt.elo0.is_finite() && sprt.elo1.is_finite(), "{:?}", sprt);
        }
    }

    #[test]
    fn commands(text in "(ugi|isready|uginewgame|position|go|stop|query|setoption|quit)?( (startpos|fen|moves|name|value|role|p1|p2|p1time|p2inc|movetime|depth|nodes|infinite|gameover|[0-9]{1,22}|\\PC{0,6})){0,7}|\\PC*") {
        // What is written is read as the same command.
        if let Ok(command) = Command::parse(&text) {
            let written = command.to_string();
            prop_assert_eq!(Command::parse(&written).map(|again| again.to_string()), Ok(written.clone()), "{}", text);
        }
    }

    #[test]
    fn replies(text in "(id|option|info|bestmove|response|ugiok|readyok)( (name|author|type|default|min|max|var|spin|combo|check|string|button|depth|score|nodes|time|pv|mate|[-0-9]{1,22}|\\PC{0,6})){0,9}|\\PC*") {
        match Reply::parse(&text) {
            Reply::Option(rest) => {
                if let Ok(option) = OptionLine::parse(rest) {
                    prop_assert!(!option.name.is_empty());
                    option.accepts(None);
                    option.accepts(Some(&text));
                }
            }
            Reply::Info(rest) => {
                Info::parse(rest);
            }
            Reply::BestMove(mv) => prop_assert!(!mv.contains(char::is_whitespace)),
            _ => {}
        }
    }

    #[test]
    fn specs_of_programs(text in "(ugi|huslines|comp30024|comp424|mcts):[a-z '\"\\\\/]{0,12}|\\PC*") {
        if let Ok(Some(OutsideSpec::Ugi(words) | OutsideSpec::Adapted { bot: words, .. })) =
            OutsideSpec::parse(&text, &[])
        {
            prop_assert!(!words.is_empty());
        }
    }

    #[test]
    fn journals(bytes in prop::collection::vec(prop_oneof![3 => any::<u8>(), 1 => Just(b'\n'), 1 => Just(b'{')], 0..200)) {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("journal.jsonl");
        std::fs::write(&path, &bytes)?;
        let scan = read_journal(&path, None, |place, _| panic!("line {} is no game", place.line)).unwrap();
        // Every line is a problem, and each is named.
        let lines = bytes.split_inclusive(|&byte| byte == b'\n').count();
        prop_assert_eq!(scan.problems.len(), lines);
    }
}
