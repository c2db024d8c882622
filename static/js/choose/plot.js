// @ts-check
/** The diagram of time and memory. Both axes are logarithmic and end at powers of ten. */
import { svg } from "../core/dom.js";

/** @typedef {{name: string, ns: number, bytes: number, front: boolean, timed?: boolean}} Point */

const [WIDE, HIGH] = [480, 300];
const [LEFT, RIGHT, TOP, BOTTOM] = [72, 32, 12, 32];
const SIZES = ["B", "kB", "MB", "GB"];

/** Returns the exponents of ten around values. @param {number[]} values */
function range(values) {
  const logs = values.map((v) => Math.log10(Math.max(v, 1e-3)));
  const least = Math.floor(Math.min(...logs));
  return [least, Math.max(least + 1, Math.ceil(Math.max(...logs)))];
}

/** Draws the points; `best` is the name of the recommendation. @param {SVGElement} picture @param {Point[]} points @param {string} best */
export function plot(picture, points, best) {
  if (points.length === 0) return picture.replaceChildren();
  const [x0, x1] = range(points.map((p) => p.bytes));
  const [y0, y1] = range(points.map((p) => p.ns));
  const x = (/** @type {number} */ log) => LEFT + ((WIDE - LEFT - RIGHT) * (log - x0)) / (x1 - x0);
  const y = (/** @type {number} */ log) => HIGH - BOTTOM - ((HIGH - TOP - BOTTOM) * (log - y0)) / (y1 - y0);
  const parts = [];
  for (let e = x0; e <= x1; e++) {
    const unit = Math.min(SIZES.length - 1, Math.max(0, Math.floor(e / 3)));
    parts.push(svg("line", { x1: x(e), x2: x(e), y1: y(y0), y2: y(y1) }), svg("text", { x: x(e), y: HIGH - 12, "text-anchor": "middle" }, `${10 ** (e - 3 * unit)} ${SIZES[unit]}`));
  }
  for (let e = y0; e <= y1; e++) {
    parts.push(svg("line", { x1: x(x0), x2: x(x1), y1: y(e), y2: y(e) }), svg("text", { x: LEFT - 8, y: y(e), dy: 4, "text-anchor": "end" }, `${10 ** e} ns`));
  }
  const last = (/** @type {Point} */ p) => (p.name === best ? 2 : p.front || p.timed ? 1 : 0);
  for (const p of [...points].sort((a, b) => last(a) - last(b))) {
    const kind = [p.timed ? "timed" : "", p.front ? "front" : "", p.name === best ? "best" : ""].join(" ").trim();
    parts.push(svg("circle", { class: kind || "model", cx: x(Math.log10(p.bytes)).toFixed(1), cy: y(Math.log10(Math.max(p.ns, 1e-3))).toFixed(1), r: 5 }, svg("title", {}, `${p.name}: ${p.ns.toFixed(1)} ns, ${p.bytes} B`)));
  }
  picture.replaceChildren(...parts);
}
