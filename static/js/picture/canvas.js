// @ts-check
/** A canvas laid over a picture of 400 units, with direct access to its pixels. */

/** Side length of the picture, in units. */
const UNITS = 400;
/** Maximum side length in pixels; a larger canvas costs more than it shows. */
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

  /** Pixels per unit. */
  get scale() { return (this.side / UNITS) * this.zoom.k; }

  /** Converts a horizontal picture coordinate to pixels. @param {number} x units */
  px(x) { return (x - this.zoom.x) * this.scale; }

  /** Converts a vertical picture coordinate to pixels. @param {number} y units */
  py(y) { return (y - this.zoom.y) * this.scale; }

  /** Returns the cleared pixels, one 32-bit number each. @returns {Uint32Array} */
  pixels() {
    this.#image ??= this.context.createImageData(this.side, this.side);
    const all = new Uint32Array(this.#image.data.buffer);
    all.fill(0);
    return all;
  }

  /** Displays the pixels filled in after pixels(). */
  show() {
    if (this.#image) this.context.putImageData(this.#image, 0, 0);
    this.#empty = false;
  }

  clear() {
    if (!this.#empty) this.context.clearRect(0, 0, this.side, this.side);
    this.#empty = true;
  }

  /** Reports whether the canvas shows a drawing. */
  get drawn() { return !this.#empty; }

  /** Adapts the canvas to the width of the picture. @param {number} width CSS pixels */
  #resize(width) {
    return this.fit(Math.min(SIDE_MAX, Math.round(width * devicePixelRatio)));
  }

  /** Sets the canvas's side length. Returns false if it is unchanged. @param {number} side pixels */
  fit(side) {
    if (side === this.side || side === 0) return false;
    this.side = this.canvas.width = this.canvas.height = side;
    this.#image = null;
    this.#empty = true;
    return true;
  }
}
