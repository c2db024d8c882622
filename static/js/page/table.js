// @ts-check
/**
 * The table beside a picture, with a row for each place that contains timers. The first rows are visible and updated
 * in one frame. The others are not rendered: they are updated a few milliseconds per frame when the page rests.
 */
import { PLACES_MAX, PLACES_RICH, PLACES_SHOWN, GAP, TIMERS_SHOWN } from "../core/limits.js";
import { html, setAttr, setText } from "../core/dom.js";
import { placeKey } from "../state/lane-state.js";
import { placeCell, tableHead, timerTitle } from "../state/words.js";
import { t } from "../core/texts.js";

/** @typedef {import("../state/lane-state.js").Lane} Lane */
/** @typedef {import("../state/lane-state.js").Place} Place */
/**
 * @typedef {object} Task how the rows of a table are to be updated in a frame
 * @property {(id: number) => string} name returns the name of a timer
 * @property {number} followed id of the followed timer, or 0 if there is none
 * @property {boolean} fast whether playback is fast, so that a long table need not be updated
 * @property {boolean} rests whether the page rests, so that rows out of sight are updated, too
 * @property {number} end time at which to stop, as performance.now()
 */

/** Number of rows updated between two checks of the time. */
const SLICE_ROWS = 16;

export class Table {
  /** @type {Lane|null} */
  #lane = null;
  /** @type {Task|null} the last task */
  #task = null;
  /** Whether a row is outdated. */
  #due = false;
  /** Keys of the places with a row, in order, while the rows are being updated; null before. @type {Float64Array|null} */
  #keys = null;
  /** Number of places whose rows are up to date, if #keys is not null. */
  #done = 0;
  /** The next row to compare with a place, if #keys is not null. @type {Element|null} */
  #next = null;
  /** Whether the table is visible. It is not while it is folded, in a thumbnail, or scrolled out of view. */
  #seen = true;

