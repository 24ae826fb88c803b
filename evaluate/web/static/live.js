// Makes a page live: when the server says that something has changed, the part of the page is asked for again.  What the
// reader opened, scrolled, sorted (page.js) and reached by keyboard stays so.
"use strict";
for (const part of document.querySelectorAll("[data-live]")) {
  const source = new EventSource(part.dataset.events);
  const name = (one) => `${one.tagName} ${one.getAttribute("aria-label") ?? one.textContent}`;
  let busy = false, again = false, shown = "";
  const refresh = async () => {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const answer = await fetch(part.dataset.live, { credentials: "same-origin" });
      if (answer.ok && !answer.redirected) {
        const text = await answer.text();
        const now = document.activeElement, typing = part.contains(now) && now.matches("input, select, textarea");
        if (!typing && text !== shown) {
          const opened = [...part.querySelectorAll("details")].map((one) => one.open);
          const along = [...part.querySelectorAll(".scroll")].map((one) => one.scrollLeft);
          const focused = part.contains(now) ? name(now) : "";
          part.innerHTML = shown = text;
          part.querySelectorAll("details").forEach((one, n) => { one.open = opened[n] ?? one.open; });
          part.querySelectorAll(".scroll").forEach((one, n) => { one.scrollLeft = along[n] ?? 0; });
          part.dispatchEvent(new Event("renewed", { bubbles: true }));
          const same = [...part.querySelectorAll("a, button, summary, [tabindex]")].find((one) => name(one) === focused);
          same?.focus({ preventScroll: true });
        }
      }
    } catch (e) { /* the next event, or a reload, shows it */ }
    busy = false;
    if (again) { again = false; soon(); }
  };
  // many readers of one page must not all ask in the same moment
  const soon = () => setTimeout(refresh, Math.random() * (part.dataset.spread || 300));
  source.addEventListener("changed", soon);
  // what changed while the browser was away
  source.addEventListener("open", soon);
}
