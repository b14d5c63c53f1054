// Live updates. Every page works without them. A board reloads when its stream reports a change, and on a timer in any
// case: a stuck stream costs a few seconds, never the round.
"use strict";

const EVERY = 20000;
/** While the connection is lost. */
const SOON = 4000;
const HIDDEN = 60000;
/** Marks the address of a board whose seat moved from here to another device. */
const MOVED = "?moved";
/** Query strings that survive a reload of the board. */
const KEPT = [MOVED, "?start"];
let asked = Date.now();
let hiddenSince = 0;
let busy = false;
/** The last form submitted while another one was on its way. */
let waiting = null;
let lost = false;
let stream = null;
/** Id of the last focused element. It gets the focus back once it reappears. */
let focused = "";

const board = () => document.getElementById("board");
const byId = (id) => document.getElementById(id);

/** Morphs an element into a fresh one. Keeps nodes that match or share an id, so focus stays. */
function morph(old, fresh) {
  for (const { name } of [...old.attributes]) {
    // The person decides which details are open.
    if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  for (const { name, value } of [...fresh.attributes]) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  let place = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const known = child.id ? [...old.children].find((one) => one.id === child.id) : place;
    if (!known || known.nodeName !== child.nodeName || (known.id || "") !== (child.id || "")) {
      old.insertBefore(child, place);
      continue;
    }
    if (known === place) place = place.nextSibling; else old.insertBefore(known, place);
    // An explanation that the person opened stays.
    if (known.isFilled) continue;
    if (child.nodeType === Node.ELEMENT_NODE) morph(known, child);
    else if (known.data !== child.data) known.data = child.data;
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/** Shows the board of a response. `wanted` if the person asked for exactly this one. */
function show(text, wanted) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = page.getElementById("board");
  const old = board();
  if (!fresh) {
    const main = page.querySelector("main");
    if (wanted && main) byId("alert").textContent = main.textContent.trim();
    return;
  }
  // The seat is gone: from now on this device watches, and the page explains why.
  if ("seated" in old.dataset && !("seated" in fresh.dataset)) {
    location.assign(location.pathname + MOVED);
    return;
  }
  const [before, after] = [old, fresh].map((one) => Number(one.dataset.seq));
  if (after < before || (after === before && !wanted)) return;
  // Invariant: the status element is never replaced, so a screen reader speaks once per event.
  const status = fresh.querySelector("#status");
  const said = status.cloneNode(true);
  status.replaceChildren(...byId("status").cloneNode(true).childNodes);
  const active = document.activeElement;
  const inside = old.contains(active);
  if (inside && active.id && active.id !== "moves" && active.id !== "board") focused = active.id;
  morph(old, fresh);
  if (after > before) byId("status").replaceChildren(...said.childNodes);
  document.title = page.title;
  const icon = page.querySelector("link[rel=icon]").getAttribute("href");
  document.querySelector("link[rel=icon]").setAttribute("href", icon);
  if (inside) keepFocus(); else takeFocus();
  makeReady();
  document.dispatchEvent(new Event("shown"));
}

/** Keeps the focus in the board, and returns it to the last element once that reappears. */
function keepFocus() {
  const again = focused && byId(focused);
  const there = again && board().contains(again) && !again.disabled ? again : byId("moves");
  if (document.activeElement !== there) there.focus({ preventScroll: true });
}

/** Focuses the board so keys work immediately, unless something else has the focus or there is a link to send. */
function takeFocus() {
  if (document.activeElement === document.body && !byId("link")) board().focus({ preventScroll: true });
}

function isLost(is, why = board().dataset.lost) {
  if (is || lost) byId("alert").textContent = is ? why : "";
  lost = is;
}

async function look(force) {
  asked = Date.now();
  try {
    const seen = force === true ? {} : { "x-seq": board().dataset.seq };
    const here = location.pathname + (KEPT.includes(location.search) ? location.search : "");
    const answer = await fetch(here, { headers: seen });
    isLost(answer.status >= 500);
    // The pupil who waited plays in another round now.
    if (answer.redirected) location.assign(answer.url);
    else if (answer.ok && answer.status !== 204) show(await answer.text(), force === true);
  } catch { isLost(true); }
}

/** Submits a form of the board without leaving the page. */
async function send(event) {
  const form = event.target;
  const button = event.submitter;
  if (!board() || !board().contains(form)) return;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form));
  if (button && button.name) fields.append(button.name, button.value);
  const address = (button && button.getAttribute("formaction")) || form.getAttribute("action");
  const wanted = { form, fields, address };
  // A tap in the meantime is sent next. It carries the event it saw, so it can't act on a later board.
  if (busy) {
    waiting = wanted;
    return;
  }
  busy = true;
  for (let next = wanted; next; next = waiting) {
    waiting = null;
    await submit(next);
  }
  busy = false;
}

