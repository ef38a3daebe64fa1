//! Tuning in pieces: games of self-play are played anywhere, the weights are fitted to what was collected, and where there is another
//! generation its games are played with the new weights.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use agents::tuning::Tuning;
use arena::{Control, Digest};
use gamesearch::pieces::{
    Collection, Description, Kind, Machines, Next, Wave, Work, sealed_line, unsealed_line,
};
use gamesearch::{App, Failure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::selfplay::{self, Sample, SelfPlay};
use super::{fit, write_results};
use crate::games::{Developed, Visitor, with_game};

/// The kind `tune`.
pub(crate) struct TuneKind;

/// What a file of this kind holds, besides its kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    game: String,
    games: u64,
    nodes: u64,
    opening: u32,
    pull: f64,
    seed: u64,
    /// How often games are played and weights fitted; each time with the weights of the time before.
    generations: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            game: String::new(),
            games: 400,
            nodes: 2000,
            opening: 6,
            pull: 1e-4,
            seed: 1,
            generations: 1,
        }
    }
}

impl Kind for TuneKind {
    fn name(&self) -> &'static str {
        "tune"
    }

    fn open(&self, _: &App, description: &Description) -> Result<Box<dyn Work>, Failure> {
        let wrong = |problem: String| Failure::usage(format!("{}: {problem}", description.name));
        let settings: Settings =
            toml::from_str(&description.text).map_err(|error| wrong(error.to_string()))?;
        if settings.game.is_empty() {
            return Err(wrong("expected a game, such as game = \"hus\"".to_owned()));
        }
        if settings.games == 0 || settings.generations == 0 {
            return Err(wrong("games and generations are numbers from 1".to_owned()));
        }
        with_game(&settings.game.clone(), Open(settings))?
    }
}

struct Open(Settings);

impl Visitor for Open {
    type Output = Result<Box<dyn Work>, Failure>;

    fn visit<G: Developed>(self) -> Self::Output {
        let work = Generations::<G> { settings: self.0, game: PhantomData };
        Generations::<G>::tuning(None)?;
        Ok(Box::new(work))
    }
}

/// The work: generation after generation of games.
struct Generations<G> {
    settings: Settings,
    game: PhantomData<fn() -> G>,
}

/// What a piece says of its games.
#[derive(Debug, Serialize, Deserialize)]
struct Content {
    weights: Vec<i32>,
    games: Range<u64>,
}

impl<G: Developed> Generations<G> {
    /// The evaluation, with other weights if some are given.
    fn tuning(weights: Option<&[i32]>) -> Result<Tuning<G>, Failure> {
        let mut tuning = G::tuning().ok_or_else(|| {
            Failure::usage(format!("the champion of {} has no evaluation that is a weighted sum", G::NAME))
        })?;
        if let Some(weights) = weights {
            if weights.len() != tuning.weights.len() {
                let (expected, found) = (tuning.weights.len(), weights.len());
                return Err(Failure::usage(format!("expected {expected} weights, found {found}")));
            }
            tuning.weights = weights.to_vec();
        }
        Ok(tuning)
    }

    fn self_play(&self) -> SelfPlay {
        let Settings { games, nodes, opening, seed, .. } = self.settings;
        SelfPlay { games, nodes, opening, seed, jobs: 1 }
    }

    /// The games of a generation, as units from its first one on.
    fn wave(&self, generation: u64, weights: Vec<i32>) -> Wave<'_> {
        let games = self.settings.games;
        let first = generation * games;
        let content = move |units: Range<u64>| {
            json!(Content { weights: weights.clone(), games: units.start - first..units.end - first })
        };
        Wave { units: first..first + games, content: Box::new(content) }
    }
}

impl<G: Developed> Work for Generations<G> {
    fn id(&self) -> Digest {
        let tuning = Self::tuning(None);
        let (features, weights) =
            tuning.map(|tuning| (tuning.features.names(), tuning.weights)).unwrap_or_default();
        let settings = json!(self.settings).to_string();
        Digest::of(&["tune", env!("CARGO_PKG_VERSION"), &settings, &json!([features, weights]).to_string()])
    }

