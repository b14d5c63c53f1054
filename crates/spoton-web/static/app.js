// Liveliness; every page works without it. A board looks again whenever its stream says that something has changed, and
// every now and then in any case: a stream that is held up somewhere costs some seconds, never the round.
"use strict";

const EVERY = 20000;
const HIDDEN = 60000;
let asked = 0;
let stream = null;

const board = () => document.getElementById("board");

/** Puts the board of an answer in the place of this one, and leaves the focus where it was. */
function show(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = page.getElementById("board");
  const old = board();
  if (!fresh || !old || fresh.dataset.seq === old.dataset.seq) return;
  const focused = document.activeElement && old.contains(document.activeElement) ? document.activeElement.id : "";
  const said = fresh.querySelector("#status").textContent;
  for (const child of [...old.children]) if (child.id !== "status") child.remove();
  const status = old.querySelector("#status");
  for (const child of [...fresh.children]) {
    if (child.id === "status") old.append(status); else old.append(child);
  }
  // The one that speaks is never replaced, and speaks once.
  if (status.textContent !== said) status.textContent = said;
  old.dataset.seq = fresh.dataset.seq;
  document.title = page.title;
  const again = focused && document.getElementById(focused);
  if (again && !again.disabled) again.focus();
  makeReady();
}

async function look() {
  asked = Date.now();
  try {
    const answer = await fetch(location.pathname, { headers: { "x-seq": board().dataset.seq } });
    // Whoever waited in a class that nobody else comes to plays elsewhere.
    if (answer.redirected) location.assign(answer.url);
    else if (answer.ok && answer.status !== 204) show(await answer.text());
  } catch { /* It is tried again. */ }
}

/** Sends a form of the board without leaving the page. */
async function send(event) {
  const form = event.target;
  const button = event.submitter;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, button));
  const address = (button && button.getAttribute("formaction")) || form.getAttribute("action");
  try {
    const answer = await fetch(address, { method: "POST", body });
    if (answer.ok) { board().dataset.seq = ""; show(await answer.text()); } else { form.submit(); }
  } catch { await look(); }
}

function makeReady() {
  for (const form of document.querySelectorAll("#choices, #actions")) form.addEventListener("submit", send);
  const copy = document.getElementById("copy");
  const link = document.getElementById("link");
  if (copy && link && navigator.clipboard) {
    copy.hidden = false;
    copy.onclick = async () => { await navigator.clipboard.writeText(link.value); copy.textContent = "Copied"; };
  }
}

function listen() {
  if (stream || !board() || !window.EventSource) return;
  stream = new EventSource(board().dataset.stream);
  stream.addEventListener("changed", look);
}

if (board()) {
  makeReady();
  listen();
  setInterval(() => {
    if (Date.now() - asked > (document.hidden ? HIDDEN : EVERY)) look();
  }, 1000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
    const button = board().querySelector(`button[data-key="${CSS.escape(event.key)}"]:enabled`);
    if (button && board().contains(document.activeElement)) { event.preventDefault(); button.click(); }
  });
}
// A link to send stands on other pages, too.
if (!board()) makeReady();
