//! A class of teams: their submissions, a ladder that plays for weeks, finals, grades, and pages to publish.

mod contest;
pub(crate) mod finals;
pub(crate) mod grades;
mod home;
mod intake;
pub(crate) mod ladder;
mod roster;
pub(crate) mod serve;
pub(crate) mod settings;
mod site;
pub(crate) mod template;
mod time;

pub(crate) use contest::Wanted;
pub(crate) use home::Home;
pub(crate) use ladder::{Ladder, Until};
pub(crate) use settings::Settings;
