// @ts-check
/** The work of a tick: one block for each unit of the cost (docs/decisions/0010), or bars where there are many. */
import { html, setAttr } from "../core/dom.js";
import { t } from "../core/texts.js";

/** @typedef {[number, number, number, number]} Work slots examined, timers touched, comparisons and moves in a tick */
/** @typedef {{kind: string, wide: number, cut: boolean}} Block wide is in blocks */

const KINDS = ["look", "touch", "compared", "move"];
/** Number of units above which each kind is a bar. */
export const BLOCKS_MAX = 24;

/** Returns the sum of the four counters. @param {Work} work */
export const units = (work) => work[0] + work[1] + work[2] + work[3];

/**
 * Returns the blocks of a tick. All lanes have one scale.
 * @param {Work} work @param {number} most greatest work of one kind in any lane so far
 * @returns {Block[]}
 */
export function blocks(work, most) {
  if (units(work) <= BLOCKS_MAX && most <= BLOCKS_MAX) return KINDS.flatMap((kind, i) => Array.from({ length: work[i] }, () => ({ kind, wide: 1, cut: false })));
  const scale = (BLOCKS_MAX - 4) / Math.max(most, 1);
  return KINDS.flatMap((kind, i) => (work[i] > 0 ? [{ kind, wide: Math.max(0.3, Math.min(BLOCKS_MAX - 4, work[i] * scale)), cut: false }] : []));
}

/** Returns the position of the mark of the greatest work of a tick so far, in blocks. @param {number} worst @param {number} most */
const mark = (worst, most) => (most <= BLOCKS_MAX && worst <= BLOCKS_MAX ? worst : Math.min(BLOCKS_MAX, (worst * (BLOCKS_MAX - 4)) / Math.max(most, 1)));

/** @type {WeakMap<Element, string>} what was drawn in each strip */
const drawn = new WeakMap();

/**
 * Draws the work strip of a lane. Returns whether it has changed.
 * @param {Element} strip @param {Work} work @param {number} worst greatest work of a tick so far @param {number} most see blocks
 */
export function drawWork(strip, work, worst, most) {
  const key = `${work}/${worst}/${most}`;
  if (drawn.get(strip) === key) return false;
  drawn.set(strip, key);
  const list = blocks(work, most).map(({ kind, wide }) => sized(html("i", { class: kind }), "--wide", wide));
  strip.replaceChildren(...list, ...(worst ? [sized(html("span", { class: "worst" }), "--at", mark(worst, most))] : []));
  setAttr(strip, "aria-label", t("entry.work.units", { n: units(work), worst }));
  return true;
}

/** Sets a length of an element, which the style sheet uses. @param {any} element @param {string} name @param {number} value @returns {HTMLElement} */
function sized(element, name, value) {
  element.style.setProperty(name, String(value));
  return element;
}
