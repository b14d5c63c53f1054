// An invitation's secret is the fragment of its link, which no server ever sees. This moves it from the address into the
// form immediately, and remembers it for this tab.
"use strict";
const secret = document.getElementById("secret");

function keep(value) {
  try { sessionStorage.setItem(location.pathname, value); } catch { /* Without storage a reload asks for it. */ }
}

function kept() {
  try { return sessionStorage.getItem(location.pathname) || ""; } catch { return ""; }
}

/** Fills in the secret and hides its field. */
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

// A wrong secret stays visible so it can be corrected.
if (secret.getAttribute("aria-invalid")) keep(""); else fill(secret.value || kept());
takeFromAddress();
// A link pasted into the same tab changes only the fragment, so the page doesn't reload.
window.addEventListener("hashchange", takeFromAddress);
