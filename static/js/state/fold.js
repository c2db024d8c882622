// @ts-check
/**
 * Applies events to the state of a lane. If an event does not fit the state, applyRow throws a FoldError and
 * changes nothing. This module must agree with wheel/fold.go. trace.js converts lines of a trace to rows.
 */
import { COUNT, NO_LEVEL, cell } from "../core/protocol.js";
import { CODES, KIND, KINDS, WITH_DUE } from "./kinds.js";
import { dropIfEmpty, leave, makePlace, placeKey, put } from "./lane-state.js";

/** @typedef {import("./lane-state.js").Lane} Lane */
/** @typedef {import("./lane-state.js").Entry} Entry */

/** The error for an event that does not fit the state. */
export class FoldError extends Error {}

/** Throws a FoldError. @param {string} message @returns {never} */
function refuse(message) {
  throw new FoldError(message);
}

/**
 * Applies the event in the row that begins at index `at` to its lane.
 * @param {Lane} lane @param {number[]} rows @param {number} [at]
 */
export function applyRow(lane, rows, at = 0) {
  switch (cell(rows, at, "kind")) {
    case KIND.schedule: return schedule(lane, rows, at);
    case KIND.miss: lane.counts[COUNT.missed]++; return;
    case KIND.finding: lane.counts[COUNT.findings]++; return;
    case KIND.hand: return hand(lane, rows, at);
    case KIND.move: return move(lane, rows, at);
    case KIND.grow: return grow(lane, rows, at);
    case KIND.resize: return resize(lane, rows, at);
    case KIND.enqueue: return enqueue(lane, rows, at);
    case KIND.dequeue: return dequeue(lane, rows, at);
    case KIND.reject: case KIND.pend: case KIND.place: case KIND.cascade:
    case KIND.cancel: case KIND.mark: case KIND.sweep: case KIND.expire: case KIND.rekey: return timer(lane, rows, at);
    default: refuse(`no event has kind ${cell(rows, at, "kind")}`);
  }
}

/** Schedules a timer. It is in no place until a later event places it. @param {Lane} lane @param {number[]} rows @param {number} at */
function schedule(lane, rows, at) {
  const id = cell(rows, at, "id");
  if (lane.index.has(id)) refuse(`schedule of timer ${id}, which is armed`);
  if (lane.arming) refuse(`schedule of timer ${id} while timer ${lane.arming.id} is nowhere yet`);
  lane.arming = { id, due: cell(rows, at, "due"), rounds: -1, run: cell(rows, at, "run") || 1, marked: false, stale: false, key: 0, place: null };
  lane.index.set(id, lane.arming);
  lane.counts[COUNT.scheduled]++;
  lane.counts[COUNT.live]++;
}

/** Applies an event about a scheduled timer. @param {Lane} lane @param {number[]} rows @param {number} at */
function timer(lane, rows, at) {
  const kind = cell(rows, at, "kind");
  const id = cell(rows, at, "id");
  const entry = lane.index.get(id);
  if (!entry) return refuse(`${KINDS[kind]} of timer ${id}, which is not armed`);
  checkFrom(entry, kind, rows, at);
  switch (kind) {
    case KIND.place: case KIND.cascade: case KIND.pend: return placeTimer(lane, entry, kind, rows, at);
    case KIND.mark: return mark(lane, entry);
    case KIND.rekey: return rekey(lane, entry);
    case KIND.sweep:
      if (!entry.marked) refuse(`sweep of timer ${id}, which is not marked`);
      lane.counts[COUNT.live]++; // it was subtracted when it was marked
      break;
    case KIND.reject: lane.counts[COUNT.rejected]++; break;
    case KIND.cancel: lane.counts[COUNT.cancelled]++; break;
    case KIND.expire: expire(lane, entry, cell(rows, at, "tick")); break;
  }
  leave(lane, entry);
  lane.index.delete(id);
  lane.counts[COUNT.live]--;
}

/**
 * Throws a FoldError if the timer of an event is not in the place that the event states, or if its due tick or
 * run differs from that of the event.
 * @param {Entry} entry @param {number} kind @param {number[]} rows @param {number} at
 */
function checkFrom(entry, kind, rows, at) {
  if (kind === KIND.mark) return;
  const level = cell(rows, at, "fromLevel");
  const slot = cell(rows, at, "fromSlot");
  const place = entry.place;
  const what = `${KINDS[kind]} of timer ${entry.id}`;
  if (level === NO_LEVEL && place) refuse(`${what} from nowhere, it is at level ${place.level} slot ${place.slot}`);
  if (level !== NO_LEVEL && (place?.level !== level || place.slot !== slot)) refuse(`${what} from level ${level} slot ${slot}, where it is not`);
  if (WITH_DUE.has(kind) && entry.due !== cell(rows, at, "due")) refuse(`${what} due ${cell(rows, at, "due")}, it is due ${entry.due}`);
  if (kind === KIND.expire && entry.run !== (cell(rows, at, "run") || 1)) refuse(`${what}, run ${cell(rows, at, "run")}; it waits for run ${entry.run}`);
  if ((kind === KIND.reject || kind === KIND.pend) && place) refuse(`${what}, which is in a place`);
  if (kind === KIND.cascade && !place) refuse(`${what}, which is in no place`);
}

