//! The game of a class, with its limits and openings, before it is known who plays.

use std::path::PathBuf;
use std::str::FromStr;

use arena::sandbox::Sandbox;
use arena::{ClockKind, Contest, Event, ListedOpenings, MatchLimits, Openings, OpeningsChoice};

use super::settings::Settings;
use crate::Listed;
use crate::program::Failure;
use crate::program::bots::{self, Outside};
use crate::program::commands::tournament::balanced;

/// What a class needs of its game.
#[derive(Debug)]
pub(crate) struct Wanted<'a> {
    pub(crate) settings: &'a Settings,
    /// The folder of the class: openings are named from there.
    pub(crate) root: PathBuf,
    pub(crate) sandbox: Option<Sandbox>,
}

impl Wanted<'_> {
    /// The event, with the limits of every bot.
    pub(crate) fn contest<G: Listed>(&self) -> Result<(Box<dyn Contest>, MatchLimits), Failure> {
        let Settings { source, game, seed, .. } = self.settings;
        let limits = match self.settings.limits.as_ref().map(|given| (given, given.text())) {
            None => G::OFFICIAL.unwrap_or("movetime=1s").parse().map_err(Failure::failed)?,
            Some((given, "official")) => {
                let none = || {
                    let problem =
                        format!("{} has no official limits: give others, such as `movetime=1s`", G::NAME);
                    source.mistake(given, problem)
                };
                G::OFFICIAL.ok_or_else(none)?.parse().map_err(Failure::failed)?
            }
            Some((given, text)) => {
                text.parse().map_err(|error: arena::ParseLimitsError| source.mistake(given, error))?
            }
        };
        let mut setup = G::Setup::default();
        if let Some(given) = &self.settings.setup {
            setup = given.text().parse().map_err(|error: <G::Setup as FromStr>::Err| {
                source.mistake(given, format!("the set-up of {}: {error}", game.text()))
            })?;
        }
        let choice = self.settings.openings.as_ref();
        let openings = match choice.map(|given| (given, &given.value)) {
            None | Some((_, OpeningsChoice::Automatic)) => {
                balanced::<G>(&setup, *seed)?.unwrap_or_else(|| Openings::automatic(&setup))
            }
            Some((_, OpeningsChoice::Start)) => Openings::Start,
            Some((_, OpeningsChoice::Random(turns))) => Openings::Random(*turns),
            Some((given, OpeningsChoice::File(path))) => {
                let path = self.root.join(path);
                let text = std::fs::read_to_string(&path).map_err(|error| {
                    source.mistake(given, format!("cannot read {}: {error}", path.display()))
                })?;
                let listed = ListedOpenings::read("file", &setup, &text)
                    .map_err(|error| source.mistake(given, format!("{}: {error}", path.display())))?;
                Openings::Listed(listed.shuffled(*seed))
            }
        };
        let outside = Outside {
            margin: self.settings.margin(),
            memory_mib: Some(self.settings.memory),
            counted: ClockKind::Wall,
            sandbox: self.sandbox.clone(),
        };
        let catalogue = G::catalogue();
        for spec in self.settings.references.values().filter(|spec| !bots::is_program::<G>(spec.text())) {
            bots::own(&catalogue, spec.text()).map_err(|error| source.mistake(spec, error))?;
        }
        let event = Event::<G>::new(move |spec| bots::build(&catalogue, spec, &outside))
            .with_drawer(G::draw)
            .with_outside(bots::is_program::<G>)
            .with_setup(setup)
            .with_openings(openings);
        Ok((Box::new(event), limits))
    }
}
