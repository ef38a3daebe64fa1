// A row of `cargo xtask compare`, in the form in which the packages of comparisons print theirs.

/** Rounds of a row, and how often as many again are measured while some meet the target and others do not. */
const ROUNDS = 5;
const REPEATS = 2;

/** Measures rounds, `{ ours, theirs }` in units a second each, until they agree about the target or there are three times as many. */
export async function roundsOf(target, one) {
  const rounds = [];
  for (let repeat = 0; repeat <= REPEATS; repeat += 1) {
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await one());
    if (!straddles(ratiosOf(rounds), target)) break;
  }
  return rounds;
}

/** The row that rounds come to. Its ratio is their median, or where each round is another case that of the worst. */
export function rowOf({ name, about, unit, against, target, clock }, rounds, { worst = false, count = 1 } = {}) {
  const ratios = ratiosOf(rounds);
  const ratio = worst ? Math.min(...ratios) : median(ratios);
  const taken = worst ? [rounds[ratios.indexOf(ratio)]] : rounds;
  const ours = median(taken.map((round) => round.ours));
  return {
    name,
    about,
    unit,
    ours,
    seconds: count / ours,
    against,
    theirs: median(taken.map((round) => round.theirs)),
    ratio,
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    rounds: rounds.length,
    target,
    clock,
    met: ratio >= target,
  };
}

function ratiosOf(rounds) {
  return rounds.map(({ ours, theirs }) => ours / theirs);
}

function straddles(ratios, target) {
  const met = ratios.filter((ratio) => ratio >= target).length;
  return met > 0 && met < ratios.length;
}

export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
