// @ts-check
/**
 * A look at single slots: which due ticks a slot takes, when it is worked, its timers,
 * and its neighbours enlarged, so that one of 4,096 slots can be seen. Pointing at a
 * ring shows it, a click or a key keeps it; Esc takes it away. Of lists and heaps
 * tells node-card.js. A feature of the page.
 */
import { byId, html, setAttr, setText } from "../dom.js";
import { Strip } from "./strip.js";
import { cardButton as button, stand } from "./card.js";
import { handSlot, placeKey } from "../lane-state.js";
import { placeName, timerTitle } from "../words.js";
import { rangeOf } from "./ranges.js";
import { t } from "../texts.js";

/** Timers of a slot that are named. */
const NAMED = 8;
/** Milliseconds that the pointer rests before a slot is told. */
const REST_MS = 120;

export class SlotCard {
  /** Index of the lane shown, −1: none. */
  #lane = -1;
  #level = 0;
  #slot = 0;
  /** It stays until it is closed. */
  #kept = false;
  #drawn = "";
  /** Where the focus was. @type {HTMLElement|null} */
  #back = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer = undefined;

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.box = html("div", { class: "slot-card card", role: "dialog", hidden: "" });
    this.strip = new Strip((slot) => this.#go(slot));
    this.#build();
    document.body.append(this.box);
    const lanes = byId("lanes");
    lanes.addEventListener("pointermove", (/** @type {PointerEvent} */ e) => this.#point(e));
    lanes.addEventListener("pointerleave", () => this.#unpoint());
    lanes.addEventListener("click", (/** @type {PointerEvent} */ e) => this.#click(e));
    this.box.addEventListener("pointerenter", () => clearTimeout(this.#timer));
    this.box.addEventListener("pointerleave", () => this.#unpoint());
    addEventListener("keydown", (e) => this.#escape(e), true);
  }

  #build() {
    this.title = html("h2", { id: "slot-card-title" });
    this.range = html("p", { class: "range" });
    this.visit = html("p", { class: "visit" });
    this.timers = html("ul", { class: "slot-timers" });
    const steps = /** @type {[string, string, () => void][]} */ ([
      ["prev", "◀", () => this.#go(this.#slot - 1)], ["next", "▶", () => this.#go(this.#slot + 1)],
      ["held-prev", "◀●", () => this.#seek(-1)], ["held-next", "●▶", () => this.#seek(1)],
      ["level", "↕", () => this.#turnLevel()], ["wider", "−", () => this.#zoom(2)], ["closer", "+", () => this.#zoom(0.5)],
    ]);
    const bar = html("div", { class: "slot-steps", role: "group", "aria-label": t("lane.slot.steps") });
    bar.append(...steps.map(([name, sign, act]) => button(`slot-${name}`, t(`lane.slot.${name}`), sign, act)));
    this.levelButton = /** @type {HTMLElement} */ (bar.querySelector(".slot-level"));
    const close = button("slot-close", t("lane.slot.close"), "×", () => this.#close());
    this.box.append(close, this.title, this.range, this.visit, this.strip.box, bar, this.timers);
    setAttr(this.box, "aria-labelledby", "slot-card-title");
  }

  begin() { this.#close(); }

  draw() {
    const { store } = this.app;
    if (this.#lane < 0) return;
    const now = `${store.run}/${store.seq}/${store.tick}/${store.rest}/${this.#lane}/${this.#level}/${this.#slot}/${this.strip.shown}`;
    if (now !== this.#drawn) this.#fill();
    this.#drawn = now;
  }

  /** @param {string} action */
  act(action) {
    if (action !== "slots") return false;
    const large = this.app.desk.cards.find((/** @type {any} */ c) => c.section.classList.contains("large"));
    if (large && large.info.shape !== "ring") return false;
    if (this.#lane >= 0 && this.#kept) this.#close();
    else this.#open(large ?? this.app.desk.cards.find((/** @type {any} */ c) => c.info.shape === "ring"));
    return true;
  }

  /** Shows the slot under a lane's hand, kept and with the focus. @param {any} card */
  #open(card) {
    const lane = this.app.desk.cards.indexOf(card);
    if (lane < 0 || !this.app.store.lanes[lane]) return;
    this.#back = /** @type {HTMLElement|null} */ (document.activeElement);
    const { levels, now } = this.app.store.lanes[lane];
    this.#show(lane, 0, handSlot(levels[0], now, this.app.store.origin(lane)), true);
    const place = card.section.querySelector(".picture").getBoundingClientRect();
    stand(this.box, place.right, place.top + place.height / 2);
    /** @type {HTMLElement} */ (this.box.querySelector(".slot-next")).focus({ preventScroll: true });
  }

  /** @param {PointerEvent} event */
  #point(event) {
    if (this.#kept || event.pointerType === "touch") return;
    clearTimeout(this.#timer);
    const { clientX, clientY } = event;
    const found = this.#under(event);
    this.#timer = setTimeout(() => {
      if (!found) return this.#close();
      this.#show(found.lane, found.level, found.slot, false);
      stand(this.box, clientX, clientY);
    }, REST_MS);
  }

  #unpoint() {
    clearTimeout(this.#timer);
    if (!this.#kept) this.#timer = setTimeout(() => this.#close(), REST_MS * 2);
  }

  /** @param {PointerEvent} event */
  #click(event) {
    const target = /** @type {Element} */ (event.target);
    const section = target.closest("section[data-lane]");
    if (target.closest("[data-view=slots]")) {
      const card = this.app.desk.cards.find((/** @type {any} */ c) => c.section === section);
      if (this.#kept) this.#close();
      else if (card?.info.shape === "ring") this.#open(card);
      return;
    }
    const found = target.closest("button, .dot") ? null : this.#under(event);
    if (!found || this.app.desk.timerOf(event)) return;
    this.#show(found.lane, found.level, found.slot, true);
    stand(this.box, event.clientX, event.clientY);
  }

  /** The slot under a pointer. @param {MouseEvent} event */
  #under(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("button, .places, header")) return null;
    const lane = this.app.desk.cards.findIndex((/** @type {any} */ c) => c.section.contains(target));
    const place = target.closest(".picture svg") && lane >= 0 ? this.app.desk.cards[lane].slotAt(event) : null;
    return place ? { lane, ...place } : null;
  }

  /** @param {number} lane @param {number} level @param {number} slot @param {boolean} kept */
  #show(lane, level, slot, kept) {
    clearTimeout(this.#timer); // what was pointed at before is told no more
    [this.#lane, this.#level, this.#slot, this.#kept] = [lane, level, slot, kept];
    this.box.classList.toggle("kept", kept);
    this.box.hidden = false;
    this.#drawn = "";
    this.draw();
    this.app.loop.ask();
  }

  #close() {
    clearTimeout(this.#timer);
    const focused = this.box.contains(document.activeElement);
    this.#lane = -1;
    this.#kept = false;
    this.box.hidden = true;
    if (focused) this.#back?.focus({ preventScroll: true });
    this.#back = null;
  }

  /** Esc takes the card away, before anything else that it would do. @param {KeyboardEvent} event */
  #escape(event) {
    if (event.key !== "Escape" || this.#lane < 0 || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.#close();
  }

  get #levels() { return this.app.store.lanes[this.#lane].levels; }

  /** @param {number} slot */
  #go(slot) {
    const slots = this.#levels[this.#level][1];
    this.#show(this.#lane, this.#level, ((slot % slots) + slots) % slots, true);
    this.app.desk.cards[this.#lane]?.picture.lookAt(this.#level, this.#slot); // where it is enlarged
    this.app.desk.stale = true;
  }

  /** To the next slot of the level that holds timers. @param {1|-1} way */
  #seek(way) {
    const slots = this.#levels[this.#level][1];
    const { places } = this.app.store.lanes[this.#lane];
    for (let k = 1; k < slots; k++) {
      const slot = (((this.#slot + way * k) % slots) + slots) % slots;
      if (places.has(placeKey(this.#level, slot))) return this.#go(slot);
    }
  }

  /** To the next level, the slot under its hand. */
  #turnLevel() {
    const rings = this.#levels.filter((/** @type {number[]} */ l) => l[0] >= 0);
    const level = (this.#level + 1) % rings.length;
    this.#show(this.#lane, level, handSlot(rings[level], this.app.store.lanes[this.#lane].now, this.app.store.origin(this.#lane)), true);
  }

  /** @param {number} by */
  #zoom(by) {
    this.strip.zoom(by);
    this.#show(this.#lane, this.#level, this.#slot, true);
  }

  #fill() {
    const { store } = this.app;
    const lane = store.lanes[this.#lane];
    const info = store.infos[this.#lane];
    if (!lane?.levels[this.#level] || this.#slot >= lane.levels[this.#level][1]) return this.#close();
    const place = lane.places.get(placeKey(this.#level, this.#slot));
    setText(this.title, `${info.id}: ${placeName(info, lane.levels, this.#level, this.#slot)}`);
    const dues = (place?.entries ?? []).map((/** @type {any} */ e) => e.due);
    this.#tellRange(rangeOf(info, lane.levels, this.#level, this.#slot, lane.now, store.start, dues), dues);
    this.strip.draw(lane, this.#level, this.#slot, handSlot(lane.levels[this.#level], lane.now, store.origin(this.#lane)));
    this.levelButton.hidden = lane.levels.filter((/** @type {number[]} */ l) => l[0] >= 0).length < 2;
    this.timers.replaceChildren(...this.#timersOf(place));
  }

  /** @param {import("./ranges.js").Range|null} range @param {number[]} dues of the timers there */
  #tellRange(range, dues) {
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

  /** @param {import("../lane-state.js").Place|undefined} place */
  #timersOf(place) {
    if (!place) return [html("li", { class: "hint" }, t("lane.slot.empty"))];
    const { store } = this.app;
    const items = place.entries.slice(0, NAMED).map((entry) => {
      const item = html("li");
      item.append(html("b", {}, store.name(entry.id)), timerTitle("", entry).replace(/^[,，]\s*/, " "));
      return item;
    });
    const rest = place.count - items.length;
    if (rest > 0) items.push(html("li", { class: "hint" }, t("lane.slot.rest", { n: rest })));
    return items;
  }
}
