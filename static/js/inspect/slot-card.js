// @ts-check
/**
 * A feature of the page: a card about a single slot, with its range of due ticks, the tick at which it is
 * processed, its timers, and the adjacent slots. The slots are magnified, so that even one of 4,096 slots is
 * visible. The card is shown while the pointer is on a ring. A click or a key pins it, and Esc closes it.
 * node-card.js is the counterpart for lists and heaps.
 */
import { html, setAttr, setText, svg } from "../core/dom.js";
import { Card, cardButton as button } from "./card.js";
import { handSlot, placeKey } from "../state/lane-state.js";
import { placeName, timerTitle } from "../state/words.js";
import { rangeOf } from "./ranges.js";
import { t } from "../core/texts.js";
import { fix, mod } from "../picture/face.js";

/** Maximum number of timers of a slot whose names are shown. */
const NAMED = 8;
/** @typedef {{lane: number, level: number, slot: number}} Found the slot of a lane that the card shows */

/** @extends {Card<Found>} */
export class SlotCard extends Card {
  #level = 0;
  #slot = 0;

  /** @param {any} app */
  constructor(app) {
    super(app, "slot-card");
    this.row = new SlotRow((slot) => this.#go(slot));
    this.title = html("h2", { id: "slot-card-title" });
    this.range = html("p", { class: "range" });
    this.visit = html("p", { class: "visit" });
    this.timers = html("ul", { class: "slot-timers" });
    const steps = /** @type {[string, string, () => void][]} */ ([
      ["prev", "◀", () => this.#go(this.#slot - 1)], ["next", "▶", () => this.#go(this.#slot + 1)],
      ["held-prev", "◀●", () => this.#seek(-1)], ["held-next", "●▶", () => this.#seek(1)],
      ["level", "↕", () => this.#turnLevel()], ["wider", "−", () => this.#zoom(2)], ["closer", "+", () => this.#zoom(0.5)],
    ]);
    const bar = html("div", { class: "slot-steps wraps", role: "group", "aria-label": t("lane.slot.steps") },
      ...steps.map(([name, sign, act]) => button(`slot-${name}`, t(`lane.slot.${name}`), sign, act)));
    this.levelButton = /** @type {HTMLElement} */ (bar.querySelector(".slot-level"));
    const close = button("slot-close", t("lane.slot.close"), "×", () => this.close());
    this.box.append(close, this.title, this.range, this.visit, this.row.box, bar, this.timers);
    setAttr(this.box, "aria-labelledby", "slot-card-title");
  }

  get contentKey() { return `${this.#level}/${this.#slot}/${this.row.shown}`; }

  /** @override @param {any} card */
  about({ info }) { return info.shape === "ring"; }

  /** Shows the card about the slot under a lane's hand. @override @param {any} card */
  openFirst(card) {
    const lane = this.app.lanes.cards.indexOf(card);
    if (!this.app.store.lanes[lane]) return;
    const { levels, now } = this.app.store.lanes[lane];
    this.open({ lane, level: 0, slot: handSlot(levels[0], now, this.app.store.origin(lane)) }, ".slot-next");
  }

  /** @override @param {PointerEvent} event */
  clicked(event) {
    return /** @type {Element} */ (event.target).closest("button, .dot") || this.app.lanes.timerOf(event) ? null : this.targetAt(event);
  }

  /** Returns the slot under the pointer. @param {MouseEvent} event */
  targetAt(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("button, .places, header")) return null;
    const card = target.closest(".picture svg") && this.app.lanes.cardAt(event);
    const place = card?.slotAt(event);
    return place ? { lane: this.app.lanes.cards.indexOf(card), ...place } : null;
  }

  /** Stores the slot to display. @param {Found} found */
  setTarget({ level, slot }) { [this.#level, this.#slot] = [level, slot]; }

  get #levels() { return this.app.store.lanes[this.lane].levels; }

  /**
   * Shows another slot of the level.
   * @param {number} slot index of the slot, taken modulo the number of slots
   */
  #go(slot) {
    const slots = this.#levels[this.#level][1];
    this.show({ lane: this.lane, level: this.#level, slot: mod(slot, slots) }, true);
    if (this.lane < 0) return; // the level is gone
    this.app.lanes.cards[this.lane]?.picture.lookAt(this.#level, this.#slot); // if the picture is magnified
    this.app.lanes.stale = true;
  }

  /**
   * Moves to the nearest slot of the level, in one direction, that contains timers.
   * @param {1|-1} way the direction
   */
  #seek(way) {
    const slots = this.#levels[this.#level][1];
    const { places } = this.app.store.lanes[this.lane];
    for (let k = 1; k < slots; k++) {
      const slot = mod(this.#slot + way * k, slots);
      if (places.has(placeKey(this.#level, slot))) return this.#go(slot);
    }
  }

  /** Moves to the slot under the hand of the next level. */
  #turnLevel() {
    const rings = this.#levels.filter((/** @type {number[]} */ l) => l[0] >= 0);
    const level = (this.#level + 1) % rings.length;
    this.show({ lane: this.lane, level, slot: handSlot(rings[level], this.app.store.lanes[this.lane].now, this.app.store.origin(this.lane)) }, true);
  }

  /** Changes the number of slots in the row. @param {number} by factor */
  #zoom(by) {
    this.row.zoom(by);
    this.show({ lane: this.lane, level: this.#level, slot: this.#slot }, true);
  }

  fill() {
    const { store } = this.app;
    const lane = store.lanes[this.lane];
    const info = store.infos[this.lane];
    if (!lane?.levels[this.#level] || this.#slot >= lane.levels[this.#level][1]) return this.close();
    const place = lane.places.get(placeKey(this.#level, this.#slot));
    setText(this.title, `${info.id}: ${placeName(info, lane.levels, this.#level, this.#slot)}`);
    const dues = (place?.entries ?? []).map((/** @type {any} */ e) => e.due);
    this.#showRange(rangeOf(info, lane.levels, this.#level, this.#slot, lane.now, store.start, dues), dues);
    this.row.draw(lane, this.#level, this.#slot, handSlot(lane.levels[this.#level], lane.now, store.origin(this.lane)));
    this.levelButton.hidden = lane.levels.filter((/** @type {number[]} */ l) => l[0] >= 0).length < 2;
    this.timers.replaceChildren(...this.#timersOf(place));
  }

  /**
   * Shows the range of the slot, and the tick at which it is processed.
   * @param {import("./ranges.js").Range|null} range @param {number[]} dues due ticks of the slot's timers
   */
  #showRange(range, dues) {
    this.range.hidden = !range && dues.length === 0;
    this.visit.hidden = typeof range?.at !== "number";
    if (range) {
      const how = range.every ? "every" : range.from === range.to ? "one" : "range";
      setText(this.range, t(`lane.slot.${how}`, { from: range.from, to: range.to === range.from ? range.from : `${range.from} … ${range.to}`, every: range.every }));
      if (range.at !== null) setText(this.visit, t("lane.slot.visit", { at: range.at, n: range.at - this.app.store.tick }));
    } else if (dues.length > 0) {
      setText(this.range, t("lane.slot.dues", { from: Math.min(...dues), to: Math.max(...dues) }));
    }
  }

  /**
   * Returns list items for the first timers of a place.
   * @param {import("../state/lane-state.js").Place|undefined} place
   */
  #timersOf(place) {
    if (!place) return [html("li", { class: "hint" }, t("lane.slot.empty"))];
    const { store } = this.app;
    const items = place.entries.slice(0, NAMED).map((entry) => html("li", {}, html("b", {}, store.name(entry.id)), timerTitle("", entry).replace(/^[,，]\s*/, " ")));
    const rest = place.count - items.length;
    if (rest > 0) items.push(html("li", { class: "hint" }, t("lane.slot.rest", { n: rest })));
    return items;
  }
}

const WIDE = 300;
const HIGH = 64;
/** Height of the space for the numbers below the bars, in units of the row. */
const FOOT = 16;
const SHOWN_MIN = 9;
const SHOWN_MAX = 129;
/** Maximum number of slot numbers below the row. */
const NUMBERS = 7;

class SlotRow {
  /** Number of slots shown. It is always odd, so that one slot is in the middle. */
  shown = 17;
  #first = 0;
  #slots = 1;

  /** @param {(slot: number) => void} choose */
  constructor(choose) {
    this.box = svg("svg", { class: "slot-row", viewBox: `0 0 ${WIDE} ${HIGH + FOOT}`, "aria-hidden": "true" });
    this.box.addEventListener("click", (e) => choose(this.#at(/** @type {MouseEvent} */ (e).clientX)));
    this.box.addEventListener("wheel", (e) => {
      e.preventDefault();
      this.zoom(/** @type {WheelEvent} */ (e).deltaY > 0 ? 2 : 0.5);
      choose(this.#first + (this.#count >> 1));
    }, { passive: false });
  }

  get #count() { return Math.min(this.shown, this.#slots); }

  /** Changes the number of slots shown. @param {number} by factor */
  zoom(by) {
    const half = Math.round(((this.shown - 1) / 2) * by);
    this.shown = Math.max(SHOWN_MIN, Math.min(SHOWN_MAX, 2 * half + 1));
  }

  /** Returns the slot at a horizontal coordinate. @param {number} x coordinate in the window */
  #at(x) {
    const { left, width } = this.box.getBoundingClientRect();
    return this.#first + Math.floor(((x - left) / width) * this.#count);
  }

  /**
   * Draws the row around a slot.
   * @param {import("../state/lane-state.js").Lane} lane @param {number} level
   * @param {number} slot the slot in the middle
   * @param {number} hand
   */
  draw(lane, level, slot, hand) {
    this.#slots = lane.levels[level][1];
    this.#first = slot - (this.#count >> 1);
    const cells = Array.from({ length: this.#count }, (_, k) => {
      const at = mod(this.#first + k, this.#slots);
      return { at, count: lane.places.get(placeKey(level, at))?.count ?? 0 };
    });
    const most = Math.max(1, ...cells.map((c) => c.count));
    const wide = WIDE / cells.length;
    const every = Math.ceil(cells.length / NUMBERS);
    const middle = this.#count >> 1;
    this.box.replaceChildren(...cells.flatMap(({ at, count }, k) => {
      const high = count === 0 ? 0 : Math.max(4, ((HIGH - 12) * Math.log(count + 1)) / Math.log(most + 1));
      const kind = `${at === hand ? " under" : ""}${k === middle ? " chosen" : ""}`;
      const parts = [
        svg("rect", { class: `cell${kind}`, x: fix(k * wide), y: 0, width: fix(wide), height: HIGH }),
        svg("rect", { class: "bar", x: fix(k * wide + wide * 0.15), y: fix(HIGH - high), width: fix(wide * 0.7), height: fix(high) }),
      ];
      const x = fix((k + 0.5) * wide);
      if ((k - middle) % every === 0) parts.push(svg("text", { class: `number${kind}`, x, y: HIGH + 12 }, String(at)));
      if (count > 0 && wide >= 16) parts.push(svg("text", { class: "count", x, y: fix(HIGH - high - 3) }, String(count)));
      return parts;
    }));
  }
}
