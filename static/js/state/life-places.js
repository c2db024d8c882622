// @ts-check
/**
 * Pure functions that find the place of a timer, and the events before and after a cursor, in its history.
 */
import { NO_LEVEL, ROW, cell } from "../core/protocol.js";
import { KIND } from "./kinds.js";

/** Kinds of events after which a timer is in no place. */
const LEAVES = new Set([KIND.expire, KIND.cancel, KIND.sweep, KIND.reject]);

/**
 * Returns the place of a timer in a lane after event seq, or null if the timer is in no place or the place is
 * unknown.
 * @param {number[]} events rows of the timer's history @param {number} lane @param {number} seq
 * @returns {{level: number, slot: number}|null}
 */
function placeAt(events, lane, seq) {
  let place = null;
  for (let at = 0; at < events.length && cell(events, at, "seq") <= seq; at += ROW) {
    if (cell(events, at, "lane") !== lane) continue;
    if (cell(events, at, "toLevel") !== NO_LEVEL) place = { level: cell(events, at, "toLevel"), slot: cell(events, at, "toSlot") };
    else if (LEAVES.has(cell(events, at, "kind"))) place = null;
  }
  return place;
}

/**
 * Returns the place of a timer in a lane with mode "counts", or null if the timer is in no place or the place
 * is unknown. Before tick life.until, the place is found in the timer's history; later, in the state of the lane,
 * if the cursor is at rest.
 * @param {{run: string, id: number, events: number[], until: number}|null|undefined} life @param {import("./store.js").Store} store @param {number} lane @param {number} id
 */
export function whereOf(life, store, lane, id) {
  if (!life || life.id !== id || life.run !== store.run) return null;
  if (store.tick < life.until) return placeAt(life.events, lane, store.seq);
  return store.rest ? (store.lanes[lane].index.get(id)?.place ?? null) : null;
}

/**
 * Returns the number of the event before or after a cursor, or 0 if there is none.
 * @param {number[]} events @param {number} seq
 * @param {number} way 1 for the event after the cursor, −1 for the one before it
 */
export function eventBeside(events, seq, way) {
  let last = 0;
  for (let at = 0; at < events.length; at += ROW) {
    const found = cell(events, at, "seq");
    if (way > 0 && found > seq) return found;
    if (way < 0 && found < seq) last = found;
  }
  return last;
}

/**
 * Returns the ids of the first timers in rows, at most `most`, without duplicates, in the order of the rows.
 * @param {number[]} rows @param {number} most
 */
export function timersOf(rows, most) {
  const ids = new Set();
  for (let at = 0; at < rows.length && ids.size < most; at += ROW) {
    const id = cell(rows, at, "id");
    if (id > 0) ids.add(id);
  }
  return [...ids];
}
