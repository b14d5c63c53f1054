// Reloads the list of rounds every few seconds. Without scripts there is a link.
"use strict";
const EVERY = 4000;

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.pathname);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("class");
    const old = document.getElementById("class");
    if (!fresh || fresh.innerHTML === old.innerHTML) return;
    const focused = document.activeElement && old.contains(document.activeElement) ? document.activeElement : null;
    const place = focused && (focused.id ? `#${focused.id}` : `a[href="${focused.getAttribute("href")}"]`);
    // Invariant: the status element is never replaced, so a screen reader speaks when a pupil joins.
    const here = document.getElementById("here");
    const said = fresh.querySelector("#here").textContent;
    fresh.querySelector("#here").replaceWith(here);
    old.replaceChildren(...fresh.childNodes);
    if (here.textContent !== said) here.textContent = said;
    if (place && old.querySelector(place)) old.querySelector(place).focus();
  } catch { /* The next tick retries. */ }
}

setInterval(look, EVERY);
document.addEventListener("visibilitychange", look);
