// Keeps a part of a page current: asks for the page every few seconds, with the ETag of what is shown.  What the reader
// opened, scrolled, sorted (page.js) and reached by keyboard stays so.
"use strict";
const part = document.getElementById("live");
if (part) {
  const name = (one) => `${one.tagName} ${one.getAttribute("aria-label") ?? one.textContent}`;
  let tag = "", over = !part.dataset.seconds;
  const show = (text) => {
    const now = document.activeElement;
    if (part.contains(now) && now.matches("input, select, textarea")) return false;
    const opened = [...part.querySelectorAll("details")].map((one) => one.open);
    const along = [...part.querySelectorAll(".scroll")].map((one) => one.scrollLeft);
    const focused = part.contains(now) ? name(now) : "";
    const renewed = new DOMParser().parseFromString(text, "text/html").getElementById("live");
    part.replaceChildren(...renewed.childNodes);
    over = !renewed.dataset.seconds;
    part.querySelectorAll("details").forEach((one, n) => { one.open = opened[n] ?? one.open; });
    part.querySelectorAll(".scroll").forEach((one, n) => { one.scrollLeft = along[n] ?? 0; });
    part.dispatchEvent(new Event("renewed", { bubbles: true }));
    const same = [...part.querySelectorAll("a, button, summary, [tabindex]")].find((one) => name(one) === focused);
    same?.focus({ preventScroll: true });
    return true;
  };
  const refresh = async () => {
    if (!document.hidden) {
      try {
        const headers = tag ? { "If-None-Match": tag } : {};
        const answer = await fetch(location.pathname, { credentials: "same-origin", cache: "no-store", headers });
        if (answer.ok && !answer.redirected && show(await answer.text())) tag = answer.headers.get("ETag") ?? "";
      } catch (e) { /* the next time, or a reload, shows it */ }
    }
    // many readers of one page must not all ask in the same moment
    if (!over) setTimeout(refresh, part.dataset.seconds * (750 + 500 * Math.random()));
  };
  if (!over) setTimeout(refresh, part.dataset.seconds * 1000 * Math.random());
  document.addEventListener("visibilitychange", () => { if (!document.hidden) tag = ""; });
}
