// @ts-check
/**
 * The cell of a table with the names of the first timers of a place, followed by "+N" if there are more. A
 * short table has an element for each timer. A long one has plain text, and creates elements for the row
 * under the pointer.
 */
import { GAP, TIMERS_SHOWN } from "../core/limits.js";
import { html } from "../core/dom.js";

/** @typedef {import("../state/lane-state.js").Entry} Entry */

/**
 * The displayed content of each cell. It is used to recognise unchanged cells.
 * @type {WeakMap<Element, string>}
 */
const shownContent = new WeakMap();

/** Reports whether a cell names its timers in plain text. @param {Element} cell */
export function isPlain(cell) {
  return !cell.querySelector(".timer");
}

/**
 * Writes the names of the first timers of a place, and the number of further timers. Marked timers always
 * have elements, so that the mark is visible.
 * @param {Element} cell @param {import("../state/lane-state.js").Place} place
 * @param {{name: (id: number) => string, followed: number, rich: boolean}} how
 */
export function fillTimers(cell, place, { name, followed, rich }) {
  const shown = place.entries.slice(0, TIMERS_SHOWN);
  const names = shown.map((e) => name(e.id));
  const more = place.count > shown.length ? `+${place.count - shown.length}` : "";
  if (!rich && !shown.some((e) => e.marked)) return fillPlain(cell, names.join(GAP), more);
  const content = `${more}:${shown.map((e, i) => `${e.id}/${e.marked ? 1 : 0}${e.id === followed ? 1 : 0}/${names[i]}`)}`;
  if (shownContent.get(cell) === content) return;
  shownContent.set(cell, content);
  const parts = shown.flatMap((entry, i) => [timerSpan(entry, names[i], followed), " "]);
  cell.replaceChildren(...(more ? [...parts, moreSpan(more)] : parts.slice(0, -1)));
}

/** Writes the names as plain text. @param {Element} cell @param {string} text @param {string} more */
function fillPlain(cell, text, more) {
  const content = `${text} ${more}`;
  const shown = shownContent.get(cell) ?? spaced(cell.textContent ?? ""); // the text that the server rendered may be up to date
  if (isPlain(cell) && (shown === content || shown === spaced(content))) return;
  shownContent.set(cell, content);
  cell.textContent = more && text ? `${text} ` : text;
  if (more) cell.append(moreSpan(more));
}

/** Collapses spaces, tabs and line breaks to single spaces and trims the text, as a browser does for HTML. @param {string} text */
function spaced(text) {
  return text.replace(/[ \n\t]+/g, " ").trim();
}

/** Returns the element of a timer. @param {Entry} entry @param {string} name @param {number} followed */
function timerSpan(entry, name, followed) {
  const span = html("span", { class: "timer", "data-id": entry.id }, name);
  span.classList.toggle("marked", entry.marked);
  span.classList.toggle("followed", entry.id === followed);
  return span;
}

/** Returns the element with the number of further timers. @param {string} text */
function moreSpan(text) {
  return html("span", { class: "more" }, text);
}
