// Uses the browser's date. Without scripts it is the server's.
"use strict";
const guessed = document.querySelector("[data-guessed]");
const now = new Date();
const two = (number) => String(number).padStart(2, "0");
const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
if (guessed && guessed.dataset.guessed !== day) location.replace(`/today?day=${day}`);

const copy = document.getElementById("copy");
const link = document.getElementById("link");
if (copy && link && navigator.clipboard) {
  copy.hidden = false;
  copy.onclick = async () => { await navigator.clipboard.writeText(link.value); copy.textContent = "Copied"; };
}
