//! The sparring partners of every game: this is the one list of who is for tuning and who is kept apart.

use std::fmt;

/// A sparring partner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Partner {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) purpose: Purpose,
    pub(crate) effort: Effort,
    pub(crate) spec: &'static str,
}

/// What sort of opponent it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Looks at what is before it, or at nothing.
    Simple,
    /// A search with other means than the champion's.
    Search,
    /// An entry of the contest.
    Contest,
    /// A champion with errors.
    Level,
    /// A champion with other settings, or of former days.
    Champion,
    /// Tuned to beat the champion and nothing else.
    Exploiter,
}

/// What a partner may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Changes may be chosen by games with it.
    Tuning,
    /// It only measures what was chosen without it.
    Measuring,
}

/// How much of the league's limits it has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Effort {
    /// How many times the limits.
    Times(f64),
    /// No limits but its own rule.
    Own,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Simple => "simple",
            Kind::Search => "search",
            Kind::Contest => "contest",
            Kind::Level => "level",
            Kind::Champion => "champion",
            Kind::Exploiter => "exploiter",
        })
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Purpose::Tuning => "tuning",
            Purpose::Measuring => "measuring",
        })
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effort::Times(share) => write!(f, "{share}"),
            Effort::Own => f.write_str("own rule"),
        }
    }
}

const fn partner(
    name: &'static str,
    kind: Kind,
    purpose: Purpose,
    share: f64,
    spec: &'static str,
) -> Partner {
    Partner { name, kind, purpose, effort: Effort::Times(share), spec }
}

const fn by_own_rule(name: &'static str, purpose: Purpose, spec: &'static str) -> Partner {
    Partner { name, kind: Kind::Contest, purpose, effort: Effort::Own, spec }
}

use Kind::{Champion, Contest, Exploiter, Level, Search, Simple};
use Purpose::{Measuring, Tuning};

pub(crate) const ROPASCI360: &[Partner] = &[
    partner("random", Simple, Measuring, 1.0, "random"),
    partner("greedy", Simple, Tuning, 1.0, "greedy"),
    partner("sparring", Contest, Tuning, 1.0, "sparring"),
    partner("older", Contest, Measuring, 1.0, "older"),
    by_own_rule("report", Measuring, "report"),
    by_own_rule("report-text", Measuring, "report:as=text"),
    partner("pessimist", Search, Tuning, 1.0, "alphabeta:width=12"),
    partner("alphabeta", Search, Measuring, 1.0, "alphabeta"),
    partner("alphabeta-4x", Search, Measuring, 4.0, "alphabeta"),
    partner("mcts", Search, Measuring, 1.0, "mcts"),
    partner("regret", Search, Tuning, 2.0, "mcts:select=regret,width=20"),
    partner("nash", Search, Tuning, 1.0, "nash:depth=1"),
    partner("nash-wide", Search, Measuring, 1.0, "nash:width=30"),
    partner("impatient-hasty", Champion, Tuning, 0.1, "champion:model=off,eager=on,width=10"),
    partner("impatient", Champion, Measuring, 1.0, "champion:model=off,eager=on,width=10"),
    partner("impatient-wide", Champion, Tuning, 1.0, "champion:model=off,eager=on,width=20"),
    partner("network", Champion, Measuring, 1.0, "champion:model=off,evaluation=network,width=10"),
    partner("exploiter", Exploiter, Measuring, 1.0, "champion:model=itself"),
    partner("exploiter-4x", Exploiter, Measuring, 4.0, "champion:model=itself"),
    partner("level-5", Level, Measuring, 1.0, "level:5"),
];

pub(crate) const EXPENDIBOTS: &[Partner] = &[
    partner("random", Simple, Measuring, 1.0, "random"),
    partner("greedy", Simple, Tuning, 1.0, "greedy"),
    by_own_rule("report", Measuring, "report"),
    partner("alphabeta", Search, Measuring, 1.0, "alphabeta"),
    partner("alphabeta-4x", Search, Measuring, 4.0, "alphabeta"),
    partner("mcts", Search, Tuning, 1.0, "mcts"),
    partner("minimax", Search, Tuning, 1.0, "minimax"),
    partner("hasty", Champion, Tuning, 0.1, "champion"),
    partner("first", Champion, Measuring, 1.0, "champion:weights=10/10/20/5/-2/2/5/4/3"),
    partner("full", Champion, Tuning, 1.0, "champion:lmr=false"),
    partner("patient", Champion, Measuring, 4.0, "champion"),
    partner("level-6", Level, Tuning, 1.0, "level:6"),
    partner("level-7", Level, Measuring, 1.0, "level:7"),
];

pub(crate) const HUS: &[Partner] = &[
    partner("random", Simple, Measuring, 1.0, "random"),
    partner("greedy", Simple, Tuning, 1.0, "greedy"),
    by_own_rule("report", Measuring, "report"),
    partner("alphabeta", Search, Measuring, 1.0, "alphabeta"),
    partner("alphabeta-4x", Search, Measuring, 4.0, "alphabeta"),
    partner("mcts", Search, Tuning, 1.0, "mcts"),
    partner("minimax", Search, Tuning, 1.0, "minimax"),
    partner("sum", Champion, Tuning, 1.0, "champion:evaluation=sum"),
    partner("proofless", Champion, Measuring, 1.0, "champion:proof=0"),
    partner("hasty", Champion, Tuning, 0.1, "champion"),
    partner("patient", Champion, Measuring, 4.0, "champion"),
    partner("level-7", Level, Measuring, 1.0, "level:7"),
];

pub(crate) const COLOSSEUM: &[Partner] = &[
    partner("random", Simple, Measuring, 1.0, "random"),
    partner("greedy", Simple, Tuning, 1.0, "greedy"),
    by_own_rule("report", Measuring, "report"),
    partner("alphabeta", Search, Measuring, 1.0, "alphabeta"),
    partner("alphabeta-4x", Search, Measuring, 4.0, "alphabeta"),
    partner("mcts", Search, Tuning, 1.0, "mcts"),
    partner("minimax", Search, Tuning, 1.0, "minimax"),
    partner("hasty", Champion, Tuning, 0.1, "champion"),
    partner("sum", Champion, Measuring, 1.0, "champion:evaluation=sum"),
    partner("steps", Champion, Tuning, 1.0, "champion:weights=20/0"),
    partner("full", Champion, Tuning, 1.0, "champion:lmr=false"),
    partner("patient", Champion, Measuring, 4.0, "champion"),
    partner("level-6", Level, Tuning, 1.0, "level:6"),
    partner("level-7", Level, Measuring, 1.0, "level:7"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::games::{Developed, Visitor, with_game};

    use super::*;

    struct Check;

    impl Visitor for Check {
        type Output = ();

        fn visit<G: Developed>(self) {
            let partners = G::league();
            let names: BTreeSet<&str> = partners.iter().map(|partner| partner.name).collect();
            assert_eq!(names.len(), partners.len(), "{}: every name once", G::NAME);
            for purpose in [Tuning, Measuring] {
                let of_it = partners.iter().filter(|partner| partner.purpose == purpose);
                assert!(of_it.count() >= 5, "{}: {purpose}", G::NAME);
            }
            for partner in partners {
                if let Err(error) = G::catalogue().build(partner.spec) {
                    panic!("{}: {}: {error}", G::NAME, partner.name);
                }
            }
        }
    }

    #[test]
    fn every_league_has_partners_of_both_purposes_that_can_be_built() {
        for game in gamesearch::contests::NAMES {
            with_game(game, Check).unwrap();
        }
    }
}
