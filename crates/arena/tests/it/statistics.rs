//! The test vectors of the statistics, to 1e-6 or to the digits given.

use arena::statistics::{
    Cluster, Decision, ErrorModel, Pentanomial, Ratings, RatingsError, RatingsOptions, Sample, Sprt,
    SprtModel, elo_estimate, elo_interval, los, nelo_estimate, rate,
};

fn near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() < tolerance, "{what}: found {found}, expected {expected}");
}

struct Row {
    sample: Sample,
    elos: (f64, f64),
    mean: f64,
    elo: Option<(f64, f64)>,
    nelo: Option<(f64, f64)>,
    los: Option<f64>,
    llr_normalized: f64,
    llr_logistic: f64,
}

fn pairs(counts: [u64; 5]) -> Sample {
    Sample::pairs(counts)
}

#[test]
fn one_pairing() {
    let rows = [
        Row {
            sample: pairs([10, 20, 50, 40, 15]),
            elos: (0.0, 5.0),
            mean: 0.555556,
            elo: Some((38.764005, 31.711765)),
            nelo: Some((51.226582, 41.441981)),
            los: Some(0.992298),
            llr_normalized: 0.524522,
            llr_logistic: 0.663827,
        },
        Row {
            sample: pairs([2, 30, 120, 60, 8]),
            elos: (0.0, 10.0),
            mean: 0.547727,
            elo: Some((33.265586, 17.264720)),
            nelo: Some((62.986822, 32.463553)),
            los: Some(0.999928),
            llr_normalized: 2.038633,
            llr_logistic: 3.517242,
        },
        Row {
            sample: pairs([5, 12, 60, 70, 53]),
            elos: (0.0, 10.0),
            mean: 0.692500,
            elo: Some((141.029863, 28.027338)),
            nelo: Some((191.372936, 34.048062)),
            los: Some(1.000000),
            llr_normalized: 4.587306,
            llr_logistic: 4.958355,
        },
        Row {
            sample: pairs([39, 8843, 26675, 9240, 44]),
            elos: (0.5, 2.5),
            mean: 0.502269,
            elo: Some((1.576763, 1.030314)),
            nelo: Some((3.479956, 2.273892)),
            los: Some(0.998648),
            llr_normalized: 2.941675,
            llr_logistic: 0.555517,
        },
        Row {
            sample: pairs([0, 3, 20, 9, 0]),
            elos: (-5.0, 5.0),
            mean: 0.546875,
            elo: Some((32.668019, 35.525555)),
            nelo: Some((79.017071, 85.120154)),
            los: Some(0.965577),
            llr_normalized: 0.395428,
            llr_logistic: 0.888968,
        },
        Row {
            sample: pairs([0, 0, 25, 0, 25]),
            elos: (0.0, 10.0),
            mean: 0.75,
            elo: Some((190.848502, 65.540851)),
            nelo: Some((245.674059, 68.096123)),
            los: Some(1.0),
            llr_normalized: 1.402764,
            llr_logistic: 1.418374,
        },
        Row {
            sample: pairs([0, 0, 0, 0, 50]),
            elos: (0.0, 10.0),
            mean: 1.0,
            elo: None,
            nelo: None,
            los: None,
            llr_normalized: 1.993286,
            llr_logistic: 1.418464,
        },
        Row {
            sample: Sample::games([300, 500, 400]),
            elos: (0.0, 5.0),
            mean: 0.541667,
            elo: Some((29.020267, 15.038093)),
            nelo: Some((38.136010, 19.657658)),
            los: Some(0.999928),
            llr_normalized: 1.760212,
            llr_logistic: 2.255572,
        },
    ];
    for (number, row) in rows.iter().enumerate() {
        let what = |part: &str| format!("row {number}, {part}");
        near(row.sample.mean().unwrap(), row.mean, 1e-6, &what("mean"));
        let elo = elo_estimate(&row.sample).map(|estimate| (estimate.value, estimate.error));
        assert_eq!(elo.is_some(), row.elo.is_some(), "{}", what("Elo"));
        if let (Some(found), Some(expected)) = (elo, row.elo) {
            near(found.0, expected.0, 1e-6, &what("Elo"));
            near(found.1, expected.1, 1e-6, &what("error of Elo"));
        }
        let nelo = nelo_estimate(&row.sample).map(|estimate| (estimate.value, estimate.error));
        assert_eq!(nelo.is_some(), row.nelo.is_some(), "{}", what("nElo"));
        if let (Some(found), Some(expected)) = (nelo, row.nelo) {
            near(found.0, expected.0, 1e-6, &what("nElo"));
            near(found.1, expected.1, 1e-6, &what("error of nElo"));
        }
        assert_eq!(los(&row.sample).is_some(), row.los.is_some(), "{}", what("LOS"));
        if let (Some(found), Some(expected)) = (los(&row.sample), row.los) {
            near(found, expected, 1e-6, &what("LOS"));
        }
        let test = Sprt::new(row.elos.0, row.elos.1);
        near(test.llr(&row.sample), row.llr_normalized, 1e-6, &what("LLR, normalized"));
        let test = Sprt { model: SprtModel::Logistic, ..test };
        near(test.llr(&row.sample), row.llr_logistic, 1e-6, &what("LLR, logistic"));
    }
}

