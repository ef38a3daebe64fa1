//! The options of bots: each declared once, with key, type, range, default and help, listed by the catalogue and read typed.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::SpecError;

/// What values an option takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// One of these words.
    Choice(Vec<&'static str>),
    /// A whole number in this range, both ends included.
    Integer(u64, u64),
    /// A number in this range, both ends included.
    Number(f64, f64),
    /// `true` or `false`.
    Flag,
    /// A text that the bot reads itself; this says what it is.
    Text(&'static str),
}

impl Values {
    /// Whether an option may be set to this text.
    pub fn accept(&self, text: &str) -> bool {
        match self {
            Values::Choice(words) => words.contains(&text),
            Values::Integer(min, max) => text.parse().is_ok_and(|n: u64| (min..=max).contains(&&n)),
            Values::Number(min, max) => text.parse().is_ok_and(|x: f64| (min..=max).contains(&&x)),
            Values::Flag => matches!(text, "true" | "false"),
            Values::Text(_) => true,
        }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Choice(words) => f.pad(&words.join("|")),
            Values::Integer(min, u64::MAX) => f.pad(&format!("{min}..")),
            Values::Integer(min, max) => f.pad(&format!("{min}..{max}")),
            Values::Number(min, max) => f.pad(&format!("{min} to {max}")),
            Values::Flag => f.pad("true|false"),
            Values::Text(what) => f.pad(what),
        }
    }
}

/// One option of a bot as the catalogue lists it.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionInfo {
    /// The key in the spec string.
    pub key: &'static str,
    /// What it may be set to.
    pub values: Values,
    /// What it is if it is not set; empty for options that are off unless given.
    pub default: String,
    /// One line on what it does.
    pub about: &'static str,
}

/// What kind of value an option has: how it is listed, and what it reads as.
pub trait Kind {
    /// What the option reads as.
    type Value;
    /// What it takes.
    fn values(&self) -> Values;
    /// What it is if it is not set; empty for off.
    fn default(&self) -> String;
    /// Reads what [`Values::accept`] has let through, or the default.
    fn read(&self, text: &str) -> Self::Value;
}

/// The declaration of an option, a constant: the catalogue lists it, and [`Options::get`] reads it.
///
/// ```
/// use agents::{BotInfo, Catalogue, Random, Range, Setting};
///
/// const PATIENCE: Setting<Range<u32>> = Setting::range("patience", 1..=9, 3, "turns before it gives up");
/// let info = BotInfo::<hus::Position>::new("random", "like `random`", |options| {
///     let turns: u32 = options.get(&PATIENCE);
///     assert_eq!(turns, 5);
///     Ok(Box::new(Random::new()))
/// });
/// let catalogue = Catalogue::new(vec![info.with(&[&PATIENCE])]);
/// assert!(catalogue.build("random:patience=5").is_ok());
/// let error = catalogue.build("random:patience=12").err().map(|error| error.to_string());
/// assert_eq!(error.as_deref(), Some("random: the option `patience` takes 1..9, found `12`"));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Setting<K> {
    key: &'static str,
    kind: K,
    about: &'static str,
}

impl<K: Kind> Setting<K> {
    /// The option's key.
    pub const fn key(&self) -> &'static str {
        self.key
    }
}

/// A number in a range.
#[derive(Debug, Clone, Copy)]
pub struct Range<T> {
    min: T,
    max: T,
    default: T,
}

/// A number in a range, or nothing unless it is set.
#[derive(Debug, Clone, Copy)]
pub struct Optional<T> {
    min: T,
    max: T,
}

/// One of some words, each of which stands for a value.
#[derive(Debug, Clone, Copy)]
pub struct Choice<T: 'static> {
    words: &'static [(&'static str, T)],
    default: &'static str,
}

/// `true` or `false`.
#[derive(Debug, Clone, Copy)]
pub struct Flag {
    default: bool,
}

/// A text, empty unless it is set or has a default.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    what: &'static str,
    default: &'static str,
}

impl<T: Copy> Setting<Range<T>> {
    /// A number in a range, both ends included.
    pub const fn range(key: &'static str, range: RangeInclusive<T>, default: T, about: &'static str) -> Self {
        Setting { key, kind: Range { min: *range.start(), max: *range.end(), default }, about }
    }

    /// The same option with another default.
    #[must_use]
    pub const fn with_default(self, default: T) -> Self {
        Setting { kind: Range { default, ..self.kind }, ..self }
    }
}

impl<T: Copy> Setting<Optional<T>> {
    /// A number in a range, both ends included, that is off unless it is set.
    pub const fn optional(key: &'static str, range: RangeInclusive<T>, about: &'static str) -> Self {
        Setting { key, kind: Optional { min: *range.start(), max: *range.end() }, about }
    }
}

impl<T> Setting<Choice<T>> {
    /// One of some words.
    pub const fn choice(
        key: &'static str,
        words: &'static [(&'static str, T)],
        default: &'static str,
        about: &'static str,
    ) -> Self {
        assert!(!words.is_empty(), "a choice among no words");
        Setting { key, kind: Choice { words, default }, about }
    }

    /// The same option with another default.
    #[must_use]
    pub const fn with_default(self, default: &'static str) -> Self {
        Setting { key: self.key, kind: Choice { words: self.kind.words, default }, about: self.about }
    }
}

