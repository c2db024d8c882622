// @ts-check
/** The track of time: the run from its first to its last tick, with marks where timers fire, cascade or are rejected. */
import { ROW, cell } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";
import { fix } from "../picture/face.js";

/** @typedef {import("../picture/nodes.js").Node_} Node_ */
/** @typedef {import("../picture/window.js").Window} Window */

/** Space at both ends, in pixels. */
const MARGIN = 10;
/** Smallest distance between two marks of a kind, in pixels. */
const CLOSE = 7;

/** @param {Window} win @param {number} wide @param {number} T */
const trackX = (win, wide, T) => MARGIN + (T / (win.run.until + 1)) * (wide - 2 * MARGIN);
/** @param {Window} win @param {number} wide @param {number} x */
export const trackTime = (win, wide, x) => ((x - MARGIN) / (wide - 2 * MARGIN)) * (win.run.until + 1);

/** Draws the track without its head. @param {Window} win @param {number} wide @param {number} high @returns {Node_[]} */
export function track(win, wide, high) {
  const { until } = win.run;
  const y = fix(high * 0.68);
  const X = (/** @type {number} */ T) => fix(trackX(win, wide, T));
  /** @type {Node_[]} */
  const nodes = [];
  let step = 1;
  for (const m of [2, 2.5, 2]) while ((wide * step) / (until + 1) < 6) step *= m === 2.5 ? 2.5 : 2;
  step = Math.max(1, Math.round(step));
  const long = [10, 50, 100, 500, 1000, 5000, 10000, 50000, 100000, 1e6, 1e7, 1e8, 1e9].find((n) => n >= 5 * step) ?? step * 5;
  for (let t = 0; t <= until; t += step) nodes.push(["line", { class: "tick", x1: X(t + 0.5), x2: X(t + 0.5), y1: y + 6, y2: y + (t % long === 0 ? 13 : 9) }]);
  nodes.push(["line", { class: "rail", x1: X(0), x2: X(until + 1), y1: y, y2: y }]);
  /** @type {Map<number, Set<string>>} */
  const marks = new Map();
  /** @type {Record<string, number>} */
  const last = {};
  for (let i = 0; i < win.length; i++) {
    const kind = cell(win.rows, i * ROW, "kind");
    const name = kind === KIND.expire ? "fired" : kind === KIND.cascade ? "cascade" : kind === KIND.reject ? "rejected" : "";
    if (!name) continue;
    const x = X(win.tickOf(i) + 0.5);
    if (last[name] !== undefined && x !== last[name] && x - last[name] < CLOSE) continue;
    last[name] = x;
    (marks.get(x) ?? marks.set(x, new Set()).get(x))?.add(name);
  }
  for (const [x, names] of marks) {
    let top = y - 17;
    if (names.has("fired")) {
      nodes.push(["circle", { class: "fired", cx: x, cy: top, r: 4 }]);
      top -= 11;
    }
    if (names.has("cascade")) {
      nodes.push(["path", { class: "cascade", d: `M${x - 5} ${top - 4.5}h10l-5 9z` }]);
      top -= 11;
    }
    if (names.has("rejected")) nodes.push(["path", { class: "rejected", d: `M${x - 4} ${top - 4}l8 8m0 -8l-8 8` }]);
  }
  return nodes;
}

/** Draws the part of the track that has passed, and its head. @param {Window} win @param {number} T @param {number} wide @param {number} high @returns {Node_[]} */
export function head(win, T, wide, high) {
  const [x, y] = [fix(trackX(win, wide, T)), fix(high * 0.68)];
  return [["line", { class: "done", x1: MARGIN, x2: x, y1: y, y2: y }], ["circle", { class: "head", cx: x, cy: y, r: 9 }]];
}
