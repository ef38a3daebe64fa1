//! Setting up positions by hand: brushes that change the text of a position at a target. The texts need not be legal: one
//! gets from one legal position to another through others, and the parser of the game says what is wrong with each.

pub(super) mod colosseum;
pub(super) mod expendibots;
pub(super) mod hus;
pub(super) mod ropasci360;

use crate::Brush;

/// The brush of every game whose players take turns.
const OTHER_SIDE: Brush = Brush { name: "side", title: "the other side to move", needs_target: false };

/// A brush that points at something.
const fn at(name: &'static str, title: &'static str) -> Brush {
    Brush { name, title, needs_target: true }
}

/// The fields of a position, which single spaces divide.
fn fields<const N: usize>(text: &str) -> Result<[String; N], String> {
    let fields: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let found = fields.len();
    fields
        .try_into()
        .map_err(|_| format!("expected {N} fields divided by single spaces, found {found} in `{text}`"))
}

/// A number in a position.
fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("expected a number, found `{text}`"))
}

/// The plies with which the other side is to move: one more, or one less where one more may be too many.
fn other_ply(plies: &str) -> Result<String, String> {
    let plies = number(plies)?;
    Ok(if plies % 2 == 0 { plies.saturating_add(1) } else { plies - 1 }.to_string())
}

fn unknown(brush: &str, brushes: &[Brush]) -> String {
    let names: Vec<&str> = brushes.iter().map(|brush| brush.name).collect();
    format!("there is no brush `{brush}`; there are {}", names.join(", "))
}

fn no_place(target: &str) -> String {
    format!("nothing can be set up at `{target}`")
}

#[cfg(test)]
mod tests {
    use search_core::Game;

    use crate::Listed;

    /// Every brush at every target of the start changes the text or says why not, and nothing panics on other texts.
    fn brushes_answer<G: Listed>() {
        let start = G::initial(&G::Setup::default(), 1);
        let areas = G::areas(&start);
        // A token that is put where it stands changes nothing, nor does taking one where there is none.
        let mut changes = 0;
        for brush in G::BRUSHES {
            let targets: Vec<&str> = if brush.needs_target {
                areas.iter().map(|area| area.target.as_str()).collect()
            } else {
                vec![""]
            };
            let text = start.to_string();
            for target in targets {
                match G::edit(&text, brush.name, target) {
                    Ok(changed) => changes += u32::from(changed != text),
                    Err(why) => assert!(why.contains(target), "{why}"),
                }
            }
            for wrong in ["", "a b c", "1,2/3 0 0", "x/y/z a b c", "8/8 w -1", "(/) 1 2 3", "ü/ß é 9 9 9"]
            {
                for target in ["", "a1", "p1-0", "a1r", "p2-99", "é", "i5"] {
                    let _ = G::edit(wrong, brush.name, target);
                    let _ = G::edit(&text, brush.name, target);
                }
            }
        }
        assert!(changes > 0, "no brush changes anything");
        let error = G::edit(&start.to_string(), "feather", "a1").unwrap_err();
        assert!(error.starts_with("there is no brush `feather`; there are "), "{error}");
    }

    #[test]
    fn brushes_answer_in_every_game() {
        brushes_answer::<::colosseum::Position>();
        brushes_answer::<::expendibots::Position>();
        brushes_answer::<::hus::Position>();
        brushes_answer::<::ropasci360::Position>();
    }

    /// What the brushes make of a position, read back.
    fn after<G: Listed>(text: &str, edits: &[(&str, &str)]) -> String {
        let edit = |text: String, (brush, target): &(&str, &str)| G::edit(&text, brush, target).unwrap();
        edits.iter().fold(text.to_owned(), edit)
    }

    #[test]
    fn hus_moves_seeds() {
        let start = <::hus::Position as Game>::initial(&search_core::Standard, 0).to_string();
        let changed = after::<::hus::Position>(&start, &[("less", "p1-3"), ("more", "p2-31"), ("side", "")]);
        let position: ::hus::Position = changed.parse().unwrap();
        assert!(changed.ends_with(" 1 1"), "{changed}");
        let count = |player, pit| position.count(player, ::hus::Pit::new(pit).unwrap());
        assert_eq!((count(search_core::Player::One, 3), count(search_core::Player::Two, 31)), (1, 1));
        let error = ::hus::Position::edit(&start, "less", "p1-30").unwrap_err();
        assert_eq!(error, "p1-30 is empty already");
    }

    #[test]
    fn expendibots_stacks() {
        let empty = "8/8/8/8/8/8/8/8 w 10";
        let edits = [
            ("white", "a1"),
            ("white", "a1"),
            ("black", "h8"),
            ("black", "c6"),
            ("less", "c6"),
            ("side", ""),
        ];
        assert_eq!(after::<::expendibots::Position>(empty, &edits), "7a/8/8/8/8/8/8/B7 b 11");
    }

    #[test]
    fn ropasci_tokens() {
        let start = "5/6/7/8/9/8/7/6/5 0 0 0";
        let edits = [("R", "e5"), ("r", "e5"), ("s", "a9"), ("P", "i1"), ("none", "i1"), ("thrown-p2", "")];
        let changed = after::<::ropasci360::Position>(start, &edits);
        assert_eq!(changed, "5/6/7/8/4(Rr)4/8/7/6/4s 2 3 3");
        assert!(changed.parse::<::ropasci360::Position>().is_ok());
    }

    #[test]
    fn colosseum_walls() {
        let text = "6 915113/a81002/804402/801102/80042a/c44546 e6 b1 a 0";
        let edits = [("wall", "a1d"), ("a", "c3"), ("wall", "a2r")];
        let changed = after::<::colosseum::Position>(text, &edits);
        assert_eq!(
            changed,
            "6 d15113/b01002/804402/801102/80042a/c44546 c3 b1 a 0".replace("b01002", "901002")
        );
        assert!(changed.parse::<::colosseum::Position>().is_ok());
    }
}
