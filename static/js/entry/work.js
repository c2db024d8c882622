// @ts-check
/** The work of a tick: one block for each unit of the cost (docs/decisions/0010), or bars where there are many. */
import { units } from "./window.js";

/** @typedef {import("./window.js").Work} Work */
/** @typedef {{kind: string, wide: number, cut: boolean}} Block wide is in blocks */

export const KINDS = ["look", "touch", "compare", "move"];
/** Number of units above which each kind is a bar. */
export const BLOCKS_MAX = 24;

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
export const mark = (worst, most) => (most <= BLOCKS_MAX && worst <= BLOCKS_MAX ? worst : Math.min(BLOCKS_MAX, (worst * (BLOCKS_MAX - 4)) / Math.max(most, 1)));
