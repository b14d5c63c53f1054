// Prints two measurements of the same work beside each other.
const [rounds, ours, theirs] = [process.argv[2], JSON.parse(process.argv[3]), JSON.parse(process.argv[4])];
const row = (name, one, two, ratio) => console.log(name.padEnd(34) + one.padStart(12) + two.padStart(16) + ratio.padStart(10));
const number = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));
console.log(`\n${rounds} rounds at once`);
row("", "Spot On", "boardgame.io", "ratio");
for (const [key, name] of [
  ["moves_a_second", "moves a second"],
  ["p50_ms", "until the other sees it, p50, ms"],
  ["p99_ms", "until the other sees it, p99, ms"],
  ["processor_us_a_move", "server's processor time a move, µs"],
  ["errors", "errors"],
]) {
  const [one, two] = [ours[key], theirs[key]];
  row(name, number(one), number(two), key === "errors" ? "" : (one / two).toFixed(2));
}
if (ours.commit_ms) console.log(`One commit, alone, takes ${number(ours.commit_ms)} ms; Spot On's moves are on the disk, boardgame.io's are in memory.`);