#[test]
fn the_test_decides_at_its_bounds() {
    let test: Sprt = "0,10".parse().unwrap();
    let (lower, upper) = test.bounds();
    near(lower, -2.944438979166, 1e-10, "lower bound");
    near(upper, 2.944438979166, 1e-10, "upper bound");
    assert_eq!(test.decide(&pairs([5, 12, 60, 70, 53])), Some(Decision::Accepted));
    assert_eq!(test.decide(&pairs([53, 70, 60, 12, 5])), Some(Decision::Rejected));
    assert_eq!(test.decide(&pairs([2, 30, 120, 60, 8])), None);
    assert_eq!(test.llr(&pairs([0; 5])), 0.0);
    for (text, part) in
        [("0", "comma"), ("x,10", "elo0"), ("0,1e9", "elo1"), ("10,0", "below"), ("0,nan", "elo1")]
    {
        let error = text.parse::<Sprt>().unwrap_err().to_string();
        assert!(error.contains(part) && error.contains(text), "{error}");
    }
}

/// W-D-L of the first-named, who moves first, as clusters of one game each.
fn set_t() -> Vec<Cluster> {
    let (ab, mcts, greedy, random) = (0, 1, 2, 3);
    let table: [(usize, usize, [u32; 3]); 12] = [
        (ab, mcts, [12, 3, 5]),
        (mcts, ab, [6, 4, 10]),
        (ab, greedy, [17, 1, 2]),
        (greedy, ab, [3, 2, 15]),
        (ab, random, [20, 0, 0]),
        (random, ab, [0, 0, 20]),
        (mcts, greedy, [13, 3, 4]),
        (greedy, mcts, [5, 3, 12]),
        (mcts, random, [19, 1, 0]),
        (random, mcts, [0, 1, 19]),
        (greedy, random, [16, 2, 2]),
        (random, greedy, [3, 1, 16]),
    ];
    let cluster = |(first, second, counts): (usize, usize, [u32; 3])| {
        [1.0, 0.5, 0.0].into_iter().zip(counts).filter(|&(_, count)| count > 0).map(move |(score, count)| {
            Cluster { players: [first, second], scores: [Some(score), None], count: f64::from(count) }
        })
    };
    table.into_iter().flat_map(cluster).collect()
}

fn check(ratings: &Ratings, expected: &[f64], errors: &[f64], model: ErrorModel, tolerance: f64) {
    for player in 0..expected.len() {
        near(ratings.ratings()[player], expected[player], tolerance, &format!("rating {player}"));
        near(ratings.error(player, model), errors[player], tolerance, &format!("error {player}"));
    }
    near(ratings.ratings().iter().sum(), 0.0, 1e-9, "sum");
}

#[test]
fn joint_ratings_of_single_games() {
    let games = set_t();
    let plain = RatingsOptions { advantage: false, prior: 0.0 };
    let ratings = rate(4, &games, plain).unwrap();
    let expected = [261.5913, 149.5541, -30.8794, -380.2661];
    check(&ratings, &expected, &[71.6137, 64.3658, 62.5190, 99.5594], ErrorModel::Fisher, 5e-5);
    check(&ratings, &expected, &[61.3434, 55.4472, 61.6702, 84.4125], ErrorModel::Robust, 5e-5);
    assert_eq!((ratings.advantage(), ratings.advantage_error(ErrorModel::Fisher)), (None, None));

    let free = rate(4, &games, RatingsOptions { advantage: true, prior: 0.0 }).unwrap();
    let expected = [262.7980, 150.1736, -31.1250, -381.8466];
    check(&free, &expected, &[71.9830, 64.5603, 62.6214, 99.9457], ErrorModel::Fisher, 5e-5);
    near(free.advantage().unwrap(), 27.1840, 5e-5, "h");
    near(free.advantage_error(ErrorModel::Fisher).unwrap(), 63.7470, 5e-5, "error of h");

    let prior = rate(4, &games, RatingsOptions { advantage: false, prior: 2.0 }).unwrap();
    let expected = [251.4563, 142.8607, -31.3857, -362.9313];
    check(&prior, &expected, &[69.3441, 62.4269, 60.6421, 93.8786], ErrorModel::Fisher, 5e-5);

    let both = rate(4, &games, RatingsOptions::default()).unwrap();
    let expected = [252.5074, 143.4009, -31.5988, -364.3095];
    check(&both, &expected, &[69.6575, 62.5957, 60.7352, 94.2121], ErrorModel::Fisher, 5e-5);
    near(both.advantage().unwrap(), 25.7406, 5e-5, "h");
    near(both.advantage_error(ErrorModel::Fisher).unwrap(), 62.0040, 5e-5, "error of h");
}

