//! A second implementation of the rules, written straight from their text with arrays and loops: the oracle of the
//! property tests and the baseline of the benches. It shares with the first only the notation of moves.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use ropasci360::{Hex, Move, Symbol};
use search_core::{Active, End, Game, MoveSink, Outcome, Player, Simultaneous, Standard};

/// A board of 9 rows and 9 columns; each hex has its tokens in a list, corners of the square stay empty.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(unreachable_pub, reason = "the file is shared with the benches")]
pub struct Naive {
    tokens: Vec<Vec<Vec<(Player, Symbol)>>>,
    throws: [u32; 2],
    turns: u32,
}

fn on_board(r: i32, q: i32) -> bool {
    r.abs() <= 4 && q.abs() <= 4 && (r + q).abs() <= 4
}

fn neighbours(r: i32, q: i32) -> Vec<(i32, i32)> {
    let all = [(r + 1, q - 1), (r + 1, q), (r, q + 1), (r - 1, q + 1), (r - 1, q), (r, q - 1)];
    all.into_iter().filter(|&(r, q)| on_board(r, q)).collect()
}

fn beats(a: Symbol, b: Symbol) -> bool {
    matches!(
        (a, b),
        (Symbol::Rock, Symbol::Scissors) | (Symbol::Scissors, Symbol::Paper) | (Symbol::Paper, Symbol::Rock)
    )
}

fn hex(r: i32, q: i32) -> Hex {
    Hex::new(r as i8, q as i8).expect("a hex of the board")
}

fn place(hex: Hex) -> (i32, i32) {
    (hex.r() as i32, hex.q() as i32)
}

impl Naive {
    fn at(&self, r: i32, q: i32) -> &Vec<(Player, Symbol)> {
        &self.tokens[(r + 4) as usize][(q + 4) as usize]
    }

    fn at_mut(&mut self, r: i32, q: i32) -> &mut Vec<(Player, Symbol)> {
        &mut self.tokens[(r + 4) as usize][(q + 4) as usize]
    }

    fn has_token(&self, player: Player, r: i32, q: i32) -> bool {
        self.at(r, q).iter().any(|token| token.0 == player)
    }

    fn symbols(&self, player: Player) -> Vec<Symbol> {
        let all = self.tokens.iter().flatten().flatten();
        all.filter(|token| token.0 == player).map(|token| token.1).collect()
    }

    fn all_moves(&self, player: Player) -> Vec<Move> {
        let mut moves = Vec::new();
        let used = self.throws[player.index()] as i32;
        for r in -4..=4 {
            for q in -4..=4 {
                if !on_board(r, q) {
                    continue;
                }
                let in_zone = match player {
                    Player::One => r >= 4 - used,
                    Player::Two => r <= -4 + used,
                };
                if used < 9 && in_zone {
                    for symbol in Symbol::ALL {
                        moves.push(Move::throw(symbol, hex(r, q)));
                    }
                }
                if !self.has_token(player, r, q) {
                    continue;
                }
                let near = neighbours(r, q);
                let mut targets = near.clone();
                for &(pivot_r, pivot_q) in &near {
                    if self.has_token(player, pivot_r, pivot_q) {
                        for target in neighbours(pivot_r, pivot_q) {
                            if target != (r, q) && !targets.contains(&target) {
                                targets.push(target);
                            }
                        }
                    }
                }
                for (to_r, to_q) in targets {
                    moves.push(Move::step(hex(r, q), hex(to_r, to_q)).expect("a slide or swing"));
                }
            }
        }
        moves
    }

    fn carry_out(&mut self, player: Player, mv: Move) -> (i32, i32) {
        let symbol = match (mv.thrown(), mv.from()) {
            (Some(symbol), _) => {
                self.throws[player.index()] += 1;
                symbol
            }
            (None, from) => {
                let (r, q) = place(from.expect("a step has a from-hex"));
                let hex = self.at_mut(r, q);
                let index = hex.iter().position(|token| token.0 == player).expect("a token moves");
                hex.remove(index).1
            }
        };
        let (r, q) = place(mv.to());
        self.at_mut(r, q).push((player, symbol));
        (r, q)
    }

    fn battle(&mut self, (r, q): (i32, i32)) {
        let present: Vec<Symbol> = self.at(r, q).iter().map(|token| token.1).collect();
        self.at_mut(r, q).retain(|token| !present.iter().any(|&symbol| beats(symbol, token.1)));
    }

    fn has_invincible(&self, player: Player) -> bool {
        let enemy = player.opponent();
        let theirs = self.symbols(enemy);
        self.throws[enemy.index()] == 9
            && self.symbols(player).iter().any(|&mine| !theirs.iter().any(|&other| beats(other, mine)))
    }
}