    fn description(&self) -> Result<String, Failure> {
        toml::to_string(&self.settings).map_err(Failure::failed)
    }

    fn about(&self) -> String {
        let Settings { games, generations, .. } = self.settings;
        format!("{games} games of self-play of {} in each of {generations} generations", G::NAME)
    }

    fn units(&self) -> &'static str {
        "games"
    }

    fn games(&self) -> Vec<String> {
        vec![G::NAME.to_owned()]
    }

    fn bots(&self, _: &str) -> Vec<String> {
        // The games are played by the champion's evaluation.
        vec!["champion".to_owned()]
    }

    fn first(&self, _: u64) -> Result<Wave<'_>, Failure> {
        Ok(self.wave(0, Self::tuning(None)?.weights))
    }

    fn play(
        &self,
        content: &Value,
        jobs: usize,
        control: &Control,
        told: &(dyn Fn() + Sync),
    ) -> Result<Option<Vec<String>>, Failure> {
        let Content { weights, games } = serde_json::from_value(content.clone())
            .map_err(|error| Failure::usage(format!("the content of the piece: {error}")))?;
        let next = AtomicU64::new(games.start);
        let lines: Mutex<BTreeMap<u64, String>> = Mutex::default();
        let work = || -> Result<(), Failure> {
            let tuning = Self::tuning(Some(&weights))?;
            loop {
                let game = next.fetch_add(1, Ordering::Relaxed);
                if game >= games.end || control.is_interrupted() {
                    return Ok(());
                }
                let sample = selfplay::play::<G>(&self.self_play(), &tuning, game)?;
                let line = sealed_line(&sample)?;
                lines.lock().unwrap_or_else(PoisonError::into_inner).insert(game, line);
                told();
            }
        };
        let played: Result<(), Failure> = std::thread::scope(|scope| {
            let running: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
            let ended = |worker: std::thread::ScopedJoinHandle<'_, Result<(), Failure>>| {
                worker.join().unwrap_or_else(|_| Err(Failure::failed("a game of self-play panicked")))
            };
            running.into_iter().try_for_each(ended)
        });
        played?;
        let lines = lines.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((lines.len() as u64 == games.end - games.start).then(|| lines.into_values().collect()))
    }

    fn collection<'a>(&'a self, out: &Path) -> Result<Box<dyn Collection + 'a>, Failure> {
        let fail = Failure::cannot("use the folder", &out);
        fs::create_dir_all(out).map_err(fail)?;
        let lock = File::create(out.join("collect.lock")).map_err(fail)?;
        if lock.try_lock().is_err() {
            return Err(Failure::in_use(format!("{} is in use by another program", out.display())));
        }
        let mut weights = Self::tuning(None)?.weights;
        let mut generation = 0;
        loop {
            let folder = out.join(format!("generation-{}", generation + 1));
            fs::create_dir_all(&folder).map_err(fail)?;
            let tuning = Self::tuning(Some(&weights))?;
            let (samples, file) = selfplay::open(&self.self_play(), &tuning, &folder)?;
            let current = Generation { number: generation, folder, tuning, samples, file };
            match current.fitted(self)? {
                Some(better) if generation + 1 < self.settings.generations => {
                    weights = better;
                    generation += 1;
                }
                _ => return Ok(Box::new(Samples { work: self, current: Mutex::new(current), _lock: lock })),
            }
        }
    }
}

/// A generation whose games are collected.
struct Generation<G: Developed> {
    number: u64,
    folder: PathBuf,
    tuning: Tuning<G>,
    samples: BTreeMap<u64, Sample>,
    file: File,
}

impl<G: Developed> Generation<G> {
    fn is_whole(&self, work: &Generations<G>) -> bool {
        (0..work.settings.games).all(|game| self.samples.contains_key(&game))
    }