type Pairs = [(f64, f64); 10];
const X_Y: Pairs = [
    (1.0, 0.5),
    (1.0, 0.0),
    (1.0, 1.0),
    (0.5, 0.5),
    (0.0, 1.0),
    (1.0, 0.5),
    (1.0, 1.0),
    (0.0, 0.0),
    (0.5, 1.0),
    (1.0, 0.0),
];
const X_Z: Pairs = [
    (1.0, 1.0),
    (1.0, 1.0),
    (1.0, 0.5),
    (0.0, 1.0),
    (1.0, 1.0),
    (1.0, 0.0),
    (1.0, 1.0),
    (0.5, 0.5),
    (1.0, 1.0),
    (1.0, 1.0),
];
const Y_Z: Pairs = [
    (1.0, 0.0),
    (1.0, 1.0),
    (0.5, 1.0),
    (1.0, 0.5),
    (0.0, 1.0),
    (1.0, 1.0),
    (0.0, 0.0),
    (1.0, 1.0),
    (1.0, 0.5),
    (1.0, 0.0),
];

#[test]
fn joint_ratings_of_pairs() {
    let all = [([0, 1], X_Y), ([0, 2], X_Z), ([1, 2], Y_Z)];
    let pairs: Vec<Cluster> = all
        .iter()
        .flat_map(|&(players, results)| {
            results.map(|(first, second)| Cluster {
                players,
                scores: [Some(first), Some(second)],
                count: 1.0,
            })
        })
        .collect();
    let single: Vec<Cluster> = pairs
        .iter()
        .flat_map(|pair| {
            [
                Cluster { scores: [pair.scores[0], None], ..*pair },
                Cluster { scores: [None, pair.scores[1]], ..*pair },
            ]
        })
        .collect();
    let options = RatingsOptions { advantage: false, prior: 0.0 };
    let expected = [116.700736, 13.110025, -129.810761];
    let by_pair = rate(3, &pairs, options).unwrap();
    check(&by_pair, &expected, &[82.156564, 76.447238, 83.835161], ErrorModel::Fisher, 1e-6);
    check(&by_pair, &expected, &[67.277817, 66.633210, 72.523773], ErrorModel::Robust, 1e-6);
    let by_game = rate(3, &single, options).unwrap();
    check(&by_game, &expected, &[69.785665, 68.609263, 73.911335], ErrorModel::Robust, 1e-6);
    let (difference, error) = by_pair.difference(0, 1, ErrorModel::Robust);
    near(difference, 103.590711, 1e-6, "X-Y");
    near(error, 112.573892, 1e-6, "error of X-Y");

    for ((_, results), counts) in all.iter().zip([[1, 0, 4, 3, 2], [0, 0, 3, 1, 6], [1, 0, 3, 3, 3]]) {
        let mut pentanomial = Pentanomial::default();
        for &(first, second) in results {
            pentanomial.add((2.0 * first) as u8, (2.0 * second) as u8, 1);
        }
        assert_eq!(pentanomial.counts(), counts);
    }
}

#[test]
fn what_cannot_be_rated_is_an_error_and_the_prior_mends_it() {
    let sweep = [Cluster { players: [0, 1], scores: [Some(1.0), Some(1.0)], count: 1000.0 }];
    let plain = RatingsOptions { advantage: true, prior: 0.0 };
    assert_eq!(rate(2, &sweep, plain), Err(RatingsError::Unbounded));
    assert_eq!(rate(3, &sweep, plain), Err(RatingsError::Unbounded));
    assert_eq!(rate(3, &[], plain), Err(RatingsError::Unbounded));
    assert_eq!(rate(1, &sweep, plain), Err(RatingsError::UnknownPlayer(1)));
    let ratings = rate(3, &sweep, RatingsOptions::default()).unwrap();
    assert!(ratings.ratings().iter().all(|rating| rating.is_finite()));
    assert!(ratings.ratings()[0] > 300.0 && ratings.ratings()[1] < -300.0);
    assert!((0..3).all(|player| ratings.error(player, ErrorModel::Fisher).is_finite()));
    assert!(rate(2, &[], RatingsOptions::default()).is_ok());
}

#[test]
fn no_interval_is_infinite() {
    for ww in 0..4 {
        for ll in 0..4 {
            for wd in 0..3 {
                let sample = pairs([ll, 0, 1, wd, ww]);
                let interval = elo_interval(&sample);
                assert!(interval.low.is_none_or(f64::is_finite) && interval.high.is_none_or(f64::is_finite));
            }
        }
    }
    assert_eq!(elo_interval(&pairs([0; 5])).low, None);
}