/** Puts a timer into a place. @param {Lane} lane @param {Entry} entry @param {number} kind @param {number[]} rows @param {number} at */
function placeTimer(lane, entry, kind, rows, at) {
  const pending = kind === KIND.pend;
  const level = pending ? -1 : cell(rows, at, "toLevel");
  const slot = pending ? 0 : cell(rows, at, "toSlot");
  const id = pending ? 0 : cell(rows, at, "before");
  const before = id ? lane.index.get(id) : null;
  if (id && (before === entry || before?.place?.level !== level || before.place.slot !== slot)) {
    refuse(`${KINDS[kind]} of timer ${entry.id} before ${id}, which is not at level ${level} slot ${slot}`);
  }
  leave(lane, entry);
  put(lane, entry, level, slot, before ?? null);
  if (kind !== KIND.place) return;
  entry.stale = cell(rows, at, "code") === STALE;
  if (entry.stale) entry.key = cell(rows, at, "x");
  else entry.rounds = cell(rows, at, "x");
}

/** Code of a place event whose timer takes over the key of another one. */
const STALE = CODES.indexOf("stale");

/** Brings the key of a stale entry of a heap up to date. @param {Lane} lane @param {Entry} entry */
function rekey(lane, entry) {
  if (!entry.stale) refuse(`rekey of timer ${entry.id}, whose key is up to date`);
  [entry.stale, entry.key] = [false, 0];
  if (entry.place) lane.changed = true;
}

/** Marks a timer as cancelled. It stays in its place. @param {Lane} lane @param {Entry} entry */
function mark(lane, entry) {
  if (entry.marked) refuse(`timer ${entry.id} is marked already`);
  entry.marked = true;
  lane.counts[COUNT.cancelled]++;
  lane.counts[COUNT.live]--;
  if (entry.place) lane.changed = true;
}

/**
 * Counts a timer that fired, and whether it was early or late.
 * @param {Lane} lane @param {Entry} entry @param {number} tick
 */
function expire(lane, entry, tick) {
  lane.counts[COUNT.expired]++;
  if (tick < entry.due) lane.counts[COUNT.early]++;
  if (tick > entry.due) lane.counts[COUNT.late]++;
}

/**
 * Applies the visit of a slot: decrements the rounds of each unmarked timer that has rounds left.
 * @param {Lane} lane @param {number[]} rows @param {number} at
 */
function hand(lane, rows, at) {
  const level = cell(rows, at, "fromLevel");
  const slot = cell(rows, at, "fromSlot");
  const place = lane.places.get(placeKey(level, slot));
  if (!place) return refuse(`hand at level ${level} slot ${slot}, which is empty`);
  const waiting = place.entries.filter((e) => !e.marked && e.rounds > 0);
  const count = cell(rows, at, "before");
  if (waiting.length !== count) refuse(`hand at level ${level} slot ${slot} counts ${count}, ${waiting.length} timers have rounds left`);
  for (const entry of waiting) entry.rounds--;
  if (count > 0) lane.changed = true;
}

/**
 * Swaps the contents of two places, the second of which may be empty.
 * @param {Lane} lane @param {number[]} rows @param {number} at
 */
function move(lane, rows, at) {
  const entry = lane.index.get(cell(rows, at, "id"));
  const from = entry?.place;
  if (!entry || !from || from.level !== cell(rows, at, "fromLevel") || from.slot !== cell(rows, at, "fromSlot")) {
    return refuse(`move of timer ${cell(rows, at, "id")} from level ${cell(rows, at, "fromLevel")} slot ${cell(rows, at, "fromSlot")}, where it is not`);
  }
  const to = makePlace(lane, cell(rows, at, "toLevel"), cell(rows, at, "toSlot"));
  [from.entries, to.entries] = [to.entries, from.entries];
  for (const place of [from, to]) {
    place.count = place.entries.length;
    for (const e of place.entries) e.place = place;
    dropIfEmpty(lane, place);
  }
}

/**
 * Adds a level with the same number of slots as the first level.
 * @param {Lane} lane @param {number[]} rows @param {number} at
 */
function grow(lane, rows, at) {
  const level = cell(rows, at, "fromLevel");
  if (lane.levels.length === 0 || level !== lane.levels.length) refuse(`level ${level} grows, there are ${lane.levels.length}`);
  lane.levels = [...lane.levels, [level, lane.levels[0][1], cell(rows, at, "x")]];
}

/** Changes the number of slots of a level. Separate rows move its timers. @param {Lane} lane @param {number[]} rows @param {number} at */
function resize(lane, rows, at) {
  const level = cell(rows, at, "fromLevel");
  const slots = cell(rows, at, "fromSlot");
  if (!lane.levels.some((l) => l[0] === level && l[1] !== slots)) refuse(`level ${level} is resized to ${slots} slots, which it has, or is not there`);
  lane.levels = lane.levels.map((l) => (l[0] === level ? [level, slots, cell(rows, at, "x")] : l));
}

/**
 * Adds a slot to the delay queue, after other slots with the same due tick.
 * @param {Lane} lane @param {number[]} rows @param {number} at
 */
function enqueue(lane, rows, at) {
  const bucket = [cell(rows, at, "fromLevel"), cell(rows, at, "fromSlot"), cell(rows, at, "due")];
  const behind = lane.queue.findIndex((b) => b[2] > bucket[2]);
  lane.queue.splice(behind < 0 ? lane.queue.length : behind, 0, bucket);
}

/** Removes the head of the delay queue. @param {Lane} lane @param {number[]} rows @param {number} at */
function dequeue(lane, rows, at) {
  const head = lane.queue[0];
  const bucket = [cell(rows, at, "fromLevel"), cell(rows, at, "fromSlot"), cell(rows, at, "due")];
  if (!head || head.some((n, i) => n !== bucket[i])) refuse(`level ${bucket[0]} slot ${bucket[1]} is not the head of the delay queue`);
  lane.queue.shift();
  lane.now = bucket[2];
}