  /** @param {Element} box @param {import("../state/words.js").LaneInfo} info */
  constructor(box, info) {
    this.info = info;
    this.box = box;
    this.head = /** @type {Element} */ (box.querySelector("thead th"));
    this.bodies = [...box.querySelectorAll("tbody")]; // the visible rows, and the others
    this.rest = /** @type {HTMLTableSectionElement} */ (box.querySelector("tfoot"));
    this.none = /** @type {HTMLElement} */ (box.querySelector(".none"));
    new IntersectionObserver((entries) => { this.#seen = entries[entries.length - 1].isIntersecting; }).observe(box);
    box.addEventListener("pointerover", (e) => this.#point(/** @type {HTMLElement} */ (e.target)));
  }

  /**
   * Prepares the row under the pointer: creates clickable elements for its timers, and a tooltip for the
   * timer under the pointer. Most rows never need them.
   * @param {HTMLElement} target
   */
  #point(target) {
    const row = target.closest("tr[data-slot]");
    const place = row && this.#lane?.places.get(keyOf(row));
    if (place && this.#task && isPlain(timersCell(row))) fillTimers(timersCell(row), place, { ...this.#task, rich: true });
    const entry = target.matches(".timer") ? this.#lane?.index.get(Number(target.dataset.id)) : undefined;
    if (entry) target.title = timerTitle(target.textContent ?? "", entry);
  }

  /** Notes whether the rows are outdated. @param {Lane} lane */
  note(lane) {
    this.#lane = lane;
    const head = t(`head.${tableHead(this.info, lane.levels)}`); // if a level was added, the names of all places change, too
    if (lane.fresh || lane.changed || this.head.textContent !== head) this.change();
    setText(this.head, head);
    lane.changed = lane.fresh = false;
  }

  /** Makes all rows outdated. */
  change() {
    this.#due = true;
    this.#keys = null;
  }

  /**
   * Updates rows. Returns true if the table needs no further frame before it changes or the page rests.
   * @param {Lane} lane @param {Task} task
   */
  work(lane, task) {
    this.#task = task;
    if (!this.#due || !task.rests && !this.#seen) return true;
    const { size } = lane.places;
    const waits = task.fast && size > PLACES_SHOWN;
    this.box.classList.toggle("stale", waits);
    if (!waits) this.#fill(lane, task);
    this.rest.toggleAttribute("hidden", size <= PLACES_SHOWN);
    setText(this.rest.rows[0].cells[0], t("table.rest", { n: Math.max(size - PLACES_SHOWN, 0) }));
    this.none.toggleAttribute("hidden", size > 0 && !waits);
    setText(this.none, size > 0 ? t("table.later", { n: size }) : t("table.none"));
    setAttr(this.box, "aria-busy", String(this.#due));
    return !this.#due || !task.rests;
  }

  /** Updates the visible rows and, if the page rests, the others until the time of the task is over. @param {Lane} lane @param {Task} task */
  #fill(lane, task) {
    if (!this.#keys) {
      this.#keys = Float64Array.from(lane.places.keys()).sort().subarray(0, PLACES_MAX);
      this.#done = 0;
      this.#next = this.bodies[0].firstElementChild;
    }
    const keys = this.#keys;
    for (; this.#done < keys.length; this.#done++) {
      if (this.#done === PLACES_SHOWN) this.#end();
      if (this.#done >= PLACES_SHOWN && (!task.rests || this.#done % SLICE_ROWS === 0 && performance.now() > task.end)) return;
      this.#row(this.bodies[Number(this.#done >= PLACES_SHOWN)], keys[this.#done], lane, task);
    }
    if (keys.length <= PLACES_SHOWN) this.#end();
    while (this.#next) this.#skip();
    this.#due = false;
    this.#keys = null;
  }

  /** Removes the visible rows that are left, and goes to the first of the others. */
  #end() {
    while (this.#next) this.#skip();
    this.#next = this.bodies[1].firstElementChild;
  }

  /** Removes the next row. */
  #skip() {
    const row = this.#next;
    this.#next = row?.nextElementSibling ?? null;
    row?.remove();
  }

  /** Updates or creates the row of a place, and removes the rows before it. @param {Element} body @param {number} key @param {Lane} lane @param {Task} task */
  #row(body, key, lane, task) {
    const place = /** @type {Place} */ (lane.places.get(key));
    while (this.#next && keyOf(this.#next) < key) this.#skip();
    let row = this.#next;
    if (row && keyOf(row) === key) {
      this.#next = row.nextElementSibling;
    } else {
      row = /** @type {Element} */ (blankRow.cloneNode(true));
      row.setAttribute("data-level", String(place.level));
      row.setAttribute("data-slot", String(place.slot));
      body.insertBefore(row, this.#next);
    }
    setAttr(row, "data-count", place.count);
    const head = /** @type {Element} */ (row.firstElementChild);
    setText(head, placeCell(this.info, lane.levels, place.level, place.slot));
    setText(/** @type {Element} */ (head.nextElementSibling), place.count);
    const followed = task.followed !== 0 && lane.index.get(task.followed)?.place === place;
    fillTimers(timersCell(row), place, { ...task, rich: lane.places.size <= PLACES_RICH || followed });
  }
}

/** Returns the key of the place of a row. @param {Element} row */
function keyOf(row) { return placeKey(Number(row.getAttribute("data-level")), Number(row.getAttribute("data-slot"))); }

/** Returns the last cell of a row, with the names of its timers. @param {Element} row */
function timersCell(row) { return /** @type {Element} */ (row.lastElementChild); }

/** A row from which rows are copied. Copying is faster than creating a row. */
const blankRow = html("tr", {}, html("th", { scope: "row" }), html("td", { class: "n" }), html("td"));

/** @typedef {import("../state/lane-state.js").Entry} Entry */

/**
 * The displayed content of each cell. It is used to recognise unchanged cells.
 * @type {WeakMap<Element, string>}
 */
const shownContent = new WeakMap();

/** Reports whether a cell names its timers in plain text. @param {Element} cell */
function isPlain(cell) {
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
