// Compares measurements of the same work: medians, and the range of the ratio. Arguments: the number of concurrent
// rounds, then the measurements of Spot On and boardgame.io, alternating.
const [rounds, ...measured] = process.argv.slice(2);
const runs = measured.map((text) => JSON.parse(text));
const [ours, theirs] = [0, 1].map((side) => runs.filter((_, place) => place % 2 === side));
const row = (name, one, two, ratio, range) =>
  console.log((name.padEnd(37) + one.padStart(10) + two.padStart(15) + ratio.padStart(8) + range.padStart(15)).trimEnd());
const number = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));
const median = (values) => {
  const sorted = [...values].sort((one, two) => one - two);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
};
// The client may be the bottleneck; the server's processor time shows its capacity.
for (const run of runs) run.could_serve = 1e6 / run.processor_us_a_move;
console.log(`\n${rounds} concurrent rounds`);
row("", "Spot On", "boardgame.io", "ratio", "lowest–highest");
for (const [key, name] of [
  ["moves_a_second", "moves per second"],
  ["p50_ms", "until the opponent sees it, p50, ms"],
  ["p99_ms", "until the opponent sees it, p99, ms"],
  ["processor_us_a_move", "server's processor time per move, µs"],
  ["could_serve", "moves per second that fill one core"],
]) {
  const [one, two] = [ours, theirs].map((of) => median(of.map((run) => run[key])));
  // Neighbouring runs, because a machine's speed varies over time.
  const ratios = ours.map((run, place) => run[key] / theirs[place][key]);
  const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  row(name, number(one), number(two), median(ratios).toFixed(2), range);
}
const errors = (of) => String(of.reduce((sum, run) => sum + run.errors, 0));
row("errors", errors(ours), errors(theirs), "", "");
const commit = median(ours.map((run) => run.commit_ms));
console.log(`A single write takes ${number(commit)} ms to reach the disk. Spot On saves its moves there; boardgame.io keeps its moves in memory.`);
