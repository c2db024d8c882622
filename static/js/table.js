// @ts-check
/**
 * The table beside a picture: a row for each place that holds timers. Rows are
 * changed one by one, a few milliseconds a frame, so that a lane of thousands of
 * places never stops the page; a row that is right already is left alone.
 */
import { html, setAttr, setText } from "./dom.js";
import { fillTimers, isPlain } from "./timers-cell.js";
import { placeKey } from "./lane-state.js";
import { placeCell, tableHead, timerTitle } from "./words.js";
import { t } from "./texts.js";

/** @typedef {import("./lane-state.js").Lane} Lane */
/** @typedef {import("./lane-state.js").Place} Place */
/**
 * @typedef {object} Task what the rows of a frame need besides the lane
 * @property {(id: number) => string} name
 * @property {number} followed id of the followed timer, 0: none
 * @property {boolean} fast the clock runs fast: a long table may wait
 * @property {number} end when to stop, by performance.now()
 */

/** Rows of a table at most, the first of the lane's places; PlacesShown in templates/view.go. */
const ROWS_MAX = 16384;
/** Places of a table whose timers are all elements; richPlaces in templates/texts.go. */
const RICH_PLACES = 64;
/** Rows of a lane that is followed while the clock runs fast. One that has more waits until it has half as many: no table comes and goes. */
const LIVELY_ROWS = 48;
/**
 * Slots whose rows share a body: a browser looks at each body, not at each row, to see
 * what is in view. bodySlots in templates/bodies.go.
 */
const BODY_SLOTS = 64;
/** Rows that are worked on between two looks at the time. */
const SLICE_ROWS = 16;

export class Table {
  /** @type {Map<number, HTMLTableRowElement>} */
  #rows = new Map();
  /** @type {Map<number, HTMLElement>} bodies of rows by the key of their first slot, divided */
  #bodies = new Map();
  /** @type {number[]} keys of the rows, in order */
  #order = [];
  /** @type {Lane|null} */
  #lane = null;
  /** @type {Set<number>} keys whose row is to be looked at */
  #due = new Set();
  /** Places from this key on have no row. */
  #cut = Infinity;
  #many = false;
  /** The rows are of what was: the clock runs fast, and they are too many. */
  #stale = false;
  /** How many places there are is known. */
  #measured = false;
  /** @type {Task|null} the last one */
  #task = null;

  /** @param {Element} box @param {import("./words.js").LaneInfo} info */
  constructor(box, info) {
    this.info = info;
    this.box = box;
    this.table = /** @type {HTMLTableElement} */ (box.querySelector("table"));
    this.head = /** @type {Element} */ (box.querySelector("thead th"));
    this.rest = /** @type {HTMLElement} */ (box.querySelector("tfoot"));
    this.none = /** @type {HTMLElement} */ (box.querySelector(".none"));
    this.#adopt();
    this.table.addEventListener("pointerover", (e) => this.#point(/** @type {HTMLElement} */ (e.target)));
  }

  /** Takes over the rows that the server wrote. */
  #adopt() {
    for (const row of /** @type {NodeListOf<HTMLTableRowElement>} */ (this.table.querySelectorAll("tr[data-slot]"))) {
      const key = placeKey(Number(row.dataset.level), Number(row.dataset.slot));
      this.#bodies.set(Math.floor(key / BODY_SLOTS), /** @type {HTMLElement} */ (row.parentElement));
      this.#rows.set(key, row);
      this.#order.push(key);
    }
  }

  /**
   * What is pointed at: a row's timers become elements that can be clicked, a
   * timer tells itself in words. Most never are.
   * @param {HTMLElement} target
   */
  #point(target) {
    const row = /** @type {HTMLTableRowElement|null} */ (target.closest("tr[data-slot]"));
    const place = row && this.#lane?.places.get(placeKey(Number(row.dataset.level), Number(row.dataset.slot)));
    if (place && this.#task && isPlain(row.cells[2])) fillTimers(row.cells[2], place, { ...this.#task, rich: true });
    const entry = target.matches(".timer") ? this.#lane?.index.get(Number(target.dataset.id)) : undefined;
    if (entry) target.title = timerTitle(target.textContent ?? "", entry);
  }

