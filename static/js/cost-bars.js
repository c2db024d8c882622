// @ts-check
/**
 * What each of the last ticks cost, in every card, all on one scale: so that lanes
 * can be compared at a glance. Costs come from the server in blocks of ticks, which
 * never change and are kept; the cursor's own tick is the lane's.
 */
import { COST } from "./protocol.js";
import { setAttr, setText } from "./dom.js";
import { t } from "./texts.js";

/** Ticks shown, the cursor's the last of them. */
const SHOWN = 30;
/** Ticks asked for at a time; the server tells 128 at most. */
const BLOCK = 64;
/** Blocks kept. */
const BLOCKS_MAX = 64;
/** Milliseconds between two questions. */
const ASK_MS = 200;
/** Ticks a second up to which the ticks before the cursor's are asked for. */
const RATE_MAX = 200;
/** Milliseconds between two drawings while the clock runs. */
const DRAWN_MS = 100;
/** Height of the drawing in its own units. */
const HIGH = 24;

/** @typedef {{head: Element, mean: Element, past: Element, now: Element, svg: Element}} Bars */

export class CostBars {
  /** Costs by block and lane; null: asked for. @type {Map<number, number[][]|null>} */
  #blocks = new Map();
  /** @type {Bars[]} */
  #bars = [];
  #run = "";
  #asked = 0;
  #busy = false;
  #drawn = "";
  #at = 0;

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.store = app.store;
  }

  /** Another run is shown. */
  begin() {
    if (this.#run !== this.store.run) this.#blocks.clear();
    this.#run = this.store.run;
    this.#bars = [];
    this.#drawn = "";
  }

  /** More of the run is computed, so what could not be told before may be told now. @param {any} message */
  told(message) {
    if (message.kind === "timeline" || message.kind === "player") this.app.loop.ask();
  }

  /** Draws the bars. Tells whether to come again: costs are missing and a question may be asked soon. */
  draw() {
    const { store } = this;
    if (!store.lanes.length) return false;
    if (this.#bars.length !== store.lanes.length) this.#make();
    const first = Math.max(0, store.tick - SHOWN + 1);
    const missing = this.#missing(first);
    const { playing } = store.player;
    const key = `${store.run}/${store.seq}/${store.tick}/${this.#blocks.size}/${missing}/${playing}`;
    const now = performance.now();
    if (key !== this.#drawn && (!playing || now - this.#at >= DRAWN_MS)) {
      this.#put(first);
      this.#drawn = key;
      this.#at = now;
    }
    return missing >= 0 && this.#ask(missing);
  }

  /** The first block that is needed and not there; -1: none. @param {number} first tick */
  #missing(first) {
    for (let at = first; at < this.store.tick; at = (Math.floor(at / BLOCK) + 1) * BLOCK) {
      if (!this.#blocks.get(Math.floor(at / BLOCK))) return Math.floor(at / BLOCK);
    }
    return -1;
  }

  /** Asks for a block, unless one is under way or was just now. @param {number} block */
  #ask(block) {
    const { playing, rate } = this.store.player;
    if (playing && (rate === 0 || rate > RATE_MAX)) return false; // gone before they came
    const wait = this.#asked + ASK_MS - performance.now();
    if (this.#busy || !this.app.served) return false; // its answer asks for a frame
    if (wait > 0) return true;
    this.#fetch(block);
    return false;
  }

  /** @param {number} block */
  async #fetch(block) {
    const { store, app } = this;
    const { run, until } = store;
    const query = new URLSearchParams({ run, from: String(block * BLOCK), to: String(Math.min(block * BLOCK + BLOCK - 1, until)) });
    this.#busy = true;
    this.#asked = performance.now();
    const answer = await fetch(`${app.base}/api/costs?${query}`).catch(() => null);
    const told = answer?.ok ? await answer.json().catch(() => null) : null;
    this.#busy = false;
    if (!told || run !== store.run) return; // asked again when the cursor moves
    if (this.#blocks.size >= BLOCKS_MAX) this.#blocks.delete(/** @type {number} */ (this.#blocks.keys().next().value));
    this.#blocks.set(block, told.lanes);
    app.loop.ask();
  }

  /** What a tick cost a lane; undefined while it is not known. @param {number} lane @param {number} tick */
  #cost(lane, tick) {
    if (tick === this.store.tick) return this.store.lanes[lane].cost[COST.tick];
    return this.#blocks.get(Math.floor(tick / BLOCK))?.[lane]?.[tick % BLOCK];
  }

  /** @param {number} first tick */
  #put(first) {
    const { store } = this;
    const rows = store.lanes.map((/** @type {any} */ _, /** @type {number} */ lane) => Array.from({ length: store.tick - first + 1 }, (_, k) => this.#cost(lane, first + k)));
    const top = niceTop(Math.max(1, ...rows.flat().map((/** @type {number|undefined} */ n) => n ?? 0)));
    const wide = Math.min(SHOWN, store.until + 1);
    this.#bars.forEach((bars, lane) => {
      const row = rows[lane];
      setAttr(bars.svg, "viewBox", `0 0 ${wide} ${HIGH}`);
      setAttr(bars.past, "d", row.slice(0, -1).map((n, k) => bar(k, n, top)).join(""));
      setAttr(bars.now, "d", bar(row.length - 1, row.at(-1), top));
      setText(bars.head, t("cost.bars", { top: top.toLocaleString("en") }));
      setText(bars.mean, t("cost.mean", { mean: meanWords(store.lanes[lane].cost[COST.total] / (store.tick + 1)) }));
    });
  }

  /** Finds the drawing in every card. */
  #make() {
    const boxes = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("section[data-lane] [data-costs]")]);
    const part = (/** @type {Element} */ box, /** @type {string} */ name) => /** @type {Element} */ (box.querySelector(name));
    this.#bars = boxes.map((box) => ({
      head: part(box, ".cost-top"), mean: part(box, ".cost-mean"),
      past: part(box, ".cost-past"), now: part(box, ".cost-now"), svg: part(box, "svg"),
    }));
  }
}

/** One bar of the drawing. What costs something is seen, however little. @param {number} k @param {number|undefined} n @param {number} top */
function bar(k, n, top) {
  if (!n) return "";
  const high = Math.max(1, (HIGH * n) / top);
  return `M${k + 0.06} ${HIGH}v${-high.toFixed(2)}h.88V${HIGH}z`;
}

/** The least of 1, 2, 5, 10, 20, 50, … that is n or more. @param {number} n */
export function niceTop(n) {
  const power = 10 ** Math.floor(Math.log10(n));
  return [1, 2, 5, 10].map((k) => k * power).find((top) => top >= n) ?? n;
}

/** A mean with as many decimals as it needs. @param {number} mean */
export function meanWords(mean) {
  return mean >= 100 ? Math.round(mean).toLocaleString("en") : mean.toFixed(mean >= 10 ? 1 : 2);
}

/** @param {any} app */
export const costBars = (app) => new CostBars(app);
