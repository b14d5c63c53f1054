// The workshop while somebody types: mistakes at once, and after a second's pause all that the rule book means. Without
// this, a button asks for the same.
"use strict";

const CHECK = 150;
const LOOK = 1000;
const form = document.getElementById("workshop");
const text = document.getElementById("rulebook");
const lines = document.getElementById("lines");
const part = (id) => document.getElementById(id);
let asked = null;
let timers = [];

/** Numbers the lines, and lets the text be as high as they are. */
function number() {
  const count = text.value.split("\n").length;
  lines.textContent = Array.from({ length: count }, (_, line) => line + 1).join("\n");
  text.rows = count;
}

/** Puts a part of an answer in the place of what stood there. What somebody has opened or closed stays so. */
function put(page, id) {
  const open = new Map([...part(id).querySelectorAll("details")].map((details) => [details.id, details.open]));
  part(id).replaceChildren(...page.getElementById(id).childNodes);
  for (const details of part(id).querySelectorAll("details")) {
    if (open.has(details.id)) details.open = open.get(details.id);
  }
}

/** Asks what the text means, or a part of that. Whatever was asked before is not wanted any more. */
async function ask(what) {
  if (asked) asked.abort();
  const mine = asked = new AbortController();
  if (what !== "mistakes") part(what).setAttribute("aria-busy", "true");
  const body = new URLSearchParams({ rulebook: text.value, part: what });
  let answer = null;
  let page = null;
  try {
    answer = await fetch("/workshop", { method: "POST", body, signal: mine.signal });
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    if (!mine.signal.aborted) say("The server does not answer just now.");
    return;
  }
  if (mine !== asked) return;
  if (what !== "mistakes") for (const id of ["meaning", "better"]) part(id).removeAttribute("aria-busy");
  if (answer.status === 503) {
    say("The server has much to do; this is tried again.");
    timers.push(setTimeout(ask, 1500, what));
    return;
  }
  if (!answer.ok) {
    say(page.querySelector("main p")?.textContent ?? "That did not work.");
    return;
  }
  put(page, "mistakes");
  say(page.getElementById("status").textContent);
  const means = page.getElementById("meaning").hasChildNodes();
  if (means) { put(page, "meaning"); part("better").replaceChildren(); }
  if (what === "better") {
    put(page, "better");
    part("make-better")?.parentElement.remove();
    part("better").querySelector("h2")?.focus();
  }
  const wrong = part("mistakes").querySelector(".error") !== null;
  const is_stale = wrong && part("meaning").hasChildNodes();
  part("before").hidden = !is_stale;
  part("meaning").classList.toggle("stale", is_stale);
}

/** The one that speaks is never replaced. */
function say(words) {
  const status = part("status");
  if (status.textContent !== words) status.textContent = words;
}

const kept = (search) => "the rule book at " + search;
/** What a draft was begun from, or the draft if that is looked at instead. */
const beside = (search) => "beside the rule book at " + search;
const LATEST = "the latest rule book";
/** The text that is offered instead of the one in the field; null if there is only one. */
let other = null;

/** Keeps the text for this tab, until it is shared or begun anew. Where nothing may be kept, it lasts as long as the page. */
function keep() {
  try {
    for (const key of [kept(location.search), LATEST]) sessionStorage.setItem(key, text.value);
    if (other !== null) sessionStorage.setItem(beside(location.search), other);
  } catch { /* It is only a convenience. */ }
}

function forget(search) {
  try {
    for (const key of [location.search, search].flatMap((at) => [kept(at), beside(at)]).concat(LATEST)) sessionStorage.removeItem(key);
  } catch { /* Likewise. */ }
}

/** Whoever comes back finds the text as it was; without another beginning in the address, the latest of all. */
function find() {
  // What was sent stands there already.
  if (!("begun" in text.dataset)) { keep(); return; }
  try {
    const latest = location.search === "" ? sessionStorage.getItem(LATEST) : null;
    const draft = sessionStorage.getItem(kept(location.search)) ?? latest;
    if (draft === null) return;
    const original = text.defaultValue;
    text.value = draft;
    const instead = sessionStorage.getItem(beside(location.search)) ?? original;
    if (instead !== text.value) offer(instead);
  } catch { /* Likewise. */ }
}

/** Says which of two texts is in the field, and offers the other one. */
function offer(instead) {
  other = instead;
  const notice = part("older");
  const which = text.value === text.defaultValue ? "original" : "draft";
  notice.firstElementChild.textContent = notice.dataset[which];
  notice.lastElementChild.textContent = notice.lastElementChild.dataset[which];
  notice.hidden = false;
}

/** Swaps the draft and the text that it was begun from. */
function swap() {
  const before = text.value;
  text.value = other;
  offer(before);
  changed();
}

/** Nobody loses what they have written by a slip. */
function beginAnew(event, search) {
  const is_written = text.value !== text.defaultValue || !("begun" in text.dataset);
  if (is_written && !confirm(part("begin").dataset.asks)) event.preventDefault();
  else forget(search);
}

function changed() {
  number();
  keep();
  for (const timer of timers) clearTimeout(timer);
  timers = [setTimeout(ask, CHECK, "mistakes"), setTimeout(ask, LOOK, "meaning")];
}

/** Selects a place in the text, and shows it. */
function select(from, to) {
  const line = text.value.slice(0, from).split("\n").length - 1;
  text.focus({ preventScroll: true });
  text.setSelectionRange(from, to);
  const high = text.scrollHeight / text.rows;
  part("text").scrollTop = Math.max(0, (line - 3) * high);
  part("text").scrollIntoView({ block: "nearest" });
}

text.addEventListener("input", changed);
part("older").lastElementChild.addEventListener("click", swap);
form.addEventListener("submit", (event) => {
  const id = event.submitter?.id;
  if (id === "share") forget(location.search);
  if (id !== "look" && id !== "make-better") return;
  event.preventDefault();
  for (const timer of timers) clearTimeout(timer);
  ask(id === "look" ? "meaning" : "better");
});
part("begin").addEventListener("submit", (event) => {
  beginAnew(event, "?" + new URLSearchParams(new FormData(part("begin"))));
});
part("every-key").addEventListener("click", (event) => beginAnew(event, new URL(event.target.href).search));
part("said").addEventListener("click", (event) => {
  const place = event.target.closest("a[data-from]");
  if (!place) return;
  event.preventDefault();
  select(Number(place.dataset.from), Number(place.dataset.to));
});
part("said").addEventListener("submit", (event) => {
  if (!event.submitter?.matches(".use")) return;
  event.preventDefault();
  const book = event.target.elements.rulebook.value;
  text.focus();
  text.select();
  // So it can be undone.
  if (!document.execCommand("insertText", false, book)) text.value = book;
  text.setSelectionRange(0, 0);
  part("text").scrollTop = 0;
  part("better").replaceChildren();
  changed();
});
find();
// A browser that comes back to this page brings the text as it was left.
window.addEventListener("pageshow", () => { number(); ask("meaning"); });
