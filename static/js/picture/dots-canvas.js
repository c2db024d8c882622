// @ts-check
/**
 * Draws timers as dots on a canvas, for lanes with too many timers for SVG. It writes the pixels of each dot.
 */
import { TIMER_COLOURS, currentPalette } from "../core/colours.js";
import { labelSize } from "./geometry.js";
import { shortName } from "../state/words.js";

/** @typedef {import("./picture.js").Dot} Dot */
/** @typedef {import("./canvas.js").Overlay} Overlay */

/** Minimum radius of a labelled dot, in pixels. */
const LABEL_PX = 8;

/** @type {Map<number, {side: number, alpha: Uint8Array}>} masks of discs, by radius in tenths of a pixel */
const masks = new Map();

/**
 * Returns the mask of a disc: how much of each pixel the disc covers, from 0 to 255. The radius is rounded to
 * a tenth of a pixel.
 * @param {number} wanted radius of the disc, in pixels
 */
function discMask(wanted) {
  const key = Math.round(wanted * 10);
  const radius = key / 10; // rounded like the key, so that the same state always has the same picture
  let mask = masks.get(key);
  if (!mask) {
    const half = Math.ceil(radius + 0.5);
    const side = 2 * half + 1;
    const alpha = new Uint8Array(side * side);
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const cover = radius + 0.5 - Math.hypot(x - half, y - half);
        alpha[y * side + x] = Math.round(255 * Math.min(1, Math.max(0, cover)));
      }
    }
    masks.set(key, (mask = { side, alpha }));
  }
  return mask;
}

/**
 * Draws dots and their labels on the canvas, after clearing it.
 * @param {Overlay} overlay @param {Dot[]} dots @param {number} followed id of the followed timer, or 0
 * @param {(id: number) => string} name returns a timer's name
 */
export function drawDots(overlay, dots, followed, name) {
  const pixels = overlay.pixels();
  const { timers } = currentPalette();
  const scale = overlay.scale;
  for (const { entry, spot } of dots) {
    stamp(pixels, overlay.side, overlay.px(spot.x), overlay.py(spot.y), spot.r * scale, timers[(entry.id - 1) % TIMER_COLOURS]);
  }
  overlay.show();
  drawLabels(overlay, dots, followed, name);
}

/** Draws a disc. @param {Uint32Array} pixels @param {number} width @param {number} x @param {number} y @param {number} r @param {number} colour */
function stamp(pixels, width, x, y, r, colour) {
  const { side, alpha } = discMask(Math.max(r, 0.7));
  const left = Math.round(x) - (side >> 1);
  const top = Math.round(y) - (side >> 1);
  if (left < 0 || top < 0 || left + side > width || top + side > width) return;
  const rgb = colour & 0xffffff;
  for (let row = 0, from = 0; row < side; row++) {
    let at = (top + row) * width + left;
    for (let col = 0; col < side; col++, at++, from++) {
      if (alpha[from] > pixels[at] >>> 24) pixels[at] = ((alpha[from] << 24) | rgb) >>> 0;
    }
  }
}

/** Draws the labels of the dots that are large enough, and the followed timer's ring. @param {Overlay} overlay @param {Dot[]} dots @param {number} followed @param {(id: number) => string} name */
function drawLabels(overlay, dots, followed, name) {
  const { context: c, scale } = overlay;
  const { inks, selected } = currentPalette();
  c.textAlign = "center";
  c.textBaseline = "middle";
  for (const { entry, spot } of dots) {
    const r = spot.r * scale;
    if (r >= LABEL_PX) {
      const label = shortName(name(entry.id));
      c.font = `700 ${Math.round(labelSize(r, label))}px system-ui, sans-serif`;
      c.fillStyle = inks[(entry.id - 1) % TIMER_COLOURS];
      c.fillText(label, overlay.px(spot.x), overlay.py(spot.y));
    }
    if (entry.id === followed) ring(c, overlay.px(spot.x), overlay.py(spot.y), Math.max(r + 3, 7), selected);
  }
}

/** Draws the dashed ring around the followed timer. @param {CanvasRenderingContext2D} c @param {number} x pixels @param {number} y @param {number} r @param {string} ink */
export function ring(c, x, y, r, ink) {
  c.strokeStyle = ink;
  c.lineWidth = 2.2;
  c.setLineDash([4, 2.5]);
  c.beginPath();
  c.arc(x, y, r, 0, 2 * Math.PI);
  c.stroke();
  c.setLineDash([]);
}
