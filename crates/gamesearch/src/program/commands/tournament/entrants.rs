//! The bots of a tournament, as options and files name them.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error as _, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::given::{Given, LimitsChoice};

/// A bot: `SPEC`, or `NAME=SPEC`; in a file also a table with limits of its own.
#[derive(Debug, Clone)]
pub(crate) struct Entrant {
    pub(crate) name: String,
    pub(crate) spec: Given<String>,
    pub(crate) limits: Option<Given<LimitsChoice>>,
}

/// What can be a name of its own.
fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['/', '@', '"', ','])
}

impl Entrant {
    /// Whether it can be called so. Without a name of its own a bot is called by its spec, whatever is in it.
    pub(super) fn has_fair_name(&self) -> bool {
        self.name == self.spec.value || is_name(&self.name)
    }

    /// An equals sign before any colon ends a name.
    fn new(given: &Given<String>) -> Result<Entrant, String> {
        let text = given.text();
        let (name, spec) = match text.split_once('=') {
            Some((name, spec)) if !name.contains(':') => {
                if spec.is_empty() || !is_name(name) {
                    return Err(format!(
                        "expected a bot as SPEC or NAME=SPEC, the name without any of / @ \" and comma, found `{text}`"
                    ));
                }
                (name, spec)
            }
            _ => (text, text),
        };
        Ok(Entrant { name: name.to_owned(), spec: given.with(spec.to_owned(), spec), limits: None })
    }
}

impl FromStr for Entrant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Entrant::new(&Given::from(text.to_owned()))
    }
}

/// `BOT@LIMITS`.
#[derive(Debug, Clone)]
pub(crate) struct BotLimits {
    pub(crate) bot: String,
    pub(crate) limits: Given<LimitsChoice>,
}

impl FromStr for BotLimits {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (bot, limits) = text
            .rsplit_once('@')
            .ok_or_else(|| format!("expected BOT@LIMITS, such as mcts@playouts=50, found `{text}`"))?;
        Ok(BotLimits { bot: bot.to_owned(), limits: limits.parse().map_err(|error| format!("{error}"))? })
    }
}

/// Writes bots as a file has them.
pub(super) fn write<S: Serializer>(bots: &[Entrant], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Written<'a> {
        spec: &'a Given<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        limits: &'a Option<Given<LimitsChoice>>,
    }
    let mut map = serializer.serialize_map(Some(bots.len()))?;
    for Entrant { name, spec, limits } in bots {
        map.serialize_entry(name, &Written { spec, limits })?;
    }
    map.end()
}

/// Reads a list of specs, or a table of bots by name.
pub(super) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Entrant>, D::Error> {
    struct Bots;

    impl<'de> Visitor<'de> for Bots {
        type Value = Vec<Entrant>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of spec strings, or a table of bots by name")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut bots = Vec::new();
            while let Some(spec) = list.next_element::<Given<String>>()? {
                bots.push(Entrant::new(&spec).map_err(A::Error::custom)?);
            }
            Ok(bots)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Self::Value, A::Error> {
            let mut bots = Vec::new();
            while let Some(name) = table.next_key::<Given<String>>()? {
                let BotValue { spec, limits } = table.next_value()?;
                // The place of the name is the bot's.
                bots.push(Entrant { spec: name.with(spec.clone(), &spec), name: name.value, limits });
            }
            Ok(bots)
        }
    }

    deserializer.deserialize_any(Bots)
}

/// What stands behind a bot's name: a spec, or a table.
struct BotValue {
    spec: String,
    limits: Option<Given<LimitsChoice>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BotTable {
    spec: Option<String>,
    command: Option<String>,
    limits: Option<Given<LimitsChoice>>,
}

impl<'de> Deserialize<'de> for BotValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Value;

        impl<'de> Visitor<'de> for Value {
            type Value = BotValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a spec string, or a table with `spec` or `command`, and maybe `limits`")
            }

            fn visit_str<E: serde::de::Error>(self, spec: &str) -> Result<BotValue, E> {
                Ok(BotValue { spec: spec.to_owned(), limits: None })
            }

            fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<BotValue, A::Error> {
                let BotTable { spec, command, limits } =
                    BotTable::deserialize(MapAccessDeserializer::new(table))?;
                let spec = match (spec, command) {
                    (Some(spec), None) => spec,
                    (None, Some(command)) => format!("ugi:{command}"),
                    _ => return Err(A::Error::custom("a bot needs either `spec` or `command`")),
                };
                Ok(BotValue { spec, limits })
            }
        }

        deserializer.deserialize_any(Value)
    }
}

impl Serialize for BotLimits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        format!("{}@{}", self.bot, self.limits.text()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for BotLimits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Given::<BotLimits>::deserialize(deserializer).map(|given| given.value)
    }
}
