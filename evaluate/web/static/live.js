// Makes a page live: when the server says that something has changed, the part of the page is asked for again.
"use strict";
for (const part of document.querySelectorAll("[data-live]")) {
  const source = new EventSource(part.dataset.events);
  let busy = false, again = false, shown = "";
  const refresh = async () => {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const answer = await fetch(part.dataset.live, { credentials: "same-origin" });
      if (answer.ok && !answer.redirected) {
        const text = await answer.text();
        const open = part.contains(document.activeElement) && document.activeElement !== document.body;
        if (!open && text !== shown) {
          part.innerHTML = shown = text;
          part.dispatchEvent(new Event("renewed", { bubbles: true }));
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
