// @ts-check
/** Writes frames as a GIF file with one palette for all frames, so that static parts do not flicker. */
import { GIFEncoder, applyPalette, quantize } from "../vendor/gifenc/gifenc.js";

/** Number of palette colours. */
const COLOURS = 256;
/** Number of frames from which the palette is computed. */
export const SAMPLES = 6;
/** Maximum number of pixels of each sample frame from which the palette is computed. */
const SAMPLE_PIXELS = 1 << 18;

/**
 * Returns the palette of a film, computed from some of its frames.
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
 * Returns an encoder for a GIF. `add` appends a frame, `end` resolves to the file, and `drop` does nothing, since
 * there is nothing to close.
 * @param {{width: number, height: number, rate: number}} film @param {number[][]} palette
 * @returns {{add: (canvas: HTMLCanvasElement) => Promise<void>, end: () => Promise<Blob>, drop: () => void}}
 */
export function gifWriter({ width, height, rate }, palette) {
  const gif = GIFEncoder();
  let k = 0;
  const hundredths = (/** @type {number} */ n) => Math.round((n * 100) / rate); // in the unit of a GIF; rounded so that errors do not add up
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
