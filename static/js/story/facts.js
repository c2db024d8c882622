// @ts-check
/**
 * The facts about one event for a formula: the lane's parameters, the timer's due tick,
 * its new place, and the clock. Pure.
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
 * @property {number} due absolute @property {number} unit base ticks of a wheel tick
 * @property {number} level @property {number} slot new place of the timer
 * @property {number} slots @property {number} width of that level, base ticks
 * @property {number} rounds −1 if none
 * @property {number[][]} levels [level, slots, width], finest first
 * @property {number} dequeued absolute tick of the bucket taken from the delay queue before this; −1 if none
 */

/** Returns the facts of the row at `at`, or null if it puts no timer into a ring. @param {number[]} rows @param {number} at @param {Context} context @returns {Facts|null} */
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

/** Returns the bucket of the previous dequeue event of the row's lane. @param {number[]} rows @param {number} at @param {number} start */
function dequeued(rows, at, start) {
  const lane = rows[at + COL.lane];
  for (let back = at - ROW; back >= 0; back -= ROW) {
    if (rows[back + COL.lane] === lane && rows[back + COL.kind] === KIND.dequeue) return start + rows[back + COL.due];
  }
  return -1;
}

/** Formats an absolute tick as "(start + offset)", or alone if the start is 0. @param {Facts} f @param {number} absolute */
export function shown({ start }, absolute) {
  return start === 0 ? String(absolute) : `(${start} + ${absolute - start})`;
}

/** Formats the calculation of the due tick in wheel ticks: "4", or "⌈25 / 10⌉". @param {Facts} f */
export function dueTicks(f) {
  if (f.unit === 1) return shown(f, f.due);
  return f.params.rounding === "floor" ? `⌊${shown(f, f.due)} / ${f.unit}⌋` : `⌈${shown(f, f.due)} / ${f.unit}⌉`;
}

/** Returns the due tick in wheel ticks. @param {Facts} f */
export function dueIn({ due, unit, params }) {
  return params.rounding === "floor" ? Math.floor(due / unit) : Math.ceil(due / unit);
}

/** Returns the wheel's clock in wheel ticks. @param {Facts} f */
export function clockIn({ now, unit }) {
  return Math.floor(now / unit);
}
