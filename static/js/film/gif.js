// @ts-check
/** Frames as a GIF file with one palette for all, so that what stands still does not flicker. */
import { GIFEncoder, applyPalette, quantize } from "../vendor/gifenc/gifenc.js";

/** Colours of the palette. */
const COLOURS = 256;
/** Frames of which the palette is made. */
export const SAMPLES = 6;
/** Pixels of a sample at most. */
const SAMPLE_PIXELS = 1 << 18;

/**
 * The palette of a film, from some of its frames.
 * @param {Uint8ClampedArray[]} samples RGBA
 */
export function paletteOf(samples) {
  const parts = samples.map((data) => {
    const pixels = new Uint32Array(data.buffer);
    const every = Math.ceil(pixels.length / SAMPLE_PIXELS);
    return pixels.filter((_, i) => i % every === 0);
  });
  const all = new Uint32Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return quantize(new Uint8ClampedArray(all.buffer), COLOURS);
}

/**
 * @param {{width: number, height: number, rate: number}} film @param {number[][]} palette
 * @returns {{add: (canvas: HTMLCanvasElement) => Promise<void>, end: () => Promise<Blob>, drop: () => void}}
 */
export function gifWriter({ width, height, rate }, palette) {
  const gif = GIFEncoder();
  let k = 0;
  const hundredths = (/** @type {number} */ n) => Math.round((n * 100) / rate); // a GIF's unit; rounding never adds up
  return {
    async add(canvas) {
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      const { data } = context.getImageData(0, 0, width, height);
      const delay = (hundredths(k + 1) - hundredths(k)) * 10;
      gif.writeFrame(applyPalette(data, palette), width, height, { delay, ...(k === 0 ? { palette, repeat: 0 } : {}) });
      k++;
    },
    async end() {
      gif.finish();
      return new Blob([gif.bytes()], { type: "image/gif" });
    },
    drop() {},
  };
}
