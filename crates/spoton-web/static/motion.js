// Motion, sound and the bubbles of a first round. The page is complete without them, and never waits for them: a board
// shows its final state first, and a tap ends what still moves.
"use strict";

/** How long a hop takes, by its length, in milliseconds. */
const SHORTEST = 350;
const LONGEST = 450;
const FALL = 260;
/** The pause between the hops of the round that plays by itself. */
const REST = 160;
/** How many hops are drawn after a pause, such as a lost connection. */
const MOST = 2;
const SVG = "http://www.w3.org/2000/svg";

/** Hops to draw, in order: `{ within, move, pause }`. */
let queue = [];
let current = null;
/** The number of moves seen so far, per page part. */
const seen = new WeakMap();

const isStill = () =>
  matchMedia("(prefers-reduced-motion: reduce)").matches || document.documentElement.classList.contains("still");
const make = (name, fields = {}) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(fields)) made.setAttribute(key, value);
  return made;
};
const mix = (one, two, t) => one + (two - one) * t;

/** The number between two others; exact for large ones. */
function between(from, to, t) {
  const [low, high] = [BigInt(from), BigInt(to)];
  return low + ((high - low) * BigInt(Math.round(t * 1000))) / 1000n;
}

/** A hop's curve in pixels: four points. */
function curve(track, hop) {
  const { width, height } = track.getBoundingClientRect();
  const [x1, x2, rise] = hop.dataset.hop.split(" ", 3).map(Number);
  const y = (Number(track.dataset.line) / 100) * height;
  // The curve reaches three quarters of the way to its control points.
  const top = y + ((rise / 100) * height) / 0.75;
  const [left, right] = [x1, x2].map((x) => (x / 100) * width);
  return [[left, y], [left, top], [right, top], [right, y]];
}

/** The part of a curve up to `t`, by de Casteljau. */
function upTo(points, t) {
  const split = (some) => some.slice(1).map((point, place) => point.map((value, axis) => mix(some[place][axis], value, t)));
  const one = split(points);
  const two = split(one);
  return [points[0], one[0], two[0], split(two)[0]];
}

/** The dot, its number and its trail while they move. */
function mover(track) {
  const dot = track.querySelector(":scope > .dot");
  const parts = {
    trail: make("path", { class: "trail" }),
    dot: make("circle", { class: dot.getAttribute("class"), r: 10 }),
    text: make("text", { class: track.querySelector(":scope > .here").getAttribute("class") }),
  };
  parts.group = make("g", { class: "mover" });
  parts.group.append(parts.trail, parts.dot, parts.text);
  return parts;
}

/** The element of a hop now: the board may have changed since it was queued. */
const find = ({ within, move }) => within.isConnected && within.querySelector(`[data-move="${move}"]`);

/** Hides the arc and the label of a hop that is still to come. */
function hide(wanted) {
  const hop = find(wanted);
  if (!hop) return;
  hop.firstChild.style.opacity = "0";
  for (const label of wanted.within.querySelectorAll(`[data-of="${wanted.move}"]`)) label.style.opacity = "0";
}

/** Faces look at the dot. */
function watch(x, y) {
  for (const pupils of document.querySelectorAll(".board .pupils")) {
    const box = pupils.closest("svg").getBoundingClientRect();
    const [dx, dy] = [x - box.x - box.width / 2, y - box.y - box.height / 2];
    const far = Math.hypot(dx, dy) || 1;
    pupils.setAttribute("transform", `translate(${((dx / far) * 2.6).toFixed(2)} ${((dy / far) * 2.6).toFixed(2)})`);
  }
}

/** Ends the current hop. */
function rest() {
  if (current) {
    cancelAnimationFrame(current.frame);
    current.parts.group.remove();
    for (const track of document.querySelectorAll(".track.moving")) track.classList.remove("moving");
    for (const drawn of document.querySelectorAll(".hop path, .op")) drawn.style.opacity = "";
    for (const pupils of document.querySelectorAll(".board .pupils")) pupils.removeAttribute("transform");
  }
  current = null;
}

