// @ts-check
/**
 * A feature of the page: a card about a single timer of a list or a heap, with its neighbours (previous and
 * next, or parent and children) and their due ticks. It is shown while the pointer is on a dot. Its
 * buttons move to other timers. slot-card.js is the counterpart for rings.
 */
import { html, setAttr, setText } from "../core/dom.js";
import { Card, cardButton } from "./card.js";
import { placeName, timerTitle } from "../state/words.js";
import { t } from "../core/texts.js";

/** @extends {Card<{lane: number, id: number}>} */
export class NodeCard extends Card {
  #id = 0;

  /** @param {any} app */
  constructor(app) {
    super(app, "slot-card node-card");
    setAttr(this.box, "aria-labelledby", "node-card-title");
    this.title = html("h2", { id: "node-card-title" });
    this.due = html("p", { class: "range" });
    this.near = html("ul", { class: "slot-timers" });
    this.bar = html("div", { class: "slot-steps wraps", role: "group", "aria-label": t("node.steps") });
    const way = (/** @type {string} */ name, /** @type {string} */ sign, /** @type {string} */ to) =>
      cardButton(`node-${name}`, t(`node.${name}`), sign, () => this.#go(to));
    this.bar.append(way("prev", "◀", "prev"), way("next", "▶", "next"), way("up", "▲", "up"), way("down", "▼", "down"));
    this.box.append(cardButton("slot-close", t("lane.slot.close"), "×", () => this.close()), this.title, this.due, this.bar, this.near);
  }

  get contentKey() { return String(this.#id); }

  /** @override @param {any} card */
  about({ info }) { return info.shape !== "ring"; }

  /** @override @param {any} card */
  openFirst(card) {
    const lane = this.app.lanes.cards.indexOf(card);
    const first = this.app.store.lanes[lane] && nodesOf(card.info.shape, this.app.store.lanes[lane])[0];
    if (!first) return this.app.say(t("lane.slot.empty"));
    this.open({ lane, id: first.entry.id }, ".node-next");
  }

  /** Returns the timer under the pointer. @param {MouseEvent} event */
  targetAt(event) {
    const target = /** @type {Element} */ (event.target);
    const card = target.closest(".picture svg") && !target.closest("button") && this.app.lanes.cardAt(event);
    const id = card && this.about(card) ? card.picture.timerAt(...card.units(event)) : 0;
    return id ? { lane: this.app.lanes.cards.indexOf(card), id } : null;
  }

  /** @override @param {PointerEvent} event */
  clicked(event) { return event.pointerType === "touch" ? this.targetAt(event) : null; }

  /** Stores the timer to display. @param {{lane: number, id: number}} found */
  setTarget({ id }) { this.#id = id; }

  /** Moves to a neighbour of the displayed timer. @param {string} way "prev", "next", "up" or "down" */
  #go(way) {
    const nodes = nodesOf(this.app.store.infos[this.lane].shape, this.app.store.lanes[this.lane]);
    const at = nodes.findIndex((n) => n.entry.id === this.#id);
    const next = nodes[this.#neighbour(at, way)];
    if (!next) return;
    this.show({ lane: this.lane, id: next.entry.id }, true);
    if (this.lane < 0) return; // the timer is gone
    const { place } = next.entry;
    const inList = this.app.store.infos[this.lane].shape === "list" || !place;
    this.app.lanes.cards[this.lane].picture.lookAt(inList ? 0 : place.level, inList ? next.slot : place.slot);
    this.app.lanes.stale = true;
    this.app.loop.request();
  }

  /**
   * Returns the index of a neighbour of the timer at index `at`. There may be no timer at the returned index.
   * @param {number} at @param {string} way
   */
  #neighbour(at, way) {
    const arity = Math.max(this.app.store.infos[this.lane].arity, 2);
    return { prev: at - 1, next: at + 1, up: at > 0 ? Math.floor((at - 1) / arity) : -1, down: at * arity + 1 }[way] ?? -1;
  }

  fill() {
    const { store } = this.app;
    const info = store.infos[this.lane];
    const lane = store.lanes[this.lane];
    const nodes = lane ? nodesOf(info.shape, lane) : [];
    const at = nodes.findIndex((n) => n.entry.id === this.#id);
    if (at < 0) return this.close(); // it fired or was removed
    const { entry } = nodes[at];
    const { place } = entry;
    const where = info.shape !== "list" && place ? placeName(info, lane.levels, place.level, place.slot) : t("node.nth", { n: at + 1, of: nodes.length });
    setText(this.title, `${info.id}: ${store.name(entry.id)}, ${where}`);
    setText(this.due, `${timerTitle("", entry).replace(/^[,，]\s*/, "")} · ${t("node.left", { n: entry.due - store.tick })}`);
    const heap = info.shape === "heap";
    this.bar.querySelectorAll(".node-up, .node-down").forEach((b) => { /** @type {HTMLElement} */ (b).hidden = !heap; });
    this.near.replaceChildren(...(heap ? ["up", "down"] : ["prev", "next"]).map((way) => this.#line(way, nodes, at)));
  }

  /**
   * Returns the list item that describes the neighbours of a timer in one direction.
   * @param {string} way "prev", "next", "up" or "down" @param {Node[]} nodes
   * @param {number} at index of the timer
   */
  #line(way, nodes, at) {
    const arity = Math.max(this.app.store.infos[this.lane].arity, 2);
    const first = this.#neighbour(at, way);
    const there = nodes.slice(Math.max(first, 0), way === "down" ? first + arity : first + 1);
    const names = first < 0 ? [] : there.map((n) => `${this.app.store.name(n.entry.id)} (${n.entry.due})`);
    return html("li", { class: names.length ? "" : "hint" }, names.length ? t(`node.at.${way}`, { names: names.join(", ") }) : t(`node.none.${way}`));
  }
}

/** @typedef {{entry: import("../state/lane-state.js").Entry, slot: number}} Node a timer, and its index in the structure */

/**
 * Returns the known timers of a lane. These are all timers, or only the first ones of a very long list.
 * @param {string} shape "list" or "heap" @param {import("../state/lane-state.js").Lane} lane @returns {Node[]}
 */
function nodesOf(shape, lane) {
  if (shape === "heap") {
    const nodes = [...lane.places.values()].flatMap(({ slot, entries }) => entries.slice(0, 1).map((entry) => ({ entry, slot })));
    return nodes.sort((a, b) => a.slot - b.slot);
  }
  return [...lane.places.values()].flatMap(({ entries }) => entries).map((entry, slot) => ({ entry, slot }));
}
