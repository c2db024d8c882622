// @ts-check
/**
 * Pure functions that compute the journey of each timer in a step: the places through which it moved.
 * Journeys depend only on the state after the step and on the events of the step.
 */
import { NO_LEVEL } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";

/** @typedef {import("../state/activity.js").Row} Row */
/** @typedef {import("../state/lane-state.js").Lane} Lane */
/** @typedef {{level: number, slot: number}} Where level and slot of a place */
/**
 * @typedef {object} Journey the places of a timer that is in a place after the step
 * @property {number} id
 * @property {"cascade"|"place"|"move"} kind "place" if the timer was in no place before
 * @property {Where[]} places previous places of the timer, in order
 * @property {number} seq number of the last event that moved the timer
 * @property {number} [was] id of the timer before a reset
 */

/** Kinds of events that put a timer into a place. */
const PUTS = new Set([KIND.place, KIND.pend, KIND.cascade]);
/** Kinds of events by which a timer leaves the structure. */
const LEAVES = new Set([KIND.expire, KIND.cancel, KIND.sweep]);

/**
 * Returns the journeys of the timers that a step has moved.
 * @param {Row[]} rows events of the lane in the step @param {Lane} lane the lane after the step @param {string} shape
 * @param {(id: number) => string} name @returns {Journey[]}
 */
export function journeysOf(rows, lane, shape, name) {
  if (lane.mode === "counts" || rows.length === 0) return [];
  const ways = shape === "heap" ? swaps(rows, lane) : moves(rows, name);
  return [...ways.values()].filter(({ id }) => lane.index.get(id)?.place);
}

/** Reports whether the timer of an event was in a place before it. @param {Row} row */
function hasFrom({ fromLevel }) { return fromLevel !== NO_LEVEL; }

/** Returns the journeys of timers between slots. A reset, which cancels a timer and schedules one with the same name, is a single journey. @param {Row[]} rows @param {(id: number) => string} name */
function moves(rows, name) {
  /** @type {Map<number, Journey>} */
  const ways = new Map();
  /** @type {Map<string, {id: number, from: Where}>} */
  const cancelled = new Map();
  for (const row of rows) {
    const from = { level: row.fromLevel, slot: row.fromSlot };
    if (row.kind === KIND.cancel && hasFrom(row)) cancelled.set(name(row.id), { id: row.id, from });
    if (!PUTS.has(row.kind)) continue;
    const way = ways.get(row.id) ?? { id: row.id, kind: /** @type {Journey["kind"]} */ ("place"), places: [], seq: 0 };
    ways.set(row.id, way);
    way.seq = row.seq;
    const reset = hasFrom(row) || way.places.length > 0 ? undefined : cancelled.get(name(row.id));
    const before = hasFrom(row) ? from : reset?.from;
    if (!before) continue;
    if (reset) way.was = reset.id;
    way.places.push(before);
    if (way.kind !== "cascade") way.kind = row.kind === KIND.cascade ? "cascade" : "move";
  }
  return ways;
}

/**
 * Returns the journeys of timers in a heap. The event of a swap contains only one of the two timers, so the
 * other one is found by undoing the step.
 * @param {Row[]} rows @param {Lane} lane
 */
function swaps(rows, lane) {
  /** @type {Map<number, number>} id of the timer at an index */
  const at = new Map();
  for (const { slot, entries } of lane.places.values()) if (entries[0]) at.set(slot, entries[0].id);
  /** @type {Map<number, Journey>} */
  const ways = new Map();
  const wayOf = (/** @type {number} */ id, /** @type {number} */ seq) => {
    const way = ways.get(id) ?? { id, kind: /** @type {Journey["kind"]} */ ("move"), places: [], seq };
    ways.set(id, way);
    return way;
  };
  for (const row of [...rows].reverse()) {
    if (row.kind === KIND.move) undo(at, row, (id, slot) => wayOf(id, row.seq).places.unshift({ level: 0, slot }));
    else if (row.kind === KIND.place) {
      wayOf(row.id, row.seq).kind = "place";
      at.delete(row.toSlot);
    } else if (LEAVES.has(row.kind) && hasFrom(row)) at.set(row.fromSlot, row.id);
  }
  return ways;
}

/**
 * Undoes the swap of an event. Calls `was` with the id of each of the two timers and its index before the swap.
 * @param {Map<number, number>} at ids of the timers, by index @param {Row} row
 * @param {(id: number, slot: number) => void} was
 */
function undo(at, { fromSlot, toSlot }, was) {
  const [one, other] = [at.get(toSlot), at.get(fromSlot)];
  at.delete(fromSlot);
  at.delete(toSlot);
  if (one !== undefined) {
    at.set(fromSlot, one);
    was(one, fromSlot);
  }
  if (other !== undefined) {
    at.set(toSlot, other);
    was(other, toSlot);
  }
}
