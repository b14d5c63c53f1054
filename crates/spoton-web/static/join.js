// The secret of an invitation stands behind the # of its link, which no server ever sees. It moves into the form, and
// out of the address, at once.
"use strict";
const secret = document.getElementById("secret");
if (location.hash.length > 1) {
  secret.value = location.hash.slice(1);
  secret.closest("label").hidden = true;
  history.replaceState(null, "", location.pathname);
}