impl Setting<Flag> {
    /// `true` or `false`.
    pub const fn flag(key: &'static str, default: bool, about: &'static str) -> Self {
        Setting { key, kind: Flag { default }, about }
    }

    /// The same option with another default.
    #[must_use]
    pub const fn with_default(self, default: bool) -> Self {
        Setting { kind: Flag { default }, ..self }
    }
}

impl Setting<Text> {
    /// A text that the bot reads itself; `what` says what it is.
    pub const fn text(
        key: &'static str,
        what: &'static str,
        default: &'static str,
        about: &'static str,
    ) -> Self {
        Setting { key, kind: Text { what, default }, about }
    }
}

/// A number that an option can hold.
pub trait Number: Copy + fmt::Display + FromStr {
    /// How a range of such numbers is listed.
    fn values(min: Self, max: Self) -> Values;
}

macro_rules! whole_numbers {
    ($($number:ty),*) => {
        $(impl Number for $number {
            fn values(min: Self, max: Self) -> Values {
                Values::Integer(min as u64, max as u64)
            }
        })*
    };
}

whole_numbers!(u8, u32, u64, usize);

impl Number for f64 {
    fn values(min: Self, max: Self) -> Values {
        Values::Number(min, max)
    }
}

impl<T: Number> Kind for Range<T> {
    type Value = T;

    fn values(&self) -> Values {
        T::values(self.min, self.max)
    }

    fn default(&self) -> String {
        self.default.to_string()
    }

    fn read(&self, text: &str) -> T {
        text.parse().unwrap_or(self.default)
    }
}

impl<T: Number> Kind for Optional<T> {
    type Value = Option<T>;

    fn values(&self) -> Values {
        T::values(self.min, self.max)
    }

    fn default(&self) -> String {
        String::new()
    }

    fn read(&self, text: &str) -> Option<T> {
        text.parse().ok()
    }
}

impl<T: Copy> Kind for Choice<T> {
    type Value = T;

    fn values(&self) -> Values {
        Values::Choice(self.words.iter().map(|&(word, _)| word).collect())
    }

    fn default(&self) -> String {
        self.default.to_owned()
    }

    fn read(&self, text: &str) -> T {
        let found = self.words.iter().find(|(word, _)| *word == text);
        found.unwrap_or(&self.words[0]).1
    }
}

impl Kind for Flag {
    type Value = bool;

    fn values(&self) -> Values {
        Values::Flag
    }

    fn default(&self) -> String {
        self.default.to_string()
    }

    fn read(&self, text: &str) -> bool {
        text == "true"
    }
}

impl Kind for Text {
    type Value = String;

    fn values(&self) -> Values {
        Values::Text(self.what)
    }

    fn default(&self) -> String {
        self.default.to_owned()
    }

    fn read(&self, text: &str) -> String {
        text.to_owned()
    }
}

/// Any declared option, for lists of them.
pub trait Declared {
    /// The option as the catalogue lists it.
    fn info(&self) -> OptionInfo;
}

impl<K: Kind> Declared for Setting<K> {
    fn info(&self) -> OptionInfo {
        OptionInfo {
            key: self.key,
            values: self.kind.values(),
            default: self.kind.default(),
            about: self.about,
        }
    }
}

/// The options of one bot as its spec string set them, checked against what it declares.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    bot: &'static str,
    infos: &'a [OptionInfo],
    set: &'a [(String, String)],
}

impl<'a> Options<'a> {
    pub(crate) fn new(bot: &'static str, infos: &'a [OptionInfo], set: &'a [(String, String)]) -> Self {
        Options { bot, infos, set }
    }

    fn set_text(&self, key: &str) -> Option<&'a str> {
        self.set.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// The value of an option: as set, else the default with which the bot lists it, else its own.
    pub fn get<K: Kind>(&self, setting: &Setting<K>) -> K::Value {
        let Setting { key, kind, .. } = setting;
        let listed = || self.infos.iter().find(|info| info.key == *key).map(|info| info.default.as_str());
        match self.set_text(key).or_else(listed) {
            Some(text) => kind.read(text),
            None => kind.read(&kind.default()),
        }
    }

    /// The value of an option if the spec string sets it.
    pub fn set<K: Kind>(&self, setting: &Setting<K>) -> Option<K::Value> {
        self.set_text(setting.key).map(|text| setting.kind.read(text))
    }

    /// The error of a text that is not what the option takes.
    pub fn wrong<K: Kind>(&self, setting: &Setting<K>, expected: impl fmt::Display) -> SpecError {
        let found = self.set_text(setting.key).unwrap_or_default().to_owned();
        SpecError::Value { bot: self.bot, key: setting.key, expected: expected.to_string(), found }
    }

    /// The error of options that do not fit together, or of a bot that cannot be made.
    pub fn misfit(&self, problem: impl fmt::Display) -> SpecError {
        SpecError::Together { bot: self.bot, problem: problem.to_string() }
    }
}