/** Ends all motion: the page already shows where it leads. */
function skip() {
  queue = [];
  rest();
  document.documentElement.classList.remove("hopping");
}

/** Starts the next hop. */
function next() {
  rest();
  const wanted = queue.shift();
  document.documentElement.classList.toggle("hopping", Boolean(wanted));
  if (!wanted) return;
  const hop = find(wanted);
  const track = hop && hop.closest(".track");
  if (!track) {
    next();
    return;
  }
  const far = Math.abs(hop.dataset.hop.split(" ")[0] - hop.dataset.hop.split(" ")[1]) / 100;
  current = { wanted, parts: mover(track), length: mix(SHORTEST, LONGEST, Math.min(1, far * 2)), begun: performance.now() };
  hopSound();
  current.frame = requestAnimationFrame(step);
  step(current.begun);
}

/** Draws one frame. The board may have been updated meanwhile, so everything is looked up again. */
function step(now) {
  if (!current) return;
  const { wanted, parts, length, begun } = current;
  const hop = find(wanted);
  const track = hop && hop.closest(".track");
  if (!track) {
    next();
    return;
  }
  if (parts.group.parentNode !== track) track.append(parts.group);
  track.classList.add("moving");
  for (const later of [wanted, ...queue]) hide(later);
  const elapsed = Math.max(0, now - begun);
  const [from, to] = hop.dataset.hop.split(" ").slice(3);
  const points = curve(track, hop);
  const t = 1 - (1 - Math.min(1, elapsed / length)) ** 2.2;
  const box = track.getBoundingClientRect();
  const trail = upTo(points, t);
  let [x, y] = trail[3];
  const isLast = Number(track.dataset.moves) === wanted.move + 1;
  const falls = isLast && track.classList.contains("past-target") && elapsed > length;
  if (falls) y += (Math.min(1, (elapsed - length) / FALL) ** 2) * box.height * 0.3;
  const color = getComputedStyle(hop.firstChild).stroke;
  parts.trail.setAttribute("d", `M${trail[0]} C${trail[1]} ${trail[2]} ${trail[3]}`);
  parts.trail.style.stroke = color;
  parts.dot.setAttribute("cx", x);
  parts.dot.setAttribute("cy", y);
  parts.dot.style.fill = color;
  parts.text.textContent = between(from, to, t);
  const half = Math.min(parts.text.getComputedTextLength() / 2, box.width / 2);
  parts.text.setAttribute("x", Math.min(Math.max(x, half), box.width - half));
  parts.text.setAttribute("y", track.querySelector(":scope > .here").getAttribute("y"));
  watch(box.x + x, box.y + y);
  const whole = length + (isLast && track.classList.contains("past-target") ? FALL : 0) + (queue.length ? wanted.pause : 0);
  if (elapsed < whole) {
    current.frame = requestAnimationFrame(step);
    return;
  }
  if (isLast && track.classList.contains("on-target")) land(track);
  next();
}

/** The ring closes around the dot, with a small burst. */
function land(track) {
  const ring = track.querySelector(".at:has(> .target), .at:has(> .pit)");
  landSound(Boolean(ring && ring.querySelector(".target")));
  if (navigator.vibrate && navigator.userActivation && navigator.userActivation.hasBeenActive) navigator.vibrate(30);
  if (!ring || isStill()) return;
  ring.firstElementChild.animate(
    [{ transform: "scale(1.8)" }, { transform: "scale(.85)", offset: 0.6 }, { transform: "scale(1)" }],
    { duration: 500, easing: "ease-out" });
  for (let place = 0; place < 10; place += 1) {
    const spark = make("circle", { class: "spark", r: 4 });
    ring.append(spark);
    const angle = (place / 10) * 2 * Math.PI;
    const to = `translate(${(Math.cos(angle) * 46).toFixed(1)}px, ${(Math.sin(angle) * 46).toFixed(1)}px)`;
    const flies = spark.animate([{ transform: "none", opacity: 1 }, { transform: to, opacity: 0 }], { duration: 600, easing: "ease-out" });
    flies.onfinish = () => spark.remove();
  }
}

