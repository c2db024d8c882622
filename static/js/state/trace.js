// @ts-check
/**
 * Folds the lines of a trace: each parsed event is converted to a row and applied by
 * fold.js. Used to read a trace without a server, and by the test that compares the
 * browser's fold with golden traces.
 */
import { NO_LEVEL, ROW } from "../core/protocol.js";
import { CODES, KIND } from "./kinds.js";
import { FoldError, applyRow } from "./fold.js";
import { emptyLane, sortedPlaces } from "./lane-state.js";
import { nanoseconds } from "../core/times.js";
import { traitsOf } from "./traits.js";

/** @typedef {import("./lane-state.js").Lane} Lane */

/**
 * Returns the empty lanes of a trace's header.
 * @param {any} header the parsed first line
 * @returns {Map<string, Lane>} by id
 */
export function newTraceState(header) {
  return new Map(header.scenario.lanes.map((/** @type {any} */ l) => [l.id, emptyLane(levelsOf(l, header.scenario.tick))]));
}

/**
 * Returns a lane's initial levels, from its parameters.
 * @param {any} lane of a scenario with its defaults filled in
 * @param {string} tick the scenario's
 * @returns {number[][]}
 */
export function levelsOf(lane, tick) {
  const width = lane.width ?? 1;
  switch (lane.algorithm) {
    case "list": case "sorted": case "heap": return [[0, 0, 1]];
    case "simple": return lane.overflow === "list" ? [[0, lane.slots, width], SIDE] : [[0, lane.slots, width]];
    case "hierarchical": return hierarchy(lane, width);
    case "calendar": return [[0, lane.slots, lane.day]];
    case "netty": return [[0, slotsOf(lane), width], SIDE];
    case "tokio": return sixtyFours(6, (level) => 64 ** level);
    case "linux": return sixtyFours(lane.levels, (level) => 8 ** level);
    case "redis": return [[0, 0, Math.max(1, Math.ceil(1e9 / nanoseconds(tick)))], [-1, 0, Math.max(1, Math.floor(nanoseconds(tick) / 1e9))]];
    case "linux-classic": return [[0, 256, 1], ...sixtyFours(5, (level) => 256 * 64 ** (level - 1)).slice(1)];
    default: return [[0, slotsOf(lane), width]];
  }
}

/** Returns the slots of a lane with one level. @param {any} lane */
function slotsOf({ algorithm, slots }) {
  return traitsOf(algorithm).powerOfTwo ? 2 ** Math.ceil(Math.log2(slots)) : slots;
}

/** A side list, or a pending queue. */
const SIDE = [-1, 0, 0];

/** Returns levels of 64 slots each. @param {number} levels @param {(level: number) => number} width of a slot */
function sixtyFours(levels, width) {
  return Array.from({ length: levels }, (_, level) => [level, 64, width(level)]);
}

/** Returns the levels of a hierarchical wheel; width is that of its finest slots. @param {any} lane @param {number} width */
function hierarchy(lane, width) {
  const slots = Array.isArray(lane.slots) ? lane.slots : Array(lane.levels ?? 1).fill(lane.slots);
  return slots.map((/** @type {number} */ n, /** @type {number} */ level) => {
    const own = width;
    width *= n;
    return [level, n, own];
  });
}

/**
 * Folds one parsed event line. Throws a FoldError if it does not fit.
 * @param {Map<string, Lane>} state @param {any} event
 */
export function foldTraceEvent(state, event) {
  const lane = state.get(event.lane);
  if (!lane) throw new FoldError(`no lane is called ${event.lane}`);
  applyRow(lane, rowOf(event));
}

/** Converts a trace event to a row. @param {any} e @returns {number[]} */
export function rowOf(e) {
  const row = new Array(ROW).fill(0);
  const kind = KIND[e.kind];
  if (!kind) throw new FoldError(`no event is of kind ${e.kind}`);
  const at = e.from ?? (FROM_HERE.has(kind) ? e : null);
  const to = e.to ?? (kind === KIND.place ? e : null);
  [row[0], row[1], row[3], row[4]] = [e.seq, e.tick, kind, e.id ?? 0];
  [row[5], row[6]] = at ? [at.level, at.slot ?? e.slots ?? 0] : [NO_LEVEL, 0];
  [row[7], row[8]] = to ? [to.level, to.slot] : [NO_LEVEL, 0];
  row[9] = kind === KIND.hand ? e.count : e.before ?? 0;
  row[10] = kind === KIND.grow || kind === KIND.resize ? e.width : e.got ?? e.rounds ?? -1;
  [row[11], row[12], row[13]] = [e.due ?? e.expect ?? 0, e.run ?? 1, Math.max(0, CODES.indexOf(e.reason ?? e.op ?? e.code ?? ""))];
  return row;
}

/** Kinds whose own level and slot are the place where they happen. */
const FROM_HERE = new Set([KIND.hand, KIND.grow, KIND.resize, KIND.enqueue, KIND.dequeue]);

/**
 * Returns a lane in the form in which states are compared: places in order, and nothing
 * that depends on the representation.
 * @param {Lane} lane
 */
export function canonical(lane) {
  const entry = (/** @type {import("./lane-state.js").Entry} */ e) => [e.id, e.due, e.rounds, e.run, e.marked ? 1 : 0];
  return {
    levels: lane.levels,
    places: sortedPlaces(lane).map((p) => [p.level, p.slot, p.entries.map(entry)]),
    arming: lane.arming ? entry(lane.arming) : null,
    queue: lane.queue,
    counts: lane.counts,
  };
}
