// @ts-check
/**
 * The table beside a picture, with a row for each place that contains timers. Only outdated rows are updated,
 * and only for a few milliseconds per frame, so that a lane with thousands of places does not block the page.
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
 * @typedef {object} Task how the rows of a table are to be updated in a frame
 * @property {(id: number) => string} name returns the name of a timer
 * @property {number} followed id of the followed timer, or 0 if there is none
 * @property {boolean} fast whether playback is fast, so that a long table need not be updated
 * @property {number} end time at which to stop, as performance.now()
 */

/**
 * Maximum number of rows of a table, which show the first places of the lane. It must equal PlacesShown in
 * templates/view.go.
 */
const ROWS_MAX = 16384;
/**
 * Maximum number of places in a table that has an element for each timer. It must equal richPlaces in
 * templates/texts.go.
 */
const RICH_PLACES = 64;
/**
 * Maximum number of rows of a table that is updated during fast playback. A larger table is not updated until
 * it has at most half as many rows, so that tables do not appear and disappear repeatedly.
 */
const FAST_ROWS_MAX = 48;
/**
 * Number of slots whose rows share a tbody element. A browser checks whether each tbody is visible, instead
 * of each row. It must equal bodySlots in templates/bodies.go.
 */
const BODY_SLOTS = 64;
/** Number of rows processed between two checks of the time. */
const SLICE_ROWS = 16;

export class Table {
  /** @type {Map<number, HTMLTableRowElement>} */
  #rows = new Map();
  /** @type {Map<number, HTMLElement>} tbody elements, by the keys of their places divided by BODY_SLOTS */
  #bodies = new Map();
  /** @type {number[]} keys of the rows, in order */
  #order = [];
  /** @type {Lane|null} */
  #lane = null;
  /** @type {Set<number>} keys of the outdated rows */
  #due = new Set();
  /** Key of the first place without a row, if there are more than ROWS_MAX places; Infinity if all places have one. */
  #cut = Infinity;
  #many = false;
  /** Whether the table is not updated, because it has too many rows for fast playback. */
  #stale = false;
  /** Whether #cut is up to date. */
  #measured = false;
  /** @type {Task|null} the last task */
  #task = null;
  /**
   * Whether the table is visible. It is not visible while it is folded, in a thumbnail, or scrolled out of
   * view.
   */
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

  /** Adds the rows that the server has rendered. */
  #adopt() {
    for (const row of /** @type {NodeListOf<HTMLTableRowElement>} */ (this.table.querySelectorAll("tr[data-slot]"))) {
      const key = placeKey(Number(row.dataset.level), Number(row.dataset.slot));
      this.#bodies.set(Math.floor(key / BODY_SLOTS), /** @type {HTMLElement} */ (row.parentElement));
      this.#rows.set(key, row);
      this.#order.push(key);
    }
  }

  /**
   * Prepares the row under the pointer: creates clickable elements for its timers, and a tooltip for the
   * timer under the pointer. Most rows never need them.
   * @param {HTMLElement} target
   */
  #point(target) {
    const row = /** @type {HTMLTableRowElement|null} */ (target.closest("tr[data-slot]"));
    const place = row && this.#lane?.places.get(placeKey(Number(row.dataset.level), Number(row.dataset.slot)));
    if (place && this.#task && isPlain(timersCell(row))) fillTimers(timersCell(row), place, { ...this.#task, rich: true });
    const entry = target.matches(".timer") ? this.#lane?.index.get(Number(target.dataset.id)) : undefined;
    if (entry) target.title = timerTitle(target.textContent ?? "", entry);
  }

  /** Marks the rows that have changed as outdated. @param {Lane} lane */
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

  /**
   * Updates the heading of the first column. If a level was added, the names of all places change as well.
   * @param {Lane} lane
   */
  #title(lane) {
    const head = t(`head.${tableHead(this.info, lane.levels)}`);
    if (this.head.textContent === head) return;
    setText(this.head, head);
    this.#all(lane);
  }

  /** Marks all rows as outdated. @param {Lane} lane */
  #all(lane) {
    for (const key of this.#rows.keys()) this.#due.add(key);
    for (const key of lane.places.keys()) this.#due.add(key);
  }

  /** Removes all rows at once, which is faster than removing each. */
  #clear() {
    for (const body of this.#bodies.values()) body.remove();
    this.#bodies.clear();
    this.#rows.clear();
    this.#order = [];
    this.#due.clear();
  }

  /** Determines which places have a row. @param {Lane} lane */
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

  /**
   * Updates rows until the end of the task. Returns true if no row is left to update. During fast playback,
   * updates no rows and returns true if the table is not visible or too long.
   * @param {Lane} lane @param {Task} task
   */
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

  /** Updates outdated rows until none is left or the time of the task is over. @param {Lane} lane @param {Task} task */
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
    const head = /** @type {Element} */ (row.firstElementChild);
    setText(head, placeCell(this.info, lane.levels, place.level, place.slot));
    setText(/** @type {Element} */ (head.nextElementSibling), place.count);
    const followed = task.followed !== 0 && lane.index.get(task.followed)?.place === place;
    fillTimers(timersCell(row), place, { ...task, rich: !this.#many || followed });
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

  /** Returns a tbody element, and creates it if it is missing. @param {number} part key of any of its places, divided by BODY_SLOTS and rounded down */
  #body(part) {
    let body = this.#bodies.get(part);
    if (body) return body;
    body = html("tbody");
    const after = this.#rows.get(this.#order[this.#find((part + 1) * BODY_SLOTS)]);
    this.table.insertBefore(body, after?.parentElement ?? this.rest);
    this.#bodies.set(part, body);
    return body;
  }

  /**
   * Removes a row, and its tbody element if that is then empty.
   * @param {number} key @param {HTMLTableRowElement} row
   */
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

  /**
   * Marks the rows of the previously and of the newly followed timer as outdated.
   * @param {number} followed
   */
  follow(followed) {
    for (const span of this.table.querySelectorAll(".timer.followed")) {
      const row = /** @type {HTMLElement} */ (span.closest("tr"));
      this.#due.add(placeKey(Number(row.dataset.level), Number(row.dataset.slot)));
    }
    const place = this.#lane?.index.get(followed)?.place;
    if (place) this.#due.add(placeKey(place.level, place.slot));
  }
}

/**
 * Returns the last cell of a row, with the names of its timers. The property `cells` would make the browser
 * keep a collection for each of thousands of rows.
 * @param {Element} row
 */
function timersCell(row) { return /** @type {Element} */ (row.lastElementChild); }

/** A row from which rows are copied. Copying is faster than creating a row. */
const blankRow = html("tr", {}, html("th", { scope: "row" }), html("td", { class: "n" }), html("td"));
