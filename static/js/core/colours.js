// @ts-check
/** The colours for canvases, which are read from the style sheet and cached until the theme changes. */
import { HEAT_STEPS } from "./limits.js";

/** Number of style classes for the colours of timers: c0, c1 and so on. */
export const TIMER_COLOURS = 6;

/** @typedef {{timers: number[], inks: string[], heat: Uint32Array, hand: string, expiry: string, selected: string, ink: string, line: string, waits: string, move: string, rejection: string, finding: string, rule: string, soft: string}} Palette the colours of the theme, as used on canvases */

/** @type {Palette|null} */
let palette = null;

/** Discards the cached palette. It must be called after a change of theme. */
export function forgetPalette() {
  palette = null;
}

/** Calls the function `changed` after each change of the system's colours. @param {() => void} changed */
export function listenForColours(changed) {
  for (const query of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"]) {
    matchMedia(query).addEventListener("change", changed);
  }
}

/** Returns the current colours. @returns {Palette} */
export function currentPalette() {
  palette ??= readPalette();
  return palette;
}

const TIMER_RGB = [[0, 114, 178], [230, 159, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [240, 228, 66]];

/** Reads the colours from the style sheet. @returns {Palette} */
function readPalette() {
  const value = colourOf;
  const [low, high] = [rgb(value("--heat-0")), rgb(value("--heat-1"))];
  const heat = new Uint32Array(HEAT_STEPS);
  for (let i = 0; i < HEAT_STEPS; i++) {
    const share = 0.12 + (0.88 * i) / (HEAT_STEPS - 1); // so that one timer can be distinguished from none
    heat[i] = pack(low.map((v, k) => Math.round(v + (high[k] - v) * share)));
  }
  return {
    timers: TIMER_RGB.map(pack), inks: ["#fff", "#111", "#111", "#111", "#111", "#111"], heat,
    hand: value("--hand"), expiry: value("--expiry"), selected: value("--selected"), ink: value("--ink"), line: value("--dot-line"), waits: value("--waits"), move: value("--move"),
    rejection: value("--rejection"), finding: value("--finding"), rule: value("--line"), soft: value("--soft"),
  };
}

/** Returns the colour of a custom property, as "rgb(r, g, b)". @param {string} name */
export function colourOf(name) {
  const probe = document.head.appendChild(document.createElement("i"));
  probe.style.cssText = `forced-color-adjust: none; color: var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Returns the red, green and blue components, 0 to 255, of a colour. @param {string} colour as of colourOf */
function rgb(colour) {
  return colour.match(/\d+/g)?.map(Number) ?? [0, 0, 0];
}

/** Packs a colour as an opaque pixel of an ImageData (little-endian RGBA). @param {number[]} colour */
function pack([r, g, b]) {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}