  /** Takes note of what changed. @param {Lane} lane */
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

  /** Names the first column; where a level came to be, the places are called otherwise than before. @param {Lane} lane */
  #title(lane) {
    const head = t(`head.${tableHead(this.info, lane.levels)}`);
    if (this.head.textContent === head) return;
    setText(this.head, head);
    this.#all(lane);
  }

  /** Every row is to be looked at. @param {Lane} lane */
  #all(lane) {
    for (const key of this.#rows.keys()) this.#due.add(key);
    for (const key of lane.places.keys()) this.#due.add(key);
  }

  /** Takes every row away at once: one by one would take long where there are thousands. */
  #clear() {
    for (const body of this.#bodies.values()) body.remove();
    this.#bodies.clear();
    this.#rows.clear();
    this.#order = [];
    this.#due.clear();
  }

  /** Takes note of how many places there are. @param {Lane} lane */
  #measure(lane) {
    this.#measured = true;
    const size = lane.places.size;
    const cut = size > ROWS_MAX ? Float64Array.from(lane.places.keys()).sort()[ROWS_MAX] : Infinity;
    if (cut !== this.#cut || this.#many !== size > RICH_PLACES) this.#all(lane);
    this.#cut = cut;
    this.#many = size > RICH_PLACES;
    this.box.classList.toggle("many", this.#many);
    this.rest.hidden = size <= ROWS_MAX;
    if (size > ROWS_MAX) setText(this.rest.rows[0].cells[0], t("table.rest", { n: size - ROWS_MAX }));
  }

  /** Works on the rows until the task's end. True when all is told. @param {Lane} lane @param {Task} task */
  work(lane, task) {
    this.#task = task;
    const stale = (this.#stale = task.fast && lane.places.size > (this.#stale ? LIVELY_ROWS / 2 : LIVELY_ROWS));
    this.box.classList.toggle("stale", stale);
    if (!stale) {
      if (!this.#measured) this.#measure(lane);
      this.#slice(lane, task);
    }
    const empty = lane.places.size === 0;
    this.none.hidden = !empty && !stale;
    setText(this.none, empty ? t("table.none") : t("table.later", { n: lane.places.size }));
    setAttr(this.box, "aria-busy", String(this.#due.size > 0));
    return stale || this.#due.size === 0;
  }

  /** @param {Lane} lane @param {Task} task */
  #slice(lane, task) {
    let worked = 0;
    for (const key of this.#due) {
      this.#due.delete(key);
      this.#row(key, lane, task);
      if (++worked % SLICE_ROWS === 0 && performance.now() > task.end) return;
    }
  }

  /** @param {number} key @param {Lane} lane @param {Task} task */
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

  /** Where a key stands, or would stand, among the rows. @param {number} key */
  #find(key) {
    let [low, high] = [0, this.#order.length];
    while (low < high) {
      const mid = (low + high) >> 1;
      if (this.#order[mid] < key) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  /** @param {number} key @param {Place} place */
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

  /** The body of a row, made where it belongs if it is not there. @param {number} part */
  #body(part) {
    let body = this.#bodies.get(part);
    if (body) return body;
    body = html("tbody");
    const after = this.#rows.get(this.#order[this.#find((part + 1) * BODY_SLOTS)]);
    this.table.insertBefore(body, after?.parentElement ?? this.rest);
    this.#bodies.set(part, body);
    return body;
  }

  /** @param {number} key @param {HTMLTableRowElement} row */
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

  /** The rows of the timer that was followed and of the one that is are to be looked at. @param {number} followed */
  follow(followed) {
    for (const span of this.table.querySelectorAll(".timer.followed")) {
      const row = /** @type {HTMLElement} */ (span.closest("tr"));
      this.#due.add(placeKey(Number(row.dataset.level), Number(row.dataset.slot)));
    }
    const place = this.#lane?.index.get(followed)?.place;
    if (place) this.#due.add(placeKey(place.level, place.slot));
  }
}

/** A row to be copied: copying is faster than making. */
const blankRow = html("tr");
blankRow.append(html("th", { scope: "row" }), html("td", { class: "n" }), html("td"));
