// Live checks while typing: errors immediately, and the full results after a second's pause. Without scripts, a button does
// the same.
"use strict";

const CHECK = 150;
const LOOK = 1000;
const form = document.getElementById("workshop");
const text = document.getElementById("rulebook");
const lines = document.getElementById("lines");
const part = (id) => document.getElementById(id);
let asked = null;
let timers = [];

/** Numbers the lines and makes the text field as tall as they are. */
function number() {
  const count = text.value.split("\n").length;
  lines.textContent = Array.from({ length: count }, (_, line) => line + 1).join("\n");
  text.rows = count;
}

/** Replaces a part of the page with that of a response. Details stay open or closed as they were. */
function put(page, id) {
  const open = new Map([...part(id).querySelectorAll("details")].map((details) => [details.id, details.open]));
  part(id).replaceChildren(...page.getElementById(id).childNodes);
  for (const details of part(id).querySelectorAll("details")) {
    if (open.has(details.id)) details.open = open.get(details.id);
  }
}

/** Requests the results for the text, or a part of them. Aborts the previous request. */
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
    if (!mine.signal.aborted) say("Connection lost. Try again in a moment.");
    return;
  }
  if (mine !== asked) return;
  if (what !== "mistakes") for (const id of ["meaning", "better"]) part(id).removeAttribute("aria-busy");
  if (answer.status === 503) {
    say("The server is busy. Trying again…");
    timers.push(setTimeout(ask, 1500, what));
    return;
  }
  if (!answer.ok) {
    say(page.querySelector("main p")?.textContent ?? "That didn't work. Try again in a moment.");
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

/** Sets the status. Invariant: the element is never replaced, so a screen reader speaks each change once. */
function say(words) {
  const status = part("status");
  if (status.textContent !== words) status.textContent = words;
}

const kept = (search) => "the rule book at " + search;
/** Storage key of the other text: the original while the draft is shown, and vice versa. */
const otherAt = (search) => "the other text at " + search;
const LATEST = "the latest rule book";
/** The text offered instead of the one in the field; null if there is only one. */
let other = null;

/** Saves the text for this tab until it is shared or replaced. Without storage it lasts as long as the page. */
function keep() {
  try {
    for (const key of [kept(location.search), LATEST]) sessionStorage.setItem(key, text.value);
    if (other !== null) sessionStorage.setItem(otherAt(location.search), other);
  } catch { /* A draft is only a convenience. */ }
}

function forget(search) {
  try {
    for (const key of [location.search, search].flatMap((at) => [kept(at), otherAt(at)]).concat(LATEST)) sessionStorage.removeItem(key);
  } catch { /* Likewise. */ }
}

/** Restores the draft for this address; without a query string, the latest draft. */
function find() {
  // The field already contains the text that was sent.
  if (!("begun" in text.dataset)) { keep(); return; }
  try {
    const latest = location.search === "" ? sessionStorage.getItem(LATEST) : null;
    const draft = sessionStorage.getItem(kept(location.search)) ?? latest;
    if (draft === null) return;
    const original = text.defaultValue;
    text.value = draft;
    const instead = sessionStorage.getItem(otherAt(location.search)) ?? original;
    if (instead !== text.value) offer(instead);
  } catch { /* Likewise. */ }
}

/** Shows which of the two texts is in the field, and offers the other. */
function offer(instead) {
  other = instead;
  const notice = part("older");
  const which = text.value === text.defaultValue ? "original" : "draft";
  notice.firstElementChild.textContent = notice.dataset[which];
  notice.lastElementChild.textContent = notice.lastElementChild.dataset[which];
  notice.hidden = false;
}

/** Swaps the draft and the original. */
function swap() {
  const before = text.value;
  text.value = other;
  offer(before);
  changed();
}

/** Asks before discarding what was written. */
function startOver(event, search) {
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

/** Selects a range of the text and scrolls to it. */
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
  startOver(event, "?" + new URLSearchParams(new FormData(part("begin"))));
});
part("every-key").addEventListener("click", (event) => startOver(event, new URL(event.target.href).search));
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
  // `insertText` keeps the undo history.
  if (!document.execCommand("insertText", false, book)) text.value = book;
  text.setSelectionRange(0, 0);
  part("text").scrollTop = 0;
  part("better").replaceChildren();
  changed();
});
find();
// On Back, the browser restores the text as it was.
window.addEventListener("pageshow", () => { number(); ask("meaning"); });
