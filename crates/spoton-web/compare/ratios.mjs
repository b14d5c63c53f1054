// Prints two measurements of the same work beside each other.
const [rounds, ours, theirs] = [process.argv[2], JSON.parse(process.argv[3]), JSON.parse(process.argv[4])];
const row = (name, one, two, ratio) => console.log(name.padEnd(36) + one.padStart(10) + two.padStart(15) + ratio.padStart(8));
const number = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));
// The slower client may be what holds moves up; the server's processor time tells what it could do.
for (const one of [ours, theirs]) one.could_serve = 1e6 / one.processor_us_a_move;
console.log(`\n${rounds} rounds at once`);
row("", "Spot On", "boardgame.io", "ratio");
for (const [key, name] of [
  ["moves_a_second", "moves a second"],
  ["p50_ms", "until the other sees it, p50, ms"],
  ["p99_ms", "until the other sees it, p99, ms"],
  ["processor_us_a_move", "server's processor time a move, µs"],
  ["could_serve", "moves a second that fill one core"],
]) {
  row(name, number(ours[key]), number(theirs[key]), (ours[key] / theirs[key]).toFixed(2));
}
row("errors", String(ours.errors), String(theirs.errors), "");
console.log(`One write alone takes ${number(ours.commit_ms)} ms to the disk. Spot On's moves are there; boardgame.io's are in memory.`);
