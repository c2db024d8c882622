// @ts-check
/** A canvas laid over a picture of 400 units, with its pixels at hand. */

/** Side of the picture in units. */
const UNITS = 400;
/** Pixels a side at most: past that a canvas costs more than it shows. */
const SIDE_MAX = 720;

export class Overlay {
  /** @type {ImageData|null} */
  #image = null;
  #empty = true;

  /** @param {HTMLCanvasElement} canvas @param {import("./pictures/zoom.js").Zoom} zoom the part that is seen @param {() => void} resized */
  constructor(canvas, zoom, resized) {
    this.zoom = zoom;
    this.canvas = canvas;
    this.side = 0;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    new ResizeObserver(([entry]) => this.#resize(entry.contentRect.width) && resized()).observe(canvas);
  }

  /** Pixels a unit. */
  get scale() { return (this.side / UNITS) * this.zoom.k; }

  /** Where a point of the picture stands, pixels. @param {number} x units */
  px(x) { return (x - this.zoom.x) * this.scale; }

  /** @param {number} y units */
  py(y) { return (y - this.zoom.y) * this.scale; }

  /** The pixels, cleared, one 32-bit number each. @returns {Uint32Array} */
  pixels() {
    this.#image ??= this.context.createImageData(this.side, this.side);
    const all = new Uint32Array(this.#image.data.buffer);
    all.fill(0);
    return all;
  }

  /** Shows what pixels() was filled with. */
  show() {
    if (this.#image) this.context.putImageData(this.#image, 0, 0);
    this.#empty = false;
  }

  clear() {
    if (!this.#empty) this.context.clearRect(0, 0, this.side, this.side);
    this.#empty = true;
  }

  /** What was drawn last is seen. */
  get drawn() { return !this.#empty; }

  /** @param {number} width CSS pixels */
  #resize(width) {
    return this.fit(Math.min(SIDE_MAX, Math.round(width * devicePixelRatio)));
  }

  /** Gives the canvas another side; false where it has it. @param {number} side pixels */
  fit(side) {
    if (side === this.side || side === 0) return false;
    this.side = this.canvas.width = this.canvas.height = side;
    this.#image = null;
    this.#empty = true;
    return true;
  }
}
