//! The report's five rules for critical states: the first that matches decides.

use std::fmt;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use ropasci360::{Hex, HexSet, Move, Symbol};
use search_core::Player;

use super::repetition_guard::RepetitionGuard;
use super::token_lists::{Token, Tokens};

/// One of the five rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Nothing in danger, something to take: take it.
    Attack,
    /// Three or more enemies to throw on: throw. The program also asks that nothing be in danger.
    Throw,
    /// One token in danger: hide on an enemy of the same symbol.
    Hide,
    /// A token in danger in a corner: run.
    Run,
    /// Both sides can take: make sure to take too.
    Trade,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Rule::Attack => "attack",
            Rule::Throw => "throw",
            Rule::Hide => "hide",
            Rule::Run => "run",
            Rule::Trade => "trade",
        })
    }
}

/// Whether the rules are those of the authors' program or those of their report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleSet {
    /// As the program does it.
    Program,
    /// As the report says it.
    Text,
}

/// The board with what the rules ask about it.
#[derive(Debug)]
pub struct State<'a> {
    /// The board.
    pub tokens: &'a Tokens,
    /// Whose action is wanted.
    pub player: Player,
    /// Own tokens that the enemy can take.
    pub in_danger: Vec<Token>,
    /// Enemy tokens to take.
    pub eatable: Vec<Token>,
    /// Enemy tokens to throw on.
    pub throwable: Vec<Token>,
    guard: &'a RepetitionGuard,
}

