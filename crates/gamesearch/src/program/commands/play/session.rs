//! One game between people and bots.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use agents::nearest;
use anstyle::{AnsiColor, Style};
use arena::SavedGame;
use search_core::{Active, Answer, Bot, Game, Limits, Outcome, Paint, Player, Record, Turn, turn_text};

use super::entry::{self, Choice, Entry};
use super::rescue::Rescue;
use super::thinking::{ask, drawn, view};
use super::{Failure, load};

const TITLE: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const WARNING: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow)));

/// A game in the terminal. A player without a bot is a person.
pub(super) struct Session<G: Game, I> {
    pub(super) record: Record<G>,
    pub(super) setup: G::Setup,
    pub(super) bots: [Option<Box<dyn Bot<G>>>; 2],
    pub(super) names: [String; 2],
    pub(super) helper: Box<dyn Bot<G>>,
    /// Says why where the helper only names a move.
    pub(super) analyst: Option<Box<dyn Bot<G>>>,
    pub(super) rules: String,
    pub(super) rescue: Rescue,
    pub(super) resigned: Option<Player>,
    pub(super) limits: Limits,
    pub(super) seed: u64,
    pub(super) input: I,
}

/// What a person did instead of choosing a move.
enum Detour {
    /// The position is another one now.
    Changed,
    /// The person leaves, or the input has ended.
    Leave,
    /// The game is given up.
    Resign(Player),
}

impl<G: Game, I: BufRead> Session<G, I> {
    /// Plays until the game is over or the person leaves.
    pub(super) fn play(&mut self) -> Result<(), Failure> {
        self.greet()?;
        while self.record.end().is_none() {
            self.rescue.keep(if self.record.turns().is_empty() { None } else { Some(self.text()?) });
            self.draw();
            match self.turn()? {
                Some(Detour::Leave) => return Ok(()),
                Some(Detour::Resign(player)) => {
                    self.resigned = Some(player);
                    let winner = player.opponent();
                    outln!(
                        "{TITLE}{player} resigns: {winner} ({}) wins.{TITLE:#}",
                        self.names[winner.index()]
                    );
                    return Ok(());
                }
                Some(Detour::Changed) | None => {}
            }
        }
        self.rescue.keep(None);
        self.draw();
        if let Some(end) = self.record.end() {
            let text = match end.outcome.winner() {
                Some(winner) => format!("{winner} ({}) wins", self.names[winner.index()]),
                None => "a draw".to_owned(),
            };
            let turns = self.record.turns().len();
            outln!("{TITLE}The game is over: {text}, {} after {turns} turns.{TITLE:#}", end.reason);
        }
        Ok(())
    }

    fn greet(&mut self) -> Result<(), Failure> {
        self.begin()?;
        let [one, two] = &self.names;
        outln!("{TITLE}{}{TITLE:#}: p1 is {one}, p2 is {two}. `help` lists the commands.", G::NAME);
        Ok(())
    }

    /// Tells the bots that a game begins.
    fn begin(&mut self) -> Result<(), Failure> {
        for player in Player::BOTH {
            if let Some(bot) = &mut self.bots[player.index()] {
                let name = &self.names[player.index()];
                bot.new_game(player, self.seed).map_err(|failure| {
                    Failure::failed(format!("{name} did not start: {}", failure.message))
                })?;
            }
        }
        Ok(())
    }

    fn draw(&self) {
        outln!("\n{}\n", self.record.position().picture(Paint::Ansi));
    }

