// @ts-check
/**
 * Draws the numbers of timers in slots as a heat map, for rings of any number of slots. Which bin a pixel
 * shows is computed once for each geometry, so that drawing a frame only looks up counts.
 */
import { HEAT_BINS_MAX, HEAT_STEPS } from "../core/limits.js";
import { currentPalette } from "../core/colours.js";
import { angle, ringsOf } from "./face.js";
import { handSlot } from "../state/lane-state.js";

/** @typedef {import("../state/lane-state.js").Lane} Lane */

const EDGE = 4; // margin at the inner and the outer edge of a ring, in units: between two rings are numbers

export class Heat {
  #key = "";
  /** @type {Int32Array} indices of the pixels that show a bin; #bins contains the bin of each */
  #pixels = new Int32Array(0);
  #bins = new Int32Array(0);
  /** @type {{first: number, bins: number, slots: number, inner: number, outer: number}[]} first bin, number of bins and number of slots, and radii of the bins, by level */
  #rings = [];
  /** @type {Int32Array} number of timers that each bin shows */
  #counts = new Int32Array(0);

  /**
   * Draws the lane, and returns the number of timers at the top of the scale.
   * @param {Overlay} overlay @param {Lane} lane @param {number} start
   * @param {boolean} dial whether the slot under the hand is at the top
   * @param {number} [top] number at the top of the scale, if it is given
   */
  draw(overlay, lane, start, dial, top) {
    this.#prepare(overlay, lane.levels);
    const hands = lane.levels.map((level) => (dial ? handSlot(level, lane.now, start) : 0));
    const counted = this.#count(lane, hands);
    const most = top ?? counted;
    const { heat } = currentPalette();
    const all = overlay.pixels();
    const scale = (HEAT_STEPS - 1) / Math.max(Math.log(most), 1e-9);
    const colours = new Uint32Array(this.#counts.length);
    for (let i = 0; i < colours.length; i++) {
      const n = this.#counts[i];
      if (n > 0) colours[i] = heat[most <= 1 ? HEAT_STEPS - 1 : Math.min(HEAT_STEPS - 1, Math.round(Math.log(n) * scale))];
    }
    for (let i = 0; i < this.#pixels.length; i++) all[this.#pixels[i]] = colours[this.#bins[i]];
    overlay.show();
    drawHands(overlay, lane, start, dial);
    return most;
  }

  /**
   * Computes the counts of the bins. Returns the number at the top of the scale, a power of two.
   * @param {Lane} lane @param {number[]} tops slot at the top of each level
   */
  #count(lane, tops) {
    this.#counts.fill(0);
    let most = 1;
    for (const { level, slot, count } of lane.places.values()) {
      const ring = this.#rings[level];
      if (!ring) continue;
      const from = slot - tops[level] + (slot < tops[level] ? ring.slots : 0);
      const bin = ring.first + (ring.bins === ring.slots ? from : Math.floor((from * ring.bins) / ring.slots));
      if (count > this.#counts[bin]) this.#counts[bin] = count;
      if (count > most) most = count;
    }
    return 2 ** Math.ceil(Math.log2(most));
  }

  /**
   * Reports whether the bins of all pixels are up to date. Computing them takes much longer than drawing a frame.
   * @param {Overlay} overlay @param {number[][]} levels
   */
  ready(overlay, levels) { return keyOf(overlay, levels) === this.#key; }

  /** Computes the bins of all pixels, unless they are up to date. @param {Overlay} overlay @param {number[][]} levels */
  #prepare(overlay, levels) {
    const key = keyOf(overlay, levels);
    if (key === this.#key) return;
    this.#key = key;
    let first = 0;
    this.#rings = ringsOf(levels).map(({ inner, outer, slots }) => {
      const ring = { first, bins: Math.min(slots, binsSeen(overlay, inner, outer)), slots, inner: inner + EDGE, outer: outer - EDGE };
      first += ring.bins;
      return ring;
    });
    this.#counts = new Int32Array(first);
    this.#map(overlay);
  }

  /** Computes the bin of every pixel. @param {Overlay} overlay */
  #map({ side, scale, zoom }) {
    const pixels = new Int32Array(side * side);
    const bins = new Int32Array(side * side);
    const hole = this.#rings[this.#rings.length - 1].inner ** 2;
    const rim = this.#rings[0].outer ** 2;
    let found = 0;
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const dx = (x + 0.5) / scale + zoom.x - 200;
        const dy = (y + 0.5) / scale + zoom.y - 200;
        const square = dx * dx + dy * dy;
        if (square < hole || square > rim) continue;
        const bin = this.#binAt(Math.sqrt(square), dx, dy);
        if (bin < 0) continue;
        pixels[found] = y * side + x;
        bins[found++] = bin;
      }
    }
    this.#pixels = pixels.slice(0, found);
    this.#bins = bins.slice(0, found);
  }

  /** Returns the bin at a point, or −1 outside the rings. @param {number} r @param {number} dx @param {number} dy */
  #binAt(r, dx, dy) {
    for (const { first, bins, inner, outer } of this.#rings) {
      if (r <= inner || r >= outer) continue;
      const turn = (Math.atan2(dy, dx) + 2.5 * Math.PI) / (2 * Math.PI);
      return first + (Math.round(turn * bins) % bins);
    }
    return -1;
  }
}