async function submit({ form, fields, address }) {
  try {
    const answer = form.method === "get"
      ? await fetch(`${address}?${fields}`)
      : await fetch(address, { method: "POST", body: fields });
    lost = false;
    if (answer.ok && new URL(answer.url).pathname !== location.pathname) {
      location.assign(answer.url);
      return;
    }
    if (answer.ok && form.method !== "get") {
      form.reset();
      const asks = form.closest("details");
      if (asks) asks.open = false;
    }
    closeSheet(form);
    show(await answer.text(), true);
  } catch {
    // The form carries an idempotency key, so pressing again is safe.
    isLost(true, board().dataset.unsent);
  }
}

/** Closes the sheet that an element is on, so that the board is in view. */
function closeSheet(element) {
  const sheet = element.closest("[popover]");
  if (sheet && sheet.hidePopover && sheet.matches(":popover-open")) sheet.hidePopover();
}

/** What the person switched, remembered in this browser. Sound is off until switched on. */
const SETTINGS = { keys: "on", motion: "on", sound: "off" };

function isOn(setting) {
  try { return (localStorage.getItem(setting) || SETTINGS[setting]) === "on"; } catch { return SETTINGS[setting] === "on"; }
}

function makeReady() {
  document.documentElement.classList.toggle("still", !isOn("motion"));
  for (const button of document.querySelectorAll("[data-copies]")) button.hidden = false;
  for (const button of document.querySelectorAll("[data-shares]")) {
    button.hidden = !navigator.share;
    if (navigator.share) byId("copy").classList.remove("large");
  }
  for (const button of document.querySelectorAll("[data-setting]")) {
    button.hidden = false;
    button.textContent = isOn(button.dataset.setting) ? button.dataset.on : button.dataset.off;
  }
}

/** Switches a setting. */
function toggle(button) {
  const setting = button.dataset.setting;
  try { localStorage.setItem(setting, isOn(setting) ? "off" : "on"); } catch { /* Without storage it stays as it is. */ }
  makeReady();
}

/** Offers a link to the system's share sheet. */
async function share(button) {
  try {
    await navigator.share({ title: `Spot On: ${button.dataset.title}`, url: byId(button.dataset.shares).value });
  } catch { /* The person changed their mind. */ }
}

/** Shows the turning point below the board, taken from the review. */
async function explain(link) {
  const place = byId("why-here");
  try {
    const answer = await fetch(link.href);
    const review = new DOMParser().parseFromString(await answer.text(), "text/html");
    // Here, only the turning point can be tried again.
    const goesOn = review.querySelector("#play-on");
    if (goesOn) goesOn.remove();
    const parts = ["#said", "#line", "#on"].map((part) => review.querySelector(part)).filter(Boolean);
    if (!answer.ok || parts.length === 0) throw new Error("no review");
    for (const one of parts) one.removeAttribute("role");
    for (const one of parts.flatMap((found) => [found, ...found.querySelectorAll("[id]")])) one.removeAttribute("id");
    place.replaceChildren(...parts);
    place.isFilled = true;
    link.hidden = true;
    place.scrollIntoView({ block: "nearest" });
  } catch { location.assign(link.href); }
}

/** Copies the text of a field. Plain http has no clipboard API, so it falls back to `execCommand`. */
async function copy(button) {
  const field = byId(button.dataset.copies);
  field.select();
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value); else document.execCommand("copy");
    button.textContent = "Copied";
  } catch { /* The text is selected, so it can be copied by hand. */ }
}