    /// One turn. Where both choose at once, the bots choose first and in secret, then the people; then all is shown.
    fn turn(&mut self) -> Result<Option<Detour>, Failure> {
        let active = self.record.position().active();
        let secret = active == Active::Both;
        let mut moves = [None, None];
        let mut thoughts: Vec<(Player, String)> = Vec::new();
        for player in active.players() {
            let Some(answer) = self.bot(player, secret) else { continue };
            moves[player.index()] = Some(answer.mv);
            if let Some(analysis) = &answer.analysis {
                thoughts.push((player, view(analysis)));
            }
        }
        let people: Vec<Player> =
            active.players().filter(|player| self.bots[player.index()].is_none()).collect();
        for &player in &people {
            match self.person(player, secret && people.len() > 1)? {
                Ok(mv) => moves[player.index()] = Some(mv),
                Err(detour) => return Ok(Some(detour)),
            }
        }
        // Every active player has chosen, so there is a turn.
        let Some(turn) = G::Turn::from_moves(active, moves) else { return Ok(None) };
        let text = turn_text::<G>(active, turn);
        match self.record.play(turn) {
            Ok(_) => {
                let who = match active {
                    Active::One(player) => format!("{player} plays"),
                    Active::Both => "p1|p2 play".to_owned(),
                };
                outln!("{who} {TITLE}{text}{TITLE:#}");
                for (player, thought) in thoughts {
                    outln!("{FAINT}{player} saw: {thought}{FAINT:#}");
                }
                Ok(None)
            }
            Err(illegal) => {
                self.take_over(illegal.player, &format!("played against the rules: {illegal}"));
                Ok(None)
            }
        }
    }

    /// What the bot of a seat plays; `None` where a person sits, or does from now on because the bot fails. It is started
    /// again once.
    fn bot(&mut self, player: Player, secret: bool) -> Option<Answer<G::Move>> {
        let bot = self.bots[player.index()].as_mut()?;
        let first = match ask(&mut **bot, &self.record, player, self.limits, secret) {
            Ok(answer) => return Some(answer),
            Err(failure) => failure,
        };
        let name = &self.names[player.index()];
        outln!("{WARNING}{name} failed, {first}; it is started again{WARNING:#}");
        let again = bot
            .new_game(player, self.seed)
            .and_then(|()| ask(&mut **bot, &self.record, player, self.limits, secret));
        again.map_err(|failure| self.take_over(player, &format!("failed again, {failure}"))).ok()
    }

    /// A person takes the seat of a bot that cannot go on.
    fn take_over(&mut self, player: Player, why: &str) {
        let name = &self.names[player.index()];
        outln!("{WARNING}{name} {why}. From here on you play {player}.{WARNING:#}");
        self.bots[player.index()] = None;
        self.names[player.index()] = format!("you, for {name}");
    }

    /// Asks a person until there is a move.
    fn person(&mut self, player: Player, hide: bool) -> Result<Result<G::Move, Detour>, Failure> {
        loop {
            out!("{TITLE}{player}>{TITLE:#} ");
            io::stdout().flush().map_err(Failure::failed)?;
            let mut line = String::new();
            if self.input.read_line(&mut line).map_err(Failure::failed)? == 0 {
                outln!();
                return Ok(Err(Detour::Leave));
            }
            match entry::read(&line) {
                Entry::Nothing => {}
                Entry::Help => outln!("{}", entry::HELP),
                Entry::Board => self.draw(),
                Entry::Moves(prefix) => self.list(player, prefix),
                Entry::Hint => self.hint(player),
                Entry::Undo => {
                    if self.undo() {
                        return Ok(Err(Detour::Changed));
                    }
                    outln!("There is nothing to take back.");
                }
                Entry::Save("") | Entry::Load("") => outln!("Give the name of a file as well."),
                Entry::Save(file) => match self.save(Path::new(file)) {
                    Ok(()) => outln!("saved in {file}"),
                    Err(problem) => outln!("{WARNING}{problem}{WARNING:#}"),
                },
                Entry::Load(file) => match load(Path::new(file)) {
                    Ok(record) => {
                        self.record = record;
                        self.begin()?;
                        return Ok(Err(Detour::Changed));
                    }
                    Err(problem) => outln!("{WARNING}{problem}{WARNING:#}"),
                },
                Entry::New => {
                    self.record = Record::new(self.record.start().clone());
                    self.begin()?;
                    return Ok(Err(Detour::Changed));
                }
                Entry::Rules => outln!("{}", self.rules),
                Entry::Resign => return Ok(Err(Detour::Resign(player))),
                Entry::Quit => return Ok(Err(Detour::Leave)),
                Entry::Move(text) => match entry::find(text, &self.record.legal_moves(player)) {
                    Choice::One(mv) => {
                        if hide && io::stdout().is_terminal() {
                            // Two people at one terminal: what was typed is wiped away.
                            out!("\x1b[1A\x1b[2K");
                            outln!("{player} has chosen");
                        }
                        return Ok(Ok(mv));
                    }
                    Choice::Several(moves) => {
                        outln!("Several moves begin so: {}", texts(&moves).join(" "));
                    }
                    Choice::None(near) => {
                        let near = near.map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
                        let word = nearest(
                            text,
                            ["help", "moves", "undo", "hint", "board", "rules", "resign", "quit"],
                        );
                        let word = word.filter(|_| near.is_empty());
                        let word = word.map_or(String::new(), |word| format!(" Did you mean `{word}`?"));
                        outln!(
                            "{WARNING}`{text}` is no legal move.{WARNING:#}{near}{word} `moves` lists them, `help` helps."
                        );
                    }
                },
            }
        }
    }

