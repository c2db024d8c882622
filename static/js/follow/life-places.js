// @ts-check
/** What the events of a timer's life say: where it stands, what comes before and after. Pure. */
import { KIND, NO_LEVEL, ROW, cell } from "../protocol.js";

/** Events after which a timer stands nowhere. */
const LEAVES = new Set([KIND.expire, KIND.cancel, KIND.sweep, KIND.reject]);

/**
 * Where a timer stands in a lane after an event; null: nowhere, or it is not told.
 * @param {number[]} events rows of its life @param {number} lane @param {number} seq @returns {{level: number, slot: number}|null}
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
 * Where a timer stands in a lane that is told by counts: by its life, or past what that tells by
 * the lane, where it does; null: nowhere, or it is not told.
 * @param {{run: string, id: number, events: number[], until: number}|null|undefined} life @param {import("../store.js").Store} store @param {number} lane @param {number} id
 */
export function whereOf(life, store, lane, id) {
  if (!life || life.id !== id || life.run !== store.run) return null;
  if (store.tick < life.until) return placeAt(life.events, lane, store.seq);
  return store.rest ? (store.lanes[lane].index.get(id)?.place ?? null) : null;
}

/**
 * The event of a life that is next to a cursor; 0: none that way.
 * @param {number[]} events @param {number} seq @param {number} way 1: after it, -1: before it
 */
export function eventBeside(events, seq, way) {
  let last = 0;
  for (let at = 0; at < events.length; at += ROW) {
    const here = cell(events, at, "seq");
    if (way > 0 && here > seq) return here;
    if (way < 0 && here < seq) last = here;
  }
  return last;
}

/**
 * The first timers that events tell of, each once, in the order of the events.
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