    /// The new weights, written into the folder too, once all games are there.
    fn fitted(&self, work: &Generations<G>) -> Result<Option<Vec<i32>>, Failure> {
        if !self.is_whole(work) {
            return Ok(None);
        }
        let samples: Vec<Sample> =
            self.samples.range(..work.settings.games).map(|(_, sample)| sample.clone()).collect();
        let fit = fit(&samples, &self.tuning, work.settings.pull)?;
        write_results(&self.folder, &self.tuning, &fit)?;
        Ok(Some(fit.weights))
    }
}

struct Samples<'a, G: Developed> {
    work: &'a Generations<G>,
    current: Mutex<Generation<G>>,
    _lock: File,
}

impl<G: Developed> Collection for Samples<'_, G> {
    fn has(&self, units: Range<u64>) -> bool {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let first = current.number * self.work.settings.games;
        // Earlier generations are whole, or there would be no later one.
        units.into_iter().all(|unit| unit < first || current.samples.contains_key(&(unit - first)))
    }

    fn take(&self, units: Range<u64>, lines: &[&str]) -> Result<Option<String>, Failure> {
        let read = |line: &&str| -> Result<Sample, String> {
            serde_json::from_str(&unsealed_line(line)?).map_err(|error| error.to_string())
        };
        let samples = match lines.iter().map(read).collect::<Result<Vec<Sample>, String>>() {
            Ok(samples) => samples,
            Err(problem) => return Ok(Some(problem)),
        };
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let first = current.number * self.work.settings.games;
        let Some(games) = units.start.checked_sub(first).map(|start| start..units.end - first) else {
            return Ok(Some("it belongs to an earlier generation".to_owned()));
        };
        if !samples.iter().map(|sample| sample.game).eq(games.clone()) {
            return Ok(Some(format!("expected the games {} to {}", games.start, games.end - 1)));
        }
        let width = current.tuning.weights.len();
        if samples.iter().flat_map(|sample| &sample.rows).any(|row| row.len() != width) {
            return Ok(Some(format!("expected rows of {width} features")));
        }
        for sample in samples {
            if !current.samples.contains_key(&sample.game) {
                let line = format!("{}\n", json!(sample));
                current
                    .file
                    .write_all(line.as_bytes())
                    .map_err(Failure::cannot("write into", &current.folder))?;
                current.samples.insert(sample.game, sample);
            }
        }
        Ok(None)
    }

    fn finish(&mut self, _: &Machines) -> Result<Vec<String>, Failure> {
        let current = self.current.get_mut().unwrap_or_else(PoisonError::into_inner);
        current.file.sync_all().map_err(Failure::failed)?;
        let (number, all) = (current.number + 1, self.work.settings.games);
        let whole = current.fitted(self.work)?.is_some();
        let written = if whole {
            format!("; weights.txt, log.csv and loss.svg are in {}", current.folder.display())
        } else {
            String::new()
        };
        Ok(vec![format!("generation {number}: {} of {all} games{written}", current.samples.len())])
    }

    fn next(&self, given: u64, _: u64, _: u64) -> Result<Next<'_>, Failure> {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let Settings { games, generations, .. } = self.work.settings;
        if given == current.number * games {
            // Killed before the pieces of this generation were written.
            return Ok(Next::Wave(self.work.wave(current.number, current.tuning.weights.clone())));
        }
        if !current.is_whole(self.work) {
            return Ok(Next::Wait);
        }
        if current.number + 1 == generations {
            return Ok(Next::Done);
        }
        let Some(weights) = current.fitted(self.work)? else { return Ok(Next::Wait) };
        Ok(Next::Wave(self.work.wave(current.number + 1, weights)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(generations: u64) -> Generations<hus::Position> {
        let settings =
            Settings { game: "hus".to_owned(), games: 8, nodes: 30, generations, ..Settings::default() };
        Generations { settings, game: PhantomData }
    }

    /// Plays units of a wave as pieces of three.
    fn play(work: &Generations<hus::Position>, wave: &Wave<'_>) -> Vec<(Range<u64>, Vec<String>)> {
        let starts = wave.units.clone().step_by(3);
        let pieces = starts.map(|start| start..(start + 3).min(wave.units.end));
        let played = pieces.map(|units| {
            let content = (wave.content)(units.clone());
            let lines = work.play(&content, 2, &Control::default(), &|| {}).unwrap().unwrap();
            (units, lines)
        });
        played.collect()
    }

    fn collect(
        work: &Generations<hus::Position>,
        out: &Path,
        results: &[(Range<u64>, Vec<String>)],
    ) -> Option<Range<u64>> {
        let mut collection = work.collection(out).unwrap();
        for (units, lines) in results {
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            assert_eq!(collection.take(units.clone(), &lines).unwrap(), None);
        }
        collection.finish(&Machines::default()).unwrap();
        let given = results.last().map_or(0, |(units, _)| units.end);
        match collection.next(given, 3, 0).unwrap() {
            Next::Done => None,
            Next::Wait => panic!("more to do, and nothing to work on"),
            Next::Wave(wave) => Some(wave.units),
        }
    }

    #[test]
    fn pieces_fit_the_weights_that_one_run_fits() {
        let (whole, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let work = work(1);
        let mut pieces = play(&work, &work.first(3).unwrap());
        pieces.reverse();
        let last = pieces.remove(0);
        pieces.push(last);
        assert_eq!(collect(&work, out.path(), &pieces), None);
        // The same by itself.
        let tuning = Generations::<hus::Position>::tuning(None).unwrap();
        let samples = selfplay::run::<hus::Position>(&work.self_play(), &tuning, whole.path()).unwrap();
        write_results(whole.path(), &tuning, &fit(&samples, &tuning, work.settings.pull).unwrap()).unwrap();
        for name in ["weights.txt", "log.csv"] {
            let read = |folder: PathBuf| fs::read_to_string(folder.join(name)).unwrap();
            assert_eq!(read(out.path().join("generation-1")), read(whole.path().to_owned()), "{name}");
        }
    }

    #[test]
    fn a_generation_plays_with_the_weights_of_the_one_before() {
        let out = tempfile::tempdir().unwrap();
        let work = work(2);
        let first = play(&work, &work.first(3).unwrap());
        assert_eq!(collect(&work, out.path(), &first), Some(8..16));
        // Killed before the pieces were written, it hands the same ones out.
        let results = {
            let collection = work.collection(out.path()).unwrap();
            assert!(collection.has(0..8) && !collection.has(8..9));
            let Next::Wave(wave) = collection.next(8, 3, 0).unwrap() else { panic!("expected a wave") };
            let weights = fs::read_to_string(out.path().join("generation-1/weights.txt")).unwrap();
            let last = |line: &str| line.rsplit(' ').next().unwrap().parse().unwrap();
            let weights: Vec<i32> = weights.lines().skip(1).map(last).collect();
            assert_eq!((wave.content)(8..9)["weights"], json!(weights));
            play(&work, &wave)
        };
        assert_eq!(collect(&work, out.path(), &results), None);
        assert!(out.path().join("generation-2/weights.txt").exists());
        // Torn and begun again: what is whole stays.
        let path = out.path().join("generation-2/samples.jsonl");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 40]).unwrap();
        assert_eq!(collect(&work, out.path(), &results), None);
        assert_eq!(
            fs::read_to_string(&path).unwrap().lines().count(),
            1 + 8 + 1,
            "the torn line stays as it is"
        );
    }

    #[test]
    fn lines_of_other_games_are_refused() {
        let out = tempfile::tempdir().unwrap();
        let work = work(1);
        let pieces = play(&work, &work.first(3).unwrap());
        let collection = work.collection(out.path()).unwrap();
        let lines: Vec<&str> = pieces[0].1.iter().map(String::as_str).collect();
        let problem = collection.take(3..6, &lines).unwrap().unwrap();
        assert!(problem.contains("expected the games 3 to 5"), "{problem}");
        let problem = collection.take(0..1, &["{}"]).unwrap().unwrap();
        assert!(problem.contains("too short"), "{problem}");
    }
}
