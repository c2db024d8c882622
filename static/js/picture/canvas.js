// @ts-check
/** A canvas on top of a picture, with direct access to its pixels. */
import { currentPalette } from "../core/colours.js";

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