/** Queues the hops that this part of the page hasn't shown yet. `all` replays a round from its start. */
function draw(within, all) {
  const tracks = [...within.querySelectorAll(".track")];
  const moves = Math.max(0, ...tracks.map((track) => Number(track.dataset.moves)));
  const before = all ? 0 : seen.get(within);
  seen.set(within, moves);
  if (before === undefined || moves <= before) return;
  const fresh = [...within.querySelectorAll("[data-move]")].map((hop) => Number(hop.dataset.move)).filter((move) => move >= before);
  if (isStill() || document.hidden) {
    hopSound();
    const landed = tracks.find((track) => track.classList.contains("on-target"));
    if (landed) land(landed);
    return;
  }
  // After a jump in a review, the last hops are enough.
  const latest = fresh.sort((one, two) => one - two).slice(all ? 0 : -MOST);
  queue.push(...latest.map((move) => ({ within, move, pause: all ? REST : 0 })));
  if (!current) next();
}

/* Sound: made here, no files. */

let audio = null;
const isLoud = () => { try { return localStorage.getItem("sound") === "on"; } catch { return false; } };

/** A tone that slides from one pitch to another, in hertz and seconds. */
function tone(from, to, after, length) {
  if (!isLoud() || !window.AudioContext) return;
  audio = audio || new AudioContext();
  if (audio.state === "suspended") audio.resume();
  const [source, volume] = [audio.createOscillator(), audio.createGain()];
  const begins = audio.currentTime + after;
  source.frequency.setValueAtTime(from, begins);
  source.frequency.exponentialRampToValueAtTime(to, begins + length);
  volume.gain.setValueAtTime(0.0001, begins);
  volume.gain.exponentialRampToValueAtTime(0.12, begins + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.0001, begins + length);
  source.connect(volume).connect(audio.destination);
  source.start(begins);
  source.stop(begins + length);
}

function hopSound() { tone(300, 540, 0, 0.14); }

/** A landing; three notes if the viewer has won. */
function landSound(isGood) {
  tone(isGood ? 660 : 220, isGood ? 880 : 160, 0, 0.2);
  if (document.querySelector(".verdict.won")) [523, 659, 784].forEach((pitch, place) => tone(pitch, pitch, 0.2 + place * 0.13, 0.22));
}

/* The bubbles of a first round: each is gone once it's done, and never comes back. */

const done = () => { try { return (localStorage.getItem("tips") || "").split(" "); } catch { return null; } };

function showTip() {
  const known = done();
  // Without storage they'd come back in every round.
  const tip = known && [...document.querySelectorAll(".tip")].find((one) => !known.includes(one.id));
  if (tip) tip.hidden = false;
}

function finishTip() {
  for (const tip of document.querySelectorAll(".tip:not([hidden])")) {
    try { localStorage.setItem("tips", [...done(), tip.id].join(" ").trim()); } catch { /* Then it stays for this round. */ }
    tip.hidden = true;
  }
}

/** The part of the page that has the line of a round. */
const part = () => document.getElementById("line");

document.addEventListener("shown", () => {
  if (part()) draw(part(), false);
  showTip();
});
document.addEventListener("pointerdown", (event) => { if (event.target.closest("button, a")) skip(); }, true);
document.addEventListener("keydown", skip, true);
document.addEventListener("submit", (event) => { if (event.target.id === "choices") finishTip(); });
document.addEventListener("visibilitychange", () => { if (document.hidden) skip(); });

if (part()) {
  draw(part(), false);
  const plays = document.querySelector("[data-plays]");
  if (plays && !isStill()) draw(plays, true);
}
showTip();
