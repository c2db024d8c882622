// @ts-check
/**
 * Pure functions that collect the facts about one event that formulas need: the parameters of the lane, the
 * due tick and the new place of the timer, and the clock.
 */
import { COL, ROW, cell } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";

/**
 * @typedef {import("./narrate.js").Context} Context
 *
 * @typedef {object} Facts
 * @property {string} algorithm @property {Record<string, any>} params
 * @property {number} kind
 * @property {number} start absolute tick of the scenario's start
 * @property {number} now absolute tick of the event
 * @property {number} due absolute due tick @property {number} unit length of a wheel tick, in base ticks
 * @property {number} level level of the timer's new place @property {number} slot slot of that place
 * @property {number} slots number of slots of that level @property {number} width width of its slots, in base ticks
 * @property {number} rounds rounds of the timer, or −1 if there are none
 * @property {number[][]} levels [level, slots, width], finest first
 * @property {number} dequeued absolute due tick of the bucket that was last taken from the delay queue; −1 if
 *   there is none
 */

/**
 * Returns the facts about the event at offset `at`, or null if the event does not put a timer into a ring.
 * @param {number[]} rows @param {number} at @param {Context} context @returns {Facts|null}
 */
export function factsOf(rows, at, context) {
  const index = cell(rows, at, "lane");
  const { shape, algorithm, params } = context.infos[index];
  const { levels } = context.lanes[index];
  const level = levels.find(([n]) => n === cell(rows, at, "toLevel"));
  if (shape !== "ring" || !level || level[0] < 0) return null;
  return {
    algorithm, params: params ?? {}, kind: cell(rows, at, "kind"), start: context.start,
    now: context.start + cell(rows, at, "tick"), due: context.start + cell(rows, at, "due"),
    unit: Number(params?.width ?? 1),
    level: level[0], slot: cell(rows, at, "toSlot"), slots: level[1], width: level[2],
    rounds: cell(rows, at, "kind") === KIND.place ? cell(rows, at, "x") : -1,
    levels: levels.filter(([n]) => n >= 0), dequeued: dequeued(rows, at, context.start),
  };
}

/**
 * Returns the absolute due tick of the bucket in the previous dequeue event of the same lane, or −1 if there
 * is none.
 * @param {number[]} rows @param {number} at @param {number} start
 */
function dequeued(rows, at, start) {
  const lane = rows[at + COL.lane];
  for (let back = at - ROW; back >= 0; back -= ROW) {
    if (rows[back + COL.lane] === lane && rows[back + COL.kind] === KIND.dequeue) return start + rows[back + COL.due];
  }
  return -1;
}

/**
 * Formats an absolute tick as "(start + offset)", or as a number if the start is 0.
 * @param {Facts} f @param {number} absolute
 */
export function shown({ start }, absolute) {
  return start === 0 ? String(absolute) : `(${start} + ${absolute - start})`;
}

/** Formats the computation of the due tick in wheel ticks, such as "4" or "⌈25 / 10⌉". @param {Facts} f */
export function dueTicks(f) {
  if (f.unit === 1) return shown(f, f.due);
  return f.params.rounding === "floor" ? `⌊${shown(f, f.due)} / ${f.unit}⌋` : `⌈${shown(f, f.due)} / ${f.unit}⌉`;
}

/** Returns the due tick, in wheel ticks. @param {Facts} f */
export function dueIn({ due, unit, params }) {
  return params.rounding === "floor" ? Math.floor(due / unit) : Math.ceil(due / unit);
}

/** Returns the clock of the wheel, in wheel ticks. @param {Facts} f */
export function clockIn({ now, unit }) {
  return Math.floor(now / unit);
}
