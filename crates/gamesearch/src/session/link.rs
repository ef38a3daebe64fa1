//! A game in an address: `game=hus&setup=...&seed=7&start=...&moves=12-4&ply=1`.

use std::fmt::Write as _;

use super::sitting::Beginning;

/// Characters that need no escape: neither the address nor this form gives them a meaning.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.~!@*".contains(&byte)
}

fn escape(text: &str, out: &mut String) {
    for byte in text.bytes() {
        if is_plain(byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a text does not fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

fn unescape(text: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
        let (Some(high), Some(low)) = (digit(rest.next()), digit(rest.next())) else {
            return Err(format!("the link: expected two digits after `%` in `{text}`"));
        };
        bytes.push((high * 16 + low) as u8);
    }
    String::from_utf8(bytes).map_err(|_| format!("the link: `{text}` is no text"))
}

/// The link to a game. A turn has the moves of one player, or of both.
pub(crate) fn write(
    game: &str,
    setup: &str,
    seed: u64,
    start: Option<&str>,
    turns: &[Vec<&str>],
    ply: Option<usize>,
) -> String {
    let mut link = String::from("game=");
    escape(game, &mut link);
    let mut put = |key: &str, value: &str| {
        let _ = write!(link, "&{key}=");
        escape(value, &mut link);
    };
    if !setup.is_empty() {
        put("setup", setup);
    }
    if seed != 1 {
        put("seed", &seed.to_string());
    }
    if let Some(start) = start {
        put("start", start);
    }
    if !turns.is_empty() {
        link.push_str("&moves=");
        for (index, turn) in turns.iter().enumerate() {
            if index > 0 {
                link.push('-');
            }
            for (number, mv) in turn.iter().enumerate() {
                if number > 0 {
                    link.push(',');
                }
                escape(mv, &mut link);
            }
        }
    }
    if let Some(ply) = ply {
        let _ = write!(link, "&ply={ply}");
    }
    link
}

/// The game in a link: its name, how it begins, and where one stands.
pub(super) fn read(text: &str) -> Result<(String, Beginning, Option<usize>), String> {
    let mut game = None;
    let mut beginning = Beginning { seed: 1, ..Beginning::default() };
    let mut ply = None;
    let whole = |key: &str, value: &str| {
        value
            .parse::<u64>()
            .map_err(|_| format!("the link: expected a whole number for `{key}`, found `{value}`"))
    };
    for part in text.trim_start_matches('#').split('&').filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        match key {
            "game" => game = Some(unescape(value)?),
            "setup" => beginning.setup = unescape(value)?,
            "seed" => beginning.seed = whole(key, value)?,
            "start" => beginning.position = Some(unescape(value)?),
            "ply" => ply = Some(whole(key, value)? as usize),
            "moves" => {
                let mut turns = Vec::new();
                for turn in value.split('-').filter(|turn| !turn.is_empty()) {
                    let moves: Result<Vec<String>, String> = turn.split(',').map(unescape).collect();
                    turns.push(moves?.join("|"));
                }
                beginning.turns = turns.join(" ");
            }
            // The page has keys of its own.
            _ => {}
        }
    }
    let game = game.ok_or("the link: expected `game=` with the name of a game")?;
    Ok((game, beginning, ply))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_comes_back() {
        let turns = vec![vec!["s@i3", "a-b"], vec!["50%,|x", "ü"]];
        let link = write("rops", "size=6", 7, Some("a b/c"), &turns, Some(1));
        assert_eq!(
            link,
            "game=rops&setup=size%3D6&seed=7&start=a%20b%2Fc&moves=s@i3,a%2Db-50%25%2C%7Cx,%C3%BC&ply=1"
        );
        let (game, beginning, ply) = read(&format!("#{link}&panel=tree")).unwrap();
        assert_eq!((game.as_str(), ply), ("rops", Some(1)));
        assert_eq!(beginning.setup, "size=6");
        assert_eq!(beginning.seed, 7);
        assert_eq!(beginning.position.as_deref(), Some("a b/c"));
        assert_eq!(beginning.turns, "s@i3|a-b 50%,|x|ü");
    }

    #[test]
    fn a_broken_link_says_what_was_expected() {
        assert!(read("moves=1").unwrap_err().contains("expected `game=`"));
        assert!(
            read("game=hus&seed=x").unwrap_err().contains("expected a whole number for `seed`, found `x`")
        );
        assert!(read("game=%4").unwrap_err().contains("two digits"));
        assert!(read("game=%FF").unwrap_err().contains("is no text"));
    }
}
