// What pages gain by script: times in the reader's own zone, countdowns, tables that can be sorted.
"use strict";
const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const apart = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];
const away = (at) => {
  const seconds = at - Date.now() / 1000;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= 2 * size) || UNITS[2];
  return apart.format(Math.trunc(seconds / size), unit);
};
const value = (cell) => {
  const time = cell.querySelector("time[datetime]");
  if (time) return Date.parse(time.dateTime);
  const text = cell.dataset.value ?? cell.textContent.trim(), number = parseFloat(text);
  return Number.isNaN(number) ? text.toLowerCase() : number;
};
const sorted = new Map(); // what a table is called -> the name of its column, and the direction, for when the page renews it
const called = (table) => table.closest("[aria-label]")?.getAttribute("aria-label");
const sort = (table, column, up) => {
  const head = table.tHead.rows[0].cells[column], rows = [...table.tBodies[0].rows];
  sorted.set(called(table), [head.textContent, up]);
  for (const one of table.tHead.rows[0].cells) one.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  rows.sort((a, b) => {
    const [x, y] = [value(a.cells[column]), value(b.cells[column])];
    const order = typeof x !== typeof y ? (typeof x === "number" ? -1 : 1) : typeof x === "number" ? x - y : x.localeCompare(y);
    return up ? order : -order;
  });
  table.tBodies[0].append(...rows);
};
const improve = (part) => {
  for (const one of part.querySelectorAll("time[datetime]")) {
    const at = new Date(one.dateTime), text = `${local.format(at)} your time`;
    if (!at.getTimezoneOffset()) continue;
    if ("local" in one.dataset) one.insertAdjacentHTML("afterend", ` <small>(${text})</small>`);
    else one.title = text;
  }
  for (const one of part.querySelectorAll("[data-until]")) one.textContent = away(Number(one.dataset.until));
  for (const table of part.querySelectorAll("table[data-sort]")) {
    [...table.tHead.rows[0].cells].forEach((cell, column) => {
      if (!cell.textContent.trim() || cell.querySelector("button, .axis")) return;
      const button = document.createElement("button");
      button.append(...cell.childNodes);
      cell.append(button);
      button.addEventListener("click", () => sort(table, column, cell.getAttribute("aria-sort") !== "ascending"));
    });
    const [name, up] = sorted.get(called(table)) ?? [];
    const column = [...table.tHead.rows[0].cells].findIndex((cell) => cell.textContent === name);
    if (column >= 0) sort(table, column, up);
  }
};
improve(document);
document.addEventListener("renewed", (event) => improve(event.target));
setInterval(() => {
  for (const one of document.querySelectorAll("[data-until]")) one.textContent = away(Number(one.dataset.until));
}, 30000);
