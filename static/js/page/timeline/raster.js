// @ts-check
/**
 * An image of the timeline's rows. A long run has ten thousand bars and marks. Writing them to an ImageData
 * takes a few milliseconds, and drawing them on a canvas ten times as long. Lengths are in CSS pixels.
 * Drawings are clipped to the image.
 */

/** Colours as pixels (little-endian RGBA), by their CSS text. @type {Map<string, number>} */
const known = new Map();
/** Maximum number of cached colours, enough for a few themes. */
const KNOWN_MAX = 64;
/** @type {CanvasRenderingContext2D|null} a canvas of one pixel, with which colours are parsed */
let sample = null;

/** Converts a CSS colour to a pixel. @param {string} colour */
export function pixelOf(colour) {
  let pixel = known.get(colour);
  if (pixel !== undefined) return pixel;
  if (known.size >= KNOWN_MAX) known.clear();
  sample ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!sample) return 0xff000000;
  sample.clearRect(0, 0, 1, 1);
  sample.fillStyle = colour;
  sample.fillRect(0, 0, 1, 1);
  pixel = new Uint32Array(sample.getImageData(0, 0, 1, 1).data.buffer)[0];
  known.set(colour, pixel);
  return pixel;
}

/** @typedef {{side: number, pixels: Uint32Array}} Stamp a mark's square image, in screen pixels */

export class Raster {
  /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {number} scale screen pixels per CSS pixel */
  constructor(context, width, height, scale) {
    this.context = context;
    this.scale = scale;
    this.wide = Math.max(1, Math.round(width * scale));
    this.high = Math.max(1, Math.round(height * scale));
    this.image = context.createImageData(this.wide, this.high);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  /**
   * Fills a rectangle. Its edges are rounded to screen pixels.
   * @param {number} x @param {number} y @param {number} width @param {number} height @param {number} pixel
   */
  fill(x, y, width, height, pixel) {
    const { scale, wide, high, pixels } = this;
    const left = Math.max(0, Math.round(x * scale));
    const right = Math.min(wide, Math.max(left + 1, Math.round((x + width) * scale)));
    const top = Math.max(0, Math.round(y * scale));
    const bottom = Math.min(high, Math.max(top + 1, Math.round((y + height) * scale)));
    for (let row = top; row < bottom; row++) {
      const end = row * wide + right;
      for (let at = row * wide + left; at < end; at++) pixels[at] = pixel; // most are one pixel wide: a call of fill costs more
    }
  }

  /** Draws a mark centred at a point. @param {Stamp} stamp @param {number} x @param {number} y */
  put({ side, pixels: mark }, x, y) {
    const { wide, high, pixels, scale } = this;
    const left = Math.round(x * scale - side / 2);
    const top = Math.round(y * scale - side / 2);
    for (let row = Math.max(0, -top); row < Math.min(side, high - top); row++) {
      for (let col = Math.max(0, -left); col < Math.min(side, wide - left); col++) {
        const over = mark[row * side + col];
        if (over >>> 24 === 0) continue;
        const at = (top + row) * wide + left + col;
        pixels[at] = pixels[at] >>> 24 === 0 || over >>> 24 === 255 ? over : mixed(pixels[at], over);
      }
    }
  }

  /** Copies the drawing to the top left corner of the canvas. */
  show() { this.context.putImageData(this.image, 0, 0); }
}

/** Blends a translucent pixel over an opaque one. @param {number} under @param {number} over */
function mixed(under, over) {
  const share = (over >>> 24) / 255;
  let pixel = 255 << 24;
  for (const shift of [0, 8, 16]) {
    const [a, b] = [(under >>> shift) & 255, (over >>> shift) & 255];
    pixel |= Math.round(a + (b - a) * share) << shift;
  }
  return pixel >>> 0;
}
