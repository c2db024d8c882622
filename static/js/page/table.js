// @ts-check
/**
 * The table beside a picture: a row for each place that contains timers. Rows are updated
 * one by one, for a few milliseconds per frame, so that a lane with thousands of places
 * does not block the page; rows that are up to date are left unchanged.
 */
import { atLeast } from "../core/search.js";
import { html, setAttr, setText } from "../core/dom.js";
import { fillTimers, isPlain } from "./timers-cell.js";
import { placeKey } from "../state/lane-state.js";
import { placeCell, tableHead, timerTitle } from "../state/words.js";
import { t } from "../core/texts.js";

/** @typedef {import("../state/lane-state.js").Lane} Lane */
/** @typedef {import("../state/lane-state.js").Place} Place */
/**
 * @typedef {object} Task what the rows of a frame need in addition to the lane
 * @property {(id: number) => string} name
 * @property {number} followed id of the followed timer, 0 if none
 * @property {boolean} fast fast playback: a long table may wait
 * @property {number} end time at which to stop, as performance.now()
 */

/** Maximum number of rows of a table, for the lane's first places; PlacesShown in templates/view.go. */
const ROWS_MAX = 16384;
/** Maximum number of places in a table whose timers are all elements; richPlaces in templates/texts.go. */
const RICH_PLACES = 64;
/** Maximum number of rows updated during fast playback. A larger table waits until it has half as many, so that tables do not appear and disappear repeatedly. */
const FAST_ROWS_MAX = 48;
/**
 * Number of slots whose rows share one tbody element, since a browser checks each tbody, instead of
 * each row, for whether it is visible. It equals bodySlots in templates/bodies.go.
 */
const BODY_SLOTS = 64;
/** Number of rows processed between two checks of the time. */
const SLICE_ROWS = 16;

export class Table {
  /** @type {Map<number, HTMLTableRowElement>} */
  #rows = new Map();
  /** @type {Map<number, HTMLElement>} bodies of rows, by the key of their first slot divided by BODY_SLOTS */
  #bodies = new Map();
  /** @type {number[]} keys of the rows, in order */
  #order = [];
  /** @type {Lane|null} */
  #lane = null;
  /** @type {Set<number>} keys whose row is to be updated */
  #due = new Set();
  /** Places from this key on have no row. */
  #cut = Infinity;
  #many = false;
  /** Whether the rows are outdated, because there are too many for fast playback. */
  #stale = false;
  /** Whether the number of places is known. */
  #measured = false;
  /** @type {Task|null} the last task */
  #task = null;
  /** Whether the table is in sight: it is not while it is folded, in a thumbnail, or scrolled away. */
  #seen = true;