/** Shows who is here. */
function tellPresence(event) {
  const here = JSON.parse(event.data);
  for (const told of document.querySelectorAll("[data-player]")) {
    told.textContent = here[told.dataset.player] ? told.dataset.here : told.dataset.away;
  }
  for (const way of document.querySelectorAll("[data-when-away]")) way.hidden = here[way.dataset.whenAway];
}

/** Opens the stream if none is open: there may have been too many, or the server was down. */
function listen() {
  if (!window.EventSource || (stream && stream.readyState !== EventSource.CLOSED)) return;
  stream = new EventSource(`${board().dataset.stream}?after=${board().dataset.seq}`);
  stream.addEventListener("changed", look);
  stream.addEventListener("again", () => look(true));
  stream.addEventListener("presence", tellPresence);
  // Refused, so the browser doesn't try again. Perhaps the server is gone.
  stream.addEventListener("error", () => { if (stream.readyState === EventSource.CLOSED && !lost) look(); });
  // The server is back: reload now rather than on the next tick.
  stream.addEventListener("open", () => { if (lost) look(); });
}

/** Reloads and reconnects: a phone that slept may hold a dead stream. */
function comeBack() {
  if (document.hidden) {
    hiddenSince = Date.now();
    return;
  }
  if (stream && hiddenSince && Date.now() - hiddenSince > HIDDEN) stream.close();
  hiddenSince = 0;
  look();
  listen();
}

/** Shows the dashed arc of the move under the pointer or focus. */
function think(event) {
  for (const arc of document.querySelectorAll(".may.thought")) arc.classList.remove("thought");
  const button = event.target.closest && event.target.closest("button[data-may]");
  // A tap is a choice, not a preview.
  const thinks = event.type === "focusin" ? button && button.matches(":focus-visible") : event.pointerType !== "touch";
  if (!thinks) return;
  const arc = button && document.querySelector(`.may-${CSS.escape(button.dataset.may)}`);
  if (arc) arc.classList.add("thought");
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  if (byId("look-back")) {
    const step = { ArrowLeft: "step-back", ArrowRight: "step-on" }[event.key];
    if (step && byId(step)) { event.preventDefault(); byId(step).click(); }
    return;
  }
  if (!isOn("keys") || !board().contains(document.activeElement)) return;
  const button = board().querySelector(`button[data-key="${CSS.escape(event.key)}"]:enabled`);
  if (button) {
    event.preventDefault();
    button.focus({ preventScroll: true });
    button.click();
  }
}

/** Steps through a round without leaving the page. */
async function stepTo(address) {
  try {
    const answer = await fetch(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    morph(byId("look-back"), page.getElementById("look-back"));
    history.replaceState(null, "", address);
    makeReady();
    document.dispatchEvent(new Event("shown"));
  } catch { location.assign(address); }
}

/** Ignores the second click of a double click, so it can't make a move that counts. */
function dropSecondClick(event) {
  if (event.detail > 1 && event.target.closest("[data-counts] button[name=move]")) event.preventDefault();
}

document.addEventListener("click", dropSecondClick);
document.addEventListener("click", (event) => {
  const copies = event.target.closest("[data-copies]");
  const shares = event.target.closest("[data-shares]");
  const setting = event.target.closest("[data-setting]");
  const link = event.target.closest("a[data-step], a[data-explains]");
  if (copies) copy(copies);
  if (shares) share(shares);
  if (setting) toggle(setting);
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    if ("explains" in link.dataset) explain(link); else stepTo(link.href);
  }
});
makeReady();

if (board()) {
  listen();
  takeFocus();
  // The seat is taken, so the secret is no longer needed.
  try { sessionStorage.removeItem(location.pathname.replace("/r/", "/j/")); } catch { /* Without storage there is none. */ }
  document.addEventListener("submit", send);
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, think);
  setInterval(() => {
    if (Date.now() - asked > (document.hidden ? HIDDEN : lost ? SOON : EVERY)) {
      look();
      listen();
    }
  }, 1000);
  document.addEventListener("visibilitychange", comeBack);
  window.addEventListener("online", comeBack);
  window.addEventListener("pageshow", (event) => { if (event.persisted) comeBack(); });
}
if (board() || byId("look-back")) document.addEventListener("keydown", press);