    fn list(&self, player: Player, prefix: &str) {
        let mut moves = texts(&self.record.legal_moves(player));
        moves.retain(|text| text.starts_with(&prefix.to_lowercase()));
        if moves.is_empty() {
            outln!("No legal move begins with `{prefix}`.");
        } else {
            outln!("{} legal moves: {}", moves.len(), moves.join(" "));
        }
    }

    fn hint(&mut self, player: Player) {
        // The helper plays for either player, so it is told each time.
        let answer = self
            .helper
            .new_game(player, self.seed)
            .and_then(|()| ask(&mut *self.helper, &self.record, player, self.limits, false));
        match answer {
            Ok(answer) => {
                let why = match &answer.analysis {
                    Some(analysis) => Some(match &analysis.mixed {
                        Some(mixed) => drawn(&mixed.strategies[player.index()], analysis),
                        None => view(analysis),
                    }),
                    None => self.reason(player, answer.mv),
                };
                let why = why.map_or(String::new(), |why| format!("  ({why})"));
                outln!("Hint: {TITLE}{}{TITLE:#}{FAINT}{why}{FAINT:#}", answer.mv);
            }
            Err(failure) => outln!("{WARNING}no hint, {failure}{WARNING:#}"),
        }
    }

    /// What the analyst sees after a move, for the player who makes it; in a simultaneous game before it.
    fn reason(&mut self, player: Player, mv: G::Move) -> Option<String> {
        let analyst = self.analyst.as_mut()?;
        let active = self.record.position().active();
        let mut moves = [None, None];
        moves[player.index()] = Some(mv);
        let mut after = self.record.clone();
        let turn = G::Turn::from_moves(active, moves).filter(|_| active != Active::Both);
        let played = turn.is_some_and(|turn| after.play(turn).is_ok());
        if let Some(end) = after.end() {
            return Some(format!("the game is over then: {end}"));
        }
        let mover = if played { after.position().active().players().next()? } else { player };
        analyst.new_game(mover, self.seed).ok()?;
        let mut analysis = ask(&mut **analyst, &after, mover, self.limits, false).ok()?.analysis?;
        if mover != player {
            analysis.score = -analysis.score;
        }
        if played {
            analysis.depth += 1;
            analysis.pv.insert(0, mv);
            return Some(view(&analysis));
        }
        // What the analyst itself would play is another move.
        analysis.pv.clear();
        Some(view(&analysis))
    }

    /// Takes back turns until a person is to move again; whether there was one.
    fn undo(&mut self) -> bool {
        let mut count = 1;
        while count <= self.record.turns().len() {
            let earlier = self.record.without_last(count);
            let active = earlier.position().active();
            if active.players().any(|player| self.bots[player.index()].is_none()) {
                self.record = earlier;
                return true;
            }
            count += 1;
        }
        false
    }

    /// The game as a file holds it.
    fn text(&self) -> Result<String, Failure> {
        let mut saved = SavedGame::of(&self.record, &self.setup, self.names.clone());
        if let Some(player) = self.resigned {
            saved.outcome = Some(Outcome::Win(player.opponent()));
            saved.reason = Some("resignation".to_owned());
        }
        let mut text = serde_json::to_string(&saved).map_err(Failure::failed)?;
        text.push('\n');
        Ok(text)
    }

    pub(super) fn save(&self, file: &Path) -> Result<(), Failure> {
        fs::write(file, self.text()?).map_err(|error| Failure::failed(format!("{}: {error}", file.display())))
    }
}

fn texts<M: ToString>(moves: &[M]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}
