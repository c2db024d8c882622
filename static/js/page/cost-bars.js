// @ts-check
/**
 * A feature of the page: the bars in each card, which show the costs of the last ticks. All cards have the same
 * scale, so that lanes can be compared. The costs are fetched from the server in blocks of ticks, which are
 * cached since they never change. The cost of the cursor's tick is taken from the state of the lane.
 */
import { COST } from "../core/protocol.js";
import { setAttr, setText } from "../core/dom.js";
import { t } from "../core/texts.js";
import { request } from "../core/transport.js";

/** Number of ticks shown, including the cursor's tick. */
const SHOWN = 30;
/** Number of ticks per request. The server accepts at most 128. */
const BLOCK = 64;
/** Maximum number of cached blocks. */
const BLOCKS_MAX = 64;
/** Minimum interval between two requests, in milliseconds. */
const ASK_MS = 200;
/** Maximum playback rate, in ticks per second, at which missing costs are requested. */
const RATE_MAX = 200;
/** Minimum interval between two redraws during playback, in milliseconds. */
const DRAWN_MS = 100;
/** Height of the drawing, in units of its view box. */
const HIGH = 24;

/** @typedef {{head: Element, past: Element, now: Element, svg: Element}} Bars the elements of a lane's bars */

class CostBars {
  /**
   * The fetched blocks, by number. A block has a list of costs for each lane, with one cost per tick.
   * @type {Map<number, number[][]|null>}
   */
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

  /** Handles the display of another run. */
  begin() {
    if (this.#run !== this.store.run) this.#blocks.clear();
    this.#run = this.store.run;
    this.#bars = [];
    this.#drawn = "";
  }

  /**
   * Handles a message. When more of the run has been computed, missing costs may be available.
   * @param {any} message
   */
  received(message) {
    if (message.kind === "timeline" || message.kind === "player") this.app.loop.ask();
  }

  /**
   * Draws the bars. Returns whether another frame is needed, because costs are missing and can be requested
   * soon.
   */
  draw() {
    const { store } = this;
    if (!store.lanes.length) return false;
    if (this.#bars.length !== store.lanes.length) this.#make();
    if (this.#bars.length !== store.lanes.length) return false; // the cards show the user's own run, which is about to be opened again
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

  /** Returns the first block that is needed but not cached, or −1 if there is none. @param {number} first first visible tick */
  #missing(first) {
    for (let at = first; at < this.store.tick; at = (Math.floor(at / BLOCK) + 1) * BLOCK) {
      if (!this.#blocks.get(Math.floor(at / BLOCK))) return Math.floor(at / BLOCK);
    }
    return -1;
  }

  /**
   * Requests a block, unless playback is fast, a request is in progress, or the last one was sent less than
   * ASK_MS ago. Returns whether to try again in the next frame.
   * @param {number} block
   */
  #ask(block) {
    const { playing, rate } = this.store.player;
    if (playing && (rate === 0 || rate > RATE_MAX)) return false; // costs would be outdated when they arrive
    const wait = this.#asked + ASK_MS - performance.now();
    if (this.#busy || !this.app.served) return false; // the answer requests a frame
    if (wait > 0) return true;
    this.#fetch(block);
    return false;
  }

  /** Fetches a block of costs. @param {number} block */
  async #fetch(block) {
    const { store, app } = this;
    const { run, until } = store;
    const query = new URLSearchParams({ run, from: String(block * BLOCK), to: String(Math.min(block * BLOCK + BLOCK - 1, until)) });
    this.#busy = true;
    this.#asked = performance.now();
    const answer = await request(`${app.base}/api/costs?${query}`).catch(() => null);
    const costs = answer?.ok ? await answer.json().catch(() => null) : null;
    this.#busy = false;
    if (run !== store.run) return app.loop.ask(); // another run is displayed, whose costs have waited for this answer
    if (!costs) return; // requested again when the cursor moves
    if (this.#blocks.size >= BLOCKS_MAX) this.#blocks.delete(/** @type {number} */ (this.#blocks.keys().next().value));
    this.#blocks.set(block, costs.lanes);
    app.loop.ask();
  }

  /** Returns the cost of a tick in a lane, or undefined if unknown. @param {number} lane @param {number} tick */
  #cost(lane, tick) {
    if (tick === this.store.tick) return this.store.lanes[lane].cost[COST.tick];
    return this.#blocks.get(Math.floor(tick / BLOCK))?.[lane]?.[tick % BLOCK];
  }

  /** Draws the costs of the ticks from first to the cursor's tick. @param {number} first */
  #put(first) {
    const { store } = this;
    const rows = store.lanes.map((/** @type {any} */ _, /** @type {number} */ lane) => Array.from({ length: store.tick - first + 1 }, (_, k) => this.#cost(lane, first + k)));
    const top = niceTop(Math.max(1, ...rows.flat().map((/** @type {number|undefined} */ n) => n ?? 0)));
    const wide = Math.min(SHOWN, store.until + 1);
    this.#bars.forEach((bars, lane) => {
      const row = rows[lane];
      setAttr(bars.svg, "viewBox", `0 0 ${wide} ${HIGH}`);
      setAttr(bars.past, "d", row.slice(0, -1).map((/** @type {number|undefined} */ n, /** @type {number} */ k) => bar(k, n, top)).join(""));
      setAttr(bars.now, "d", bar(row.length - 1, row.at(-1), top));
      setText(bars.head, t("cost.bars", { top: top.toLocaleString("en") }));
    });
  }

  /** Finds the elements of the bars in every card. */
  #make() {
    const boxes = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("section[data-lane] [data-costs]")]);
    const part = (/** @type {Element} */ box, /** @type {string} */ name) => /** @type {Element} */ (box.querySelector(name));
    this.#bars = boxes.map((box) => ({
      head: part(box, ".cost-top"),
      past: part(box, ".cost-past"), now: part(box, ".cost-now"), svg: part(box, "svg"),
    }));
  }
}

/**
 * Returns a bar as SVG path data, or "" if the cost is zero or unknown. A bar is at least one unit high.
 * @param {number} k index of the bar, from the left @param {number|undefined} n the cost
 * @param {number} top cost that the full height represents
 */
function bar(k, n, top) {
  if (!n) return "";
  const high = Math.max(1, (HIGH * n) / top);
  return `M${k + 0.06} ${HIGH}v${-high.toFixed(2)}h.88V${HIGH}z`;
}

/** Returns the smallest of 1, 2, 5, 10, 20, 50, … that is at least n. @param {number} n */
function niceTop(n) {
  const power = 10 ** Math.floor(Math.log10(n));
  return [1, 2, 5, 10].map((k) => k * power).find((top) => top >= n) ?? n;
}

/**
 * Formats a mean cost with 0 to 2 decimals. It must agree with meanCost in templates/compare_words.go.
 * @param {number} mean
 */
export function meanWords(mean) {
  return mean >= 100 ? Math.round(mean).toLocaleString("en") : mean.toFixed(mean >= 10 ? 1 : 2);
}

/** Creates the feature. @param {any} app */
export const costBars = (app) => new CostBars(app);
