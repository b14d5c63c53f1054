// The secret of an invitation stands behind the # of its link, which no server ever sees. It moves into the form, and
// out of the address, at once. As long as the page is open in this tab, it is not asked for again.
"use strict";
const secret = document.getElementById("secret");

function keep(value) {
  try { sessionStorage.setItem(location.pathname, value); } catch { /* Then a reload asks for it. */ }
}

function kept() {
  try { return sessionStorage.getItem(location.pathname) || ""; } catch { return ""; }
}

/** Whoever has the secret is not bothered with it. */
function fill(value) {
  secret.value = value;
  secret.removeAttribute("aria-invalid");
  secret.closest("label").hidden = value !== "";
}

function takeFromAddress() {
  if (location.hash.length < 2) return;
  const value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  keep(value);
  fill(value);
}

// One that was wrong stays in sight, to be mended.
if (secret.getAttribute("aria-invalid")) keep(""); else fill(secret.value || kept());
takeFromAddress();
// A link that is pasted into the same tab changes nothing but what stands behind the #.
window.addEventListener("hashchange", takeFromAddress);