/**
 * Returns the maximum number of bins of a ring, such that each is at least a pixel wide halfway between the
 * inner and the outer radius.
 * @param {Overlay} overlay @param {number} inner @param {number} outer
 */
function binsSeen({ scale, zoom }, inner, outer) {
  return Math.min(HEAT_BINS_MAX * zoom.step, Math.floor(Math.PI * (inner + outer) * scale));
}

/**
 * Returns a key that contains the values on which the bins of the pixels depend.
 * @param {Overlay} overlay @param {number[][]} levels
 */
function keyOf({ side, zoom }, levels) {
  return `${side}:${zoom.box}:${levels.map(([level, slots]) => (level < 0 ? "" : slots))}`;
}

/**
 * Draws the hands on top of the heat map. Where the heat map is transparent, the SVG below it is visible.
 * @param {Overlay} overlay @param {Lane} lane @param {number} start @param {boolean} dial
 */
function drawHands(overlay, lane, start, dial) {
  const c = overlay.context;
  const rings = ringsOf(lane.levels);
  c.strokeStyle = currentPalette().hand;
  c.lineWidth = 2.5;
  rings.forEach(({ outer, slots, width }, level) => {
    const a = angle(dial ? 0 : handSlot([level, slots, width], lane.now, start), slots);
    const { inner } = rings[rings.length - 1];
    c.beginPath();
    c.moveTo(overlay.px(200 + inner * Math.cos(a)), overlay.py(200 + inner * Math.sin(a)));
    c.lineTo(overlay.px(200 + outer * Math.cos(a)), overlay.py(200 + outer * Math.sin(a)));
    c.stroke();
  });
}

/** Side length of the picture, in units. */
const UNITS = 400;
/** Radius of the ring around the place that contains the followed timer, in pixels. */
const MARK_PX = 9;
/** Maximum side length of the canvas, in pixels. A larger one would cost more time without showing more. */
const SIDE_MAX = 720;

export class Overlay {
  /** @type {ImageData|null} */
  #image = null;
  #empty = true;

  /** @param {HTMLCanvasElement} canvas @param {import("./zoom.js").Zoom} zoom the visible part @param {() => void} resized */
  constructor(canvas, zoom, resized) {
    this.zoom = zoom;
    this.canvas = canvas;
    this.side = 0;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    new ResizeObserver(([entry]) => this.#resize(entry.contentRect.width) && resized()).observe(canvas);
  }

  /** Number of pixels per unit of the picture. */
  get scale() { return (this.side / UNITS) * this.zoom.k; }

  /** Converts a horizontal picture coordinate to pixels. @param {number} x units */
  px(x) { return (x - this.zoom.x) * this.scale; }

  /** Converts a vertical picture coordinate to pixels. @param {number} y units */
  py(y) { return (y - this.zoom.y) * this.scale; }

  /** Clears the pixels and returns them, each as a 32-bit number. @returns {Uint32Array} */
  pixels() {
    this.#image ??= this.context.createImageData(this.side, this.side);
    const all = new Uint32Array(this.#image.data.buffer);
    all.fill(0);
    return all;
  }

  /** Displays the pixels that pixels() has returned. */
  show() {
    if (this.#image) this.context.putImageData(this.#image, 0, 0);
    this.#empty = false;
  }

  /** Draws a dashed ring around the place that contains the followed timer. @param {number} x units @param {number} y units */
  mark(x, y) {
    if (this.side === 0) return;
    const { context: c } = this;
    c.strokeStyle = currentPalette().selected;
    c.lineWidth = 2.2;
    c.setLineDash([4, 2.5]);
    c.beginPath();
    c.arc(this.px(x), this.py(y), MARK_PX, 0, 2 * Math.PI);
    c.stroke();
    c.setLineDash([]);
    this.#empty = false;
  }

  clear() {
    if (!this.#empty) this.context.clearRect(0, 0, this.side, this.side);
    this.#empty = true;
  }

  /** Adapts the canvas to the width of the picture. @param {number} width CSS pixels */
  #resize(width) {
    return this.fit(Math.min(SIDE_MAX, Math.round(width * devicePixelRatio)));
  }

  /** Sets the side length of the canvas, unless it is 0, and reports whether it has changed. @param {number} side pixels */
  fit(side) {
    if (side === this.side || side === 0) return false;
    this.side = this.canvas.width = this.canvas.height = side;
    this.#image = null;
    this.#empty = true;
    return true;
  }
}
