// @ts-check
/**
 * The table beside a picture: a row for each place that holds timers. Rows are
 * changed one by one, a few milliseconds a frame, so that a lane of thousands of
 * places never stops the page.
 */
import { html, setAttr, setText } from "./dom.js";
import { placeKey } from "./lane-state.js";
import { placeCell, tableHead, timerTitle } from "./words.js";
import { t } from "./texts.js";

/** @typedef {import("./lane-state.js").Lane} Lane */
/** @typedef {import("./lane-state.js").Place} Place */

/** Timers of a place that are named; then "+N". */
export const NAMED = 20;
/** Rows of a table at most; a heap can hold more places than that. */
const ROWS_MAX = 16384;
/** Rows of a lane that is followed while the clock runs fast. */
const LIVELY_ROWS = 48;
const SLICE_MS = 3;
/** Rows that are worked on whatever the time. */
const SLICE_ROWS = 64;

export class Table {
  /** @type {Map<number, HTMLTableRowElement>} */
  #rows = new Map();
  /** @type {number[]} keys of the rows, in order */
  #order = [];
  /** @type {Lane|null} */
  #lane = null;
  /** @type {Set<number>} keys whose row is to be looked at */
  #due = new Set();

  /** @param {Element} box @param {import("./words.js").LaneInfo} info */
  constructor(box, info) {
    this.info = info;
    this.box = box;
    this.body = /** @type {HTMLElement} */ (box.querySelector("tbody"));
    this.head = /** @type {Element} */ (box.querySelector("thead th"));
    this.none = /** @type {HTMLElement} */ (box.querySelector(".none"));
    this.#adopt();
    this.body.addEventListener("pointerover", (e) => this.#title(/** @type {HTMLElement} */ (e.target)));
  }

  /** Takes over the rows that the server wrote. */
  #adopt() {
    for (const row of /** @type {NodeListOf<HTMLTableRowElement>} */ (this.body.querySelectorAll("tr[data-slot]"))) {
      const key = placeKey(Number(row.dataset.level), Number(row.dataset.slot));
      this.#rows.set(key, row);
      this.#order.push(key);
    }
  }

  /** A timer in words, when it is pointed at: most never are. @param {HTMLElement} span */
  #title(span) {
    const entry = span.matches(".timer") ? this.#lane?.index.get(Number(span.dataset.id)) : undefined;
    if (entry) span.title = timerTitle(span.textContent ?? "", entry);
  }

  /** Takes note of what changed. @param {Lane} lane */
  note(lane) {
    this.#lane = lane;
    if (lane.fresh) {
      for (const key of this.#rows.keys()) this.#due.add(key);
      for (const key of lane.places.keys()) this.#due.add(key);
      setText(this.head, t(`head.${tableHead(this.info, lane.levels)}`));
    }
    for (const key of lane.touched) this.#due.add(key);
    lane.touched.clear();
    lane.fresh = false;
  }

  /**
   * Works on the rows for a slice of time. True when all is told.
   * @param {Lane} lane @param {(id: number) => string} name @param {number} followed @param {boolean} fast
   */
  work(lane, name, followed, fast) {
    const stale = fast && Math.max(lane.places.size, this.#rows.size) > LIVELY_ROWS;
    this.box.classList.toggle("stale", stale);
    if (!stale) this.#slice(lane, name, followed);
    const empty = lane.places.size === 0;
    this.none.hidden = !empty && !stale;
    setText(this.none, empty ? t("table.none") : t("table.later", { n: lane.places.size }));
    setAttr(this.box, "aria-busy", String(this.#due.size > 0));
    return stale || this.#due.size === 0;
  }

  /** @param {Lane} lane @param {(id: number) => string} name @param {number} followed */
  #slice(lane, name, followed) {
    const end = performance.now() + SLICE_MS;
    let worked = 0;
    for (const key of this.#due) {
      this.#due.delete(key);
      this.#row(key, lane, name, followed);
      if (++worked >= SLICE_ROWS && performance.now() > end) return;
    }
  }

  /** @param {number} key @param {Lane} lane @param {(id: number) => string} name @param {number} followed */
  #row(key, lane, name, followed) {
    const place = lane.places.get(key);
    let row = this.#rows.get(key);
    if (!place) {
      if (row) this.#drop(key, row);
      return;
    }
    if (!row) {
      if (this.#rows.size >= ROWS_MAX) return;
      row = this.#insert(key, place);
    }
    setAttr(row, "data-count", place.count);
    setText(row.cells[0], placeCell(this.info, lane.levels, place.level, place.slot));
    setText(row.cells[1], place.count);
    fillTimers(row.cells[2], place, name, followed);
  }

  /** @param {number} key @param {Place} place */
  #insert(key, place) {
    const row = /** @type {HTMLTableRowElement} */ (html("tr", { "data-level": place.level, "data-slot": place.slot }));
    row.append(html("th", { scope: "row" }), html("td", { class: "n" }), html("td"));
    let [low, high] = [0, this.#order.length];
    while (low < high) {
      const mid = (low + high) >> 1;
      if (this.#order[mid] < key) low = mid + 1;
      else high = mid;
    }
    const next = this.#rows.get(this.#order[low]);
    this.body.insertBefore(row, next ?? null);
    this.#order.splice(low, 0, key);
    this.#rows.set(key, row);
    return row;
  }

  /** @param {number} key @param {HTMLTableRowElement} row */
  #drop(key, row) {
    row.remove();
    this.#rows.delete(key);
    this.#order.splice(this.#order.indexOf(key), 1);
  }

  /** Marks the followed timer's names. @param {number} followed */
  follow(followed) {
    for (const span of this.body.querySelectorAll(".timer.followed")) span.classList.remove("followed");
    if (followed) for (const span of this.body.querySelectorAll(`.timer[data-id="${followed}"]`)) span.classList.add("followed");
  }
}

/** What a cell shows, so that it is not written again. @type {WeakMap<HTMLElement, string>} */
const looks = new WeakMap();

/** Names a place's first timers, then how many more there are. @param {HTMLElement} cell @param {Place} place @param {(id: number) => string} name @param {number} followed */
function fillTimers(cell, place, name, followed) {
  const shown = place.entries.slice(0, NAMED);
  const look = `${place.count}:${shown.map((e) => `${e.id}/${e.rounds}/${e.marked ? 1 : 0}`)}`;
  if (looks.get(cell) === look) return;
  looks.set(cell, look);
  const parts = [];
  for (const entry of shown) {
    const text = name(entry.id);
    const span = html("span", { class: "timer", "data-id": entry.id }, text);
    span.classList.toggle("marked", entry.marked);
    span.classList.toggle("followed", entry.id === followed);
    parts.push(span, " ");
  }
  if (place.count > shown.length) parts.push(html("span", { class: "more" }, `+${place.count - shown.length}`));
  cell.replaceChildren(...parts);
}