  /** @param {Element} box @param {import("../state/words.js").LaneInfo} info */
  constructor(box, info) {
    this.info = info;
    this.box = box;
    this.table = /** @type {HTMLTableElement} */ (box.querySelector("table"));
    this.head = /** @type {Element} */ (box.querySelector("thead th"));
    this.rest = /** @type {HTMLTableSectionElement} */ (box.querySelector("tfoot"));
    this.none = /** @type {HTMLElement} */ (box.querySelector(".none"));
    this.#adopt();
    new IntersectionObserver((entries) => { this.#seen = entries[entries.length - 1].isIntersecting; }).observe(box);
    this.table.addEventListener("pointerover", (e) => this.#point(/** @type {HTMLElement} */ (e.target)));
  }

  /** Takes over the rows rendered by the server. */
  #adopt() {
    for (const row of /** @type {NodeListOf<HTMLTableRowElement>} */ (this.table.querySelectorAll("tr[data-slot]"))) {
      const key = placeKey(Number(row.dataset.level), Number(row.dataset.slot));
      this.#bodies.set(Math.floor(key / BODY_SLOTS), /** @type {HTMLElement} */ (row.parentElement));
      this.#rows.set(key, row);
      this.#order.push(key);
    }
  }

  /**
   * Prepares the row under the pointer: its timers become clickable elements, and a timer
   * under the pointer gets a tooltip. Most rows never need this.
   * @param {HTMLElement} target
   */
  #point(target) {
    const row = /** @type {HTMLTableRowElement|null} */ (target.closest("tr[data-slot]"));
    const place = row && this.#lane?.places.get(placeKey(Number(row.dataset.level), Number(row.dataset.slot)));
    if (place && this.#task && isPlain(row.cells[2])) fillTimers(row.cells[2], place, { ...this.#task, rich: true });
    const entry = target.matches(".timer") ? this.#lane?.index.get(Number(target.dataset.id)) : undefined;
    if (entry) target.title = timerTitle(target.textContent ?? "", entry);
  }

  /** Records what changed. @param {Lane} lane */
  note(lane) {
    this.#lane = lane;
    if (lane.fresh) {
      if (lane.places.size === 0) this.#clear();
      this.#all(lane);
    }
    this.#title(lane);
    if (lane.fresh || lane.touched.size > 0) this.#measured = false;
    for (const key of lane.touched) this.#due.add(key);
    lane.touched.clear();
    lane.fresh = false;
  }

  /** Updates the first column's heading; an added level changes the names of the places. @param {Lane} lane */
  #title(lane) {
    const head = t(`head.${tableHead(this.info, lane.levels)}`);
    if (this.head.textContent === head) return;
    setText(this.head, head);
    this.#all(lane);
  }

  /** Marks all rows for an update. @param {Lane} lane */
  #all(lane) {
    for (const key of this.#rows.keys()) this.#due.add(key);
    for (const key of lane.places.keys()) this.#due.add(key);
  }

  /** Removes all rows at once, which is faster than one by one. */
  #clear() {
    for (const body of this.#bodies.values()) body.remove();
    this.#bodies.clear();
    this.#rows.clear();
    this.#order = [];
    this.#due.clear();
  }

  /** Determines the number of places. @param {Lane} lane */
  #measure(lane) {
    this.#measured = true;
    const size = lane.places.size;
    const cut = size > ROWS_MAX ? Float64Array.from(lane.places.keys()).sort()[ROWS_MAX] : Infinity;
    if (cut !== this.#cut || this.#many !== size > RICH_PLACES) this.#all(lane);
    this.#cut = cut;
    this.#many = size > RICH_PLACES;
    this.box.classList.toggle("many", this.#many);
    this.rest.toggleAttribute("hidden", size <= ROWS_MAX);
    if (size > ROWS_MAX) setText(this.rest.rows[0].cells[0], t("table.rest", { n: size - ROWS_MAX }));
  }

  /** Updates rows until the task's end. Returns whether all are up to date, or need not be: during fast playback, those of a table that can't be seen. @param {Lane} lane @param {Task} task */
  work(lane, task) {
    this.#task = task;
    if (task.fast && !this.#seen) return true;
    const stale = (this.#stale = task.fast && lane.places.size > (this.#stale ? FAST_ROWS_MAX / 2 : FAST_ROWS_MAX));
    this.box.classList.toggle("stale", stale);
    if (!stale) {
      if (!this.#measured) this.#measure(lane);
      this.#slice(lane, task);
    }
    const empty = lane.places.size === 0;
    this.none.toggleAttribute("hidden", !empty && !stale);
    setText(this.none, empty ? t("table.none") : t("table.later", { n: lane.places.size }));
    setAttr(this.box, "aria-busy", String(this.#due.size > 0));
    return stale || this.#due.size === 0;
  }

  /** Updates the next SLICE_ROWS rows. @param {Lane} lane @param {Task} task */
  #slice(lane, task) {
    let worked = 0;
    for (const key of this.#due) {
      this.#due.delete(key);
      this.#row(key, lane, task);
      if (++worked % SLICE_ROWS === 0 && performance.now() > task.end) return;
    }
  }

  /** Updates, creates or removes the row of a place. @param {number} key @param {Lane} lane @param {Task} task */
  #row(key, lane, task) {
    const place = key < this.#cut ? lane.places.get(key) : undefined;
    const old = this.#rows.get(key);
    if (!place) {
      if (old) this.#drop(key, old);
      return;
    }
    const row = old ?? this.#insert(key, place);
    setAttr(row, "data-count", place.count);
    setText(row.cells[0], placeCell(this.info, lane.levels, place.level, place.slot));
    setText(row.cells[1], place.count);
    const followed = task.followed !== 0 && lane.index.get(task.followed)?.place === place;
    fillTimers(row.cells[2], place, { ...task, rich: !this.#many || followed });
  }

  /** Returns the index of a key among the rows, or where it would be inserted. @param {number} key */
  #find(key) { return atLeast(this.#order, key); }

  /** Creates the row of a place. @param {number} key @param {Place} place */
  #insert(key, place) {
    const row = /** @type {HTMLTableRowElement} */ (blankRow.cloneNode(true));
    row.setAttribute("data-level", String(place.level));
    row.setAttribute("data-slot", String(place.slot));
    const at = this.#find(key);
    const body = this.#body(Math.floor(key / BODY_SLOTS));
    const next = this.#rows.get(this.#order[at]);
    body.insertBefore(row, next?.parentElement === body ? next : null);
    this.#order.splice(at, 0, key);
    this.#rows.set(key, row);
    return row;
  }

  /** Returns the body of a row, which is created if it is missing. @param {number} part */
  #body(part) {
    let body = this.#bodies.get(part);
    if (body) return body;
    body = html("tbody");
    const after = this.#rows.get(this.#order[this.#find((part + 1) * BODY_SLOTS)]);
    this.table.insertBefore(body, after?.parentElement ?? this.rest);
    this.#bodies.set(part, body);
    return body;
  }

  /** Removes a row, and its body if that is empty. @param {number} key @param {HTMLTableRowElement} row */
  #drop(key, row) {
    const body = /** @type {Element} */ (row.parentElement);
    row.remove();
    if (!body.firstElementChild) {
      body.remove();
      this.#bodies.delete(Math.floor(key / BODY_SLOTS));
    }
    this.#rows.delete(key);
    this.#order.splice(this.#find(key), 1);
  }

  /** Marks the rows of the previously and the newly followed timer for an update. @param {number} followed */
  follow(followed) {
    for (const span of this.table.querySelectorAll(".timer.followed")) {
      const row = /** @type {HTMLElement} */ (span.closest("tr"));
      this.#due.add(placeKey(Number(row.dataset.level), Number(row.dataset.slot)));
    }
    const place = this.#lane?.index.get(followed)?.place;
    if (place) this.#due.add(placeKey(place.level, place.slot));
  }
}

/** A row to copy: copying is faster than creating. */
const blankRow = html("tr", {}, html("th", { scope: "row" }), html("td", { class: "n" }), html("td"));