impl<'a> State<'a> {
    /// Looks at a board.
    pub fn new(tokens: &'a Tokens, player: Player, guard: &'a RepetitionGuard) -> State<'a> {
        State {
            tokens,
            player,
            in_danger: tokens.in_danger(player),
            eatable: tokens.eatable(player),
            throwable: tokens.throwable(player).collect(),
            guard,
        }
    }

    /// The rule whose condition is met, and its action if it yields one. Without an action the search decides.
    pub fn decide(&self, rules: RuleSet, rng: &mut ChaCha8Rng) -> (Option<Rule>, Option<Move>) {
        match rules {
            RuleSet::Program => self.decide_as_program(),
            RuleSet::Text => self.decide_as_text(rng),
        }
    }

    fn decide_as_program(&self) -> (Option<Rule>, Option<Move>) {
        let lone = if let [token] = self.in_danger[..] { Some(token) } else { None };
        if self.in_danger.is_empty() && !self.eatable.is_empty() {
            return (Some(Rule::Attack), self.attack(false));
        }
        if self.in_danger.is_empty() && self.throwable.len() >= 3 {
            return (Some(Rule::Throw), self.throw());
        }
        if let Some(token) = lone
            && !self.reach(token).is_disjoint(self.tokens.set_of(self.enemy(), token.symbol))
        {
            return (Some(Rule::Hide), self.hide(token));
        }
        if let Some(token) = lone
            && Hex::CORNERS.contains(token.hex)
        {
            let hunters = self.tokens.set_of(self.enemy(), token.symbol.hunter());
            let targets = self.tokens.valid_moves(self.player, token.hex);
            let mut run = targets.into_iter().filter(|&to| !hunters.contains(to));
            return (Some(Rule::Run), run.find_map(|to| self.allowed(token.hex, to)));
        }
        if self.eatable.len() > self.in_danger.len() {
            return (Some(Rule::Trade), self.trade_as_program());
        }
        (None, None)
    }

    fn decide_as_text(&self, rng: &mut ChaCha8Rng) -> (Option<Rule>, Option<Move>) {
        if self.in_danger.is_empty() && !self.eatable.is_empty() {
            return (Some(Rule::Attack), self.attack(true));
        }
        // Only the first rule asks that nothing be in danger.
        if self.throwable.len() >= 3 {
            return (Some(Rule::Throw), self.throw());
        }
        let hiding = self
            .in_danger
            .iter()
            .find(|&&token| !self.reach(token).is_disjoint(self.tokens.set_of(self.enemy(), token.symbol)));
        if let Some(&token) = hiding {
            return (Some(Rule::Hide), self.hide(token));
        }
        if let [token] = self.in_danger[..]
            && self.tokens.count(self.player) == 1
            && Hex::CORNERS.contains(token.hex)
        {
            return (Some(Rule::Run), self.run_at_random(token, rng));
        }
        if !self.in_danger.is_empty() && !self.eatable.is_empty() {
            return (Some(Rule::Trade), self.trade_as_text());
        }
        (None, None)
    }

    fn enemy(&self) -> Player {
        self.player.opponent()
    }

    fn reach(&self, token: Token) -> HexSet {
        self.tokens.reach(self.player, token.hex)
    }

    /// The move, if the guard allows it. Valid targets are at distance 1 or 2.
    fn allowed(&self, from: Hex, to: Hex) -> Option<Move> {
        Move::step(from, to).filter(|&mv| self.guard.allows(self.tokens, mv))
    }

    /// The first enemy token that an own token beats and reaches; the program also takes safe ones.
    fn attack(&self, spare_safe: bool) -> Option<Move> {
        self.tokens.all(self.player).find_map(|token| {
            let reach = self.reach(token);
            let prey = self.tokens.of(self.enemy(), token.symbol.prey()).iter();
            prey.filter(|&&to| reach.contains(to) && !(spare_safe && self.tokens.is_safe(self.enemy(), to)))
                .find_map(|&to| self.allowed(token.hex, to))
        })
    }

    /// The first throwable token for whose beating symbol there is no own token; else the deepest.
    fn throw(&self) -> Option<Move> {
        let missing = |token: &&Token| self.tokens.of(self.player, token.symbol.hunter()).is_empty();
        let depth = |token: &&Token| match self.player {
            Player::One => token.hex.r(),
            Player::Two => -token.hex.r(),
        };
        let target =
            self.throwable.iter().find(missing).or_else(|| self.throwable.iter().min_by_key(depth))?;
        Some(Move::throw(target.symbol.hunter(), target.hex))
    }

    /// Onto the first enemy token of the same symbol.
    fn hide(&self, token: Token) -> Option<Move> {
        let reach = self.reach(token);
        let hideouts = self.tokens.of(self.enemy(), token.symbol).iter();
        hideouts.filter(|&&to| reach.contains(to)).find_map(|&to| self.allowed(token.hex, to))
    }

    /// To a random hex where no enemy token can take it.
    fn run_at_random(&self, token: Token, rng: &mut ChaCha8Rng) -> Option<Move> {
        let hunters = self.tokens.of(self.enemy(), token.symbol.hunter());
        let attacked = hunters
            .iter()
            .fold(HexSet::EMPTY, |set, &hex| set | self.tokens.reach(self.enemy(), hex) | hex.into());
        let targets: Vec<Move> = self
            .tokens
            .valid_moves(self.player, token.hex)
            .into_iter()
            .filter(|&to| !attacked.contains(to))
            .filter_map(|to| self.allowed(token.hex, to))
            .collect();
        (!targets.is_empty()).then(|| targets[rng.random_range(0..targets.len())])
    }

    /// A token in danger takes what it can.
    fn endangered_takes(&self) -> Option<Move> {
        self.in_danger.iter().find_map(|&token| {
            let reach = self.reach(token);
            let prey = self.eatable.iter().filter(|prey| token.symbol.beats(prey.symbol));
            prey.filter(|prey| reach.contains(prey.hex)).find_map(|prey| self.allowed(token.hex, prey.hex))
        })
    }

    fn trade_as_program(&self) -> Option<Move> {
        if let Some(mv) = self.endangered_takes() {
            return Some(mv);
        }
        // Enemy symbols by rising number of tokens, of equals p, r, s.
        let mut symbols = [Symbol::Paper, Symbol::Rock, Symbol::Scissors];
        symbols.sort_by_key(|&symbol| self.tokens.of(self.enemy(), symbol).len());
        for symbol in symbols {
            for &from in self.tokens.of(self.player, symbol.hunter()) {
                let reach = self.tokens.reach(self.player, from);
                // The program does not look whether the target has the symbol under consideration.
                for prey in &self.eatable {
                    if self.could_take(*prey) || !reach.contains(prey.hex) {
                        continue;
                    }
                    if let Some(mv) = self.allowed(from, prey.hex) {
                        return Some(mv);
                    }
                }
            }
        }
        None
    }

    /// Whether an enemy token could take one of the own tokens in one move.
    fn could_take(&self, enemy: Token) -> bool {
        let prey = self.tokens.set_of(self.player, enemy.symbol.prey());
        !prey.is_disjoint(self.tokens.reach(self.enemy(), enemy.hex))
    }

    fn trade_as_text(&self) -> Option<Move> {
        self.endangered_takes().or_else(|| {
            self.tokens.all(self.player).find_map(|token| {
                let reach = self.reach(token);
                let prey = self.eatable.iter().filter(|prey| token.symbol.beats(prey.symbol));
                prey.filter(|prey| reach.contains(prey.hex))
                    .find_map(|prey| self.allowed(token.hex, prey.hex))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ropasci360::Position;
    use search_core::stream;

    /// What the rules say for Upper: the rule that matches, and its action.
    fn decided(text: &str, rules: RuleSet) -> (Option<Rule>, Option<String>) {
        let tokens = Tokens::new(&text.parse::<Position>().expect("a position"), false);
        let guard = RepetitionGuard::new(Player::One);
        let (rule, mv) = State::new(&tokens, Player::One, &guard).decide(rules, &mut stream(0, "rules"));
        (rule, mv.map(|mv| mv.to_string()))
    }

    fn says(rule: Rule, mv: &str) -> (Option<Rule>, Option<String>) {
        (Some(rule), Some(mv.to_owned()))
    }

    #[test]
    fn the_program_attacks_safe_tokens_too() {
        // The scissors on e6 are safe, those on b5 make the rule match; the rock on e5 comes first in the list.
        let position = "5/6/7/8/4R(Ss)3/8/7/1s4/R4 9 8 40";
        assert_eq!(decided(position, RuleSet::Program), says(Rule::Attack, "e5e6"));
        assert_eq!(decided(position, RuleSet::Text), says(Rule::Attack, "a5b5"));
        // With the safe ones alone nothing is eatable, and the rule does not match.
        let only_safe = "5/6/7/8/4R(Ss)3/8/7/6/R4 9 8 40";
        assert_eq!(decided(only_safe, RuleSet::Program), (None, None));
    }

    #[test]
    fn a_throw_goes_to_the_missing_symbol_else_to_the_deepest_token() {
        // Paper only: for the rocks there is a beating token, for the scissors none.
        let paper = "4P/6/s6/r7/r8/8/7/6/5 5 3 20";
        assert_eq!(decided(paper, RuleSet::Program), says(Rule::Throw, "r@g1"));
        // Rock and paper: the deepest, on e1.
        let both = "3RP/6/s6/r7/r8/8/7/6/5 5 3 20";
        assert_eq!(decided(both, RuleSet::Program), says(Rule::Throw, "p@e1"));
        // Two are too few.
        assert_eq!(decided("4P/6/s6/r7/9/8/7/6/5 5 3 20", RuleSet::Program), (None, None));
        // One throw less, and e1 is outside the zone of four rows.
        assert_eq!(decided("4P/6/s6/r7/r8/8/7/6/5 3 3 20", RuleSet::Program), (None, None));
    }

    #[test]
    fn danger_keeps_the_program_from_throwing_and_not_the_text() {
        // Three scissors in the throw zone; the scissors on e1 are chased by the rock on f1 and have no like to hide on.
        let chased = "4P/6/s6/r7/r8/3rS3/7/6/5 6 4 20";
        let quiet = "4P/6/s6/r7/r8/8/7/6/4S 6 4 20";
        assert_eq!(decided(quiet, RuleSet::Program).0, Some(Rule::Throw));
        assert_eq!(decided(quiet, RuleSet::Text), decided(quiet, RuleSet::Program));
        assert_eq!(decided(chased, RuleSet::Program), (None, None));
        assert_eq!(decided(chased, RuleSet::Text).0, Some(Rule::Throw));
    }

    #[test]
    fn a_token_in_danger_hides_on_its_like() {
        // The rock on e5 is chased by the paper on e6; a rock stands on e4.
        let position = "5/6/7/8/3rRp3/8/7/6/4S 9 8 40";
        assert_eq!(decided(position, RuleSet::Program), says(Rule::Hide, "e5e4"));
        // With two tokens in danger the program does not hide, the text does.
        let two = "5/6/7/8/3rRpR2/8/7/6/5 9 8 40";
        assert_eq!(decided(two, RuleSet::Program), (None, None));
        assert_eq!(decided(two, RuleSet::Text), says(Rule::Hide, "e5e4"));
    }

    #[test]
    fn a_token_in_danger_runs_from_a_corner() {
        // The valid moves of i1 are, last found first, h2, h1, i2; the paper stands on i2.
        let position = "Rp3/6/7/8/9/8/7/6/4P 9 8 40";
        assert_eq!(decided(position, RuleSet::Program), says(Rule::Run, "i1h2"));
        // In the text only a lone token runs, and not to h2, where the paper reaches it.
        assert_eq!(decided(position, RuleSet::Text), (None, None));
        assert_eq!(decided("Rp3/6/7/8/9/8/7/6/5 9 8 40", RuleSet::Text), says(Rule::Run, "i1h1"));
        // Beside a corner nobody runs.
        assert_eq!(decided("1Rp2/6/7/8/9/8/7/6/4P 9 8 40", RuleSet::Program), (None, None));
    }

    #[test]
    fn the_program_trades_only_for_more_than_it_may_lose() {
        // The rock on e5 is in danger, the paper on e6 can be taken by the scissors on d7: one against one.
        let even = "5/6/7/8/4Rp3/5S2/7/6/5 9 8 40";
        assert_eq!(decided(even, RuleSet::Program), (None, None));
        assert_eq!(decided(even, RuleSet::Text), says(Rule::Trade, "d7e6"));
        // A second paper beside the scissors that threatens nobody: two against one, and the harmless one is taken.
        let more = "5/6/7/8/4Rp3/5Sp1/7/6/5 9 8 40";
        assert_eq!(decided(more, RuleSet::Program), says(Rule::Trade, "d7d8"));
    }
}