impl fmt::Display for Naive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = Vec::new();
        for r in (-4..=4).rev() {
            let mut row = String::new();
            for q in (-4..=4).filter(|&q| on_board(r, q)) {
                let tokens = self.at(r, q);
                if tokens.is_empty() {
                    let run = row.chars().last().and_then(|last| last.to_digit(10)).unwrap_or(0);
                    if run > 0 {
                        row.pop();
                    }
                    row += &(run + 1).to_string();
                    continue;
                }
                let mut letters: Vec<char> = tokens
                    .iter()
                    .map(|&(player, symbol)| match player {
                        Player::One => symbol.letter().to_ascii_uppercase(),
                        Player::Two => symbol.letter(),
                    })
                    .collect();
                letters.sort_unstable();
                let letters: String = letters.into_iter().collect();
                let (open, close) = if tokens.len() > 1 { ("(", ")") } else { ("", "") };
                row.extend([open, &letters, close]);
            }
            rows.push(row);
        }
        write!(f, "{} {} {} {}", rows.join("/"), self.throws[0], self.throws[1], self.turns)
    }
}

impl FromStr for Naive {
    type Err = Infallible;

    /// Reads what the first implementation wrote; panics on anything else.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let fields: Vec<&str> = text.split(' ').collect();
        let number = |index: usize| fields[index].parse().expect("a number");
        let mut naive =
            Naive { tokens: vec![vec![Vec::new(); 9]; 9], throws: [number(1), number(2)], turns: number(3) };
        for (row, r) in fields[0].split('/').zip((-4..=4).rev()) {
            let mut q = (-4..=4).find(|&q| on_board(r, q)).expect("a first hex");
            let mut inside = false;
            for letter in row.chars() {
                match letter {
                    '(' => inside = true,
                    ')' => {
                        inside = false;
                        q += 1;
                    }
                    digit if digit.is_ascii_digit() => q += digit as i32 - '0' as i32,
                    token => {
                        let symbol = Symbol::from_letter(token.to_ascii_lowercase()).expect("a token");
                        let player = if token.is_uppercase() { Player::One } else { Player::Two };
                        naive.at_mut(r, q).push((player, symbol));
                        if !inside {
                            q += 1;
                        }
                    }
                }
            }
        }
        Ok(naive)
    }
}

impl Game for Naive {
    const NAME: &'static str = "naive ropasci360";
    const REPETITION: Option<u32> = Some(3);

    type Move = Move;
    type Turn = [Move; 2];
    type Moves = Vec<Move>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        Naive { tokens: vec![vec![Vec::new(); 9]; 9], throws: [0; 2], turns: 0 }
    }

    fn active(&self) -> Active {
        Active::Both
    }

    fn moves_of<S: MoveSink<Move>>(&self, player: Player, sink: &mut S) {
        if self.end().is_none() {
            for mv in self.all_moves(player) {
                sink.push(mv);
            }
        }
    }

    fn play_turn(&mut self, turn: [Move; 2]) {
        let upper = self.carry_out(Player::One, turn[0]);
        let lower = self.carry_out(Player::Two, turn[1]);
        self.battle(upper);
        self.battle(lower);
        self.turns += 1;
    }

    fn end(&self) -> Option<End> {
        let [upper, lower] = Player::BOTH.map(|player| self.symbols(player).len());
        let out = self.throws.map(|throws| throws == 9);
        let beaten = [out[0] && upper == 0, out[1] && lower == 0];
        let wins = |player| Outcome::Win(player);
        if beaten == [true, true] {
            return Some(End::by_rule(Outcome::Draw, "mutual-elimination"));
        }
        if beaten[0] {
            return Some(End::by_rule(wins(Player::Two), "elimination"));
        }
        if beaten[1] {
            return Some(End::by_rule(wins(Player::One), "elimination"));
        }
        let invincible = Player::BOTH.map(|player| self.has_invincible(player));
        if invincible == [true, true] {
            return Some(End::by_rule(Outcome::Draw, "both-invincible"));
        }
        if invincible[0] && out[1] && lower == 1 {
            return Some(End::by_rule(wins(Player::One), "invincible-vs-last-token"));
        }
        if invincible[1] && out[0] && upper == 1 {
            return Some(End::by_rule(wins(Player::Two), "invincible-vs-last-token"));
        }
        (self.turns >= 360).then_some(End::by_cap(Outcome::Draw, "turn-limit"))
    }

    fn key(&self) -> u64 {
        // FNV-1a of the text: slow, plain and enough for a baseline.
        self.key_text().bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }

    fn key_text(&self) -> String {
        let text = self.to_string();
        text.rsplit_once(' ').map_or(String::new(), |(key, _)| key.to_owned())
    }

    fn repetition_key(&self) -> Option<u64> {
        Some(self.key())
    }
}

impl Simultaneous for Naive {}
