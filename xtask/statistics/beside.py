"""Holds our statistics against scipy, and against choix, a published package for the Bradley-Terry model.

Nothing here knows how ours are computed: likelihoods are written down as they stand in a textbook and given to a general
optimiser, intervals come from scipy.stats.
"""

import json
import sys

import choix
import numpy as np
from scipy import optimize, stats

SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
NATURAL = np.log(10) / 400
Z = stats.norm.ppf(0.975)

worst: dict[str, float] = {}
wrong: list[str] = []


def same(what: str, ours: float, theirs: float, tolerance: float, where: str) -> None:
    distance = abs(ours - theirs) / max(1.0, abs(theirs))
    worst[what] = max(worst.get(what, 0.0), distance)
    if not distance <= tolerance:
        wrong.append(f"{what}: ours {ours}, theirs {theirs} ({where})")


def elo(score: float) -> float:
    return -np.log(1 / score - 1) / NATURAL


def likeliest(shares: np.ndarray, constraint) -> np.ndarray:
    """The distribution that makes the results likeliest under a constraint, by a general optimiser."""

    def loss(logits: np.ndarray) -> float:
        return -float(shares @ (logits - np.logaddexp.reduce(logits)))

    def slope(logits: np.ndarray) -> np.ndarray:
        return np.exp(logits - np.logaddexp.reduce(logits)) - shares

    def held(logits: np.ndarray) -> float:
        return constraint(np.exp(logits - np.logaddexp.reduce(logits)))

    found = optimize.minimize(
        loss,
        np.log(shares),
        jac=slope,
        method="SLSQP",
        constraints=[{"type": "eq", "fun": held}],
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    return np.exp(found.x - np.logaddexp.reduce(found.x))


def llr(counts: np.ndarray, constraint, values: tuple[float, float]) -> float:
    shares = counts / counts.sum()
    null, alternative = (likeliest(shares, lambda q, v=value: constraint(q) - v) for value in values)
    return float(counts @ (np.log(alternative) - np.log(null)))


def check_pairs(case: dict) -> None:
    where = f"counts {case['counts']}, {case['elo0']} against {case['elo1']}"
    counts = np.array(case["counts"], dtype=float)
    results = np.repeat(SCORES, case["counts"])
    mean, error = results.mean(), stats.sem(results, ddof=0)
    same("Elo", case["elo"][0], elo(mean), 1e-9, where)
    half = (elo(mean + Z * error) - elo(mean - Z * error)) / 2 if 0 < mean - Z * error and mean + Z * error < 1 else None
    if half is not None:
        same("error of Elo", case["elo"][1], half, 1e-9, where)
    normal = 2 / NATURAL / np.sqrt(2)
    same("normalized Elo", case["nelo"][0], normal * (mean - 0.5) / results.std(), 1e-9, where)
    same("LOS", case["los"], stats.norm.cdf((mean - 0.5) / error), 1e-9, where)
    hypotheses = (case["elo0"], case["elo1"])
    logistic = tuple(1 / (1 + 10 ** (-value / 400)) for value in hypotheses)
    same("log-likelihood ratio, logistic", case["llr_logistic"], llr(counts, lambda q: q @ SCORES, logistic), 1e-4, where)
    deviations = tuple(value / normal for value in hypotheses)

    def above(q: np.ndarray) -> float:
        centre = q @ SCORES
        return (centre - 0.5) / np.sqrt(q @ (SCORES - centre) ** 2)

    same("log-likelihood ratio, normalized", case["llr_normalized"], llr(counts, above, deviations), 1e-4, where)


def check_bounds(case: dict) -> None:
    where = f"{case['successes']} of {case['count']}"
    test = stats.binomtest(case["successes"], case["count"])
    for name, method in (("clopper_pearson", "exact"), ("wilson", "wilson")):
        theirs = test.proportion_ci(0.95, method=method)
        for ours, end in zip(case[name], (theirs.low, theirs.high), strict=True):
            same(name, ours, end, 1e-7, where)


def check_ratings(case: dict) -> None:
    if case["ratings"] is None:
        return
    players, free = case["players"], case["advantage"]
    where = json.dumps({key: case[key] for key in ("players", "pairs", "advantage", "prior")})
    rows, scores, pair = [], [], []
    for number, (a, b, (first, second)) in enumerate(case["pairs"]):
        for mover, other, score in ((a, b, first), (b, a, 1 - second)):
            row = np.zeros(players + 1)
            row[mover], row[other], row[players] = 1, -1, 1 if free else 0
            rows.append(row)
            scores.append(score)
            pair.append(number)
    design, result = np.array(rows), np.array(scores)
    weight = np.ones(len(rows))
    if case["prior"] > 0:
        virtual = []
        for mover in range(players):
            for other in range(players):
                if mover != other:
                    row = np.zeros(players + 1)
                    row[mover], row[other], row[players] = 1, -1, 1 if free else 0
                    virtual.append(row)
        design = np.vstack([design, virtual])
        result = np.concatenate([result, np.full(len(virtual), 0.5)])
        weight = np.concatenate([weight, np.full(len(virtual), case["prior"] / (2 * (players - 1)))])

    def loss(strength: np.ndarray) -> float:
        logit = design @ strength
        return float(weight @ (np.logaddexp(0, logit) - result * logit)) + 1e-12 * float(strength @ strength)

    def slope(strength: np.ndarray) -> np.ndarray:
        chance = 1 / (1 + np.exp(-(design @ strength)))
        return design.T @ (weight * (chance - result)) + 2e-12 * strength

    found = optimize.minimize(loss, np.zeros(players + 1), jac=slope, method="BFGS", options={"gtol": 1e-9})
    strength = found.x.copy()
    strength[:players] -= strength[:players].mean()
    for player in range(players):
        same("rating", case["ratings"][player], strength[player] / NATURAL, 1e-4, where)
    chance = 1 / (1 + np.exp(-(design @ strength)))
    information = np.linalg.pinv((design.T * (weight * chance * (1 - chance))) @ design, rcond=1e-10)
    played = len(pair)
    surplus = design[:played] * (result[:played] - chance[:played])[:, None]
    by_pair = np.zeros((len(case["pairs"]), players + 1))
    np.add.at(by_pair, np.array(pair), surplus)
    robust = information @ by_pair.T @ by_pair @ information
    for player in range(players):
        for name, covariance in (("fisher", information), ("robust", robust)):
            theirs = Z * np.sqrt(covariance[player, player]) / NATURAL
            same(f"error of a rating, {name}", case[name][player], theirs, 1e-4, where)
    if free:
        same("first-mover advantage", case["first_mover"], strength[players] / NATURAL, 1e-4, where)
        theirs = Z * np.sqrt(information[players, players]) / NATURAL
        same("error of the advantage", case["first_mover_error"], theirs, 1e-4, where)
    if case["decisive"]:
        games = []
        for a, b, (first, second) in case["pairs"]:
            games += [(a, b) if first == 1 else (b, a), (a, b) if second == 1 else (b, a)]
        for player, theirs in enumerate(choix.opt_pairwise(players, games, method="BFGS", tol=1e-9)):
            same("rating, beside choix", case["ratings"][player], theirs / NATURAL, 1e-3, where)


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as file:
        ours = json.load(file)
    for kind, check in (("pairs", check_pairs), ("bounds", check_bounds), ("ratings", check_ratings)):
        for case in ours[kind]:
            check(case)
    for what, distance in worst.items():
        print(f"beside scipy and choix, at most {distance:.1e} apart: {what}")
    for problem in wrong[:20]:
        print(f"WRONG {problem}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
