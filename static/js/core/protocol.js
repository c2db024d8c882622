// @ts-check
/**
 * The constants of the /ws messages. docs/MESSAGES.md describes the messages, and static/types/messages.d.ts
 * has their types. Generated from web/session/protocol by make generate. DO NOT EDIT.
 */

/** Version of the messages. */
export const VERSION = 1;

/** Number of integers in a row of `events`. */
export const ROW = 15;

/** Indices of the columns of a row. */
export const COL = Object.freeze({
  seq: 0, tick: 1, lane: 2, kind: 3, id: 4, fromLevel: 5, fromSlot: 6, toLevel: 7, toSlot: 8, before: 9, x: 10, due: 11, run: 12, code: 13, cost: 14,
});

/** Level in a row without a place. */
export const NO_LEVEL = -128;

/** Indices in `counts`. */
export const COUNT = Object.freeze({
  live: 0, scheduled: 1, rejected: 2, cancelled: 3, expired: 4, missed: 5, early: 6, late: 7, findings: 8,
});

/** Indices in `cost`. */
export const COST = Object.freeze({
  tick: 0, worst: 1, worstAt: 2, total: 3, slots: 4, touched: 5, compared: 6, moved: 7,
});

/** Indices of the columns of `costs`. */
export const TICK_COST = Object.freeze({
  lane: 0, tick: 1, ticks: 2, slots: 3, touched: 4, compared: 5, moved: 6,
});

/** Indices of the columns of a lane in `preview`. */
export const FUTURE = Object.freeze({
  kind: 0, level: 1, slot: 2, rounds: 3, code: 4,
});

/**
 * Returns a column of the row that begins at `at`.
 * @param {number[]} rows @param {number} at @param {keyof typeof COL} column
 */
export function cell(rows, at, column) {
  return rows[at + COL[column]];
}
