// @ts-check
/**
 * The state of one lane: the places with their timers in order, an index of the timers by id, and the counts.
 * fold.js applies events to it. This module does not depend on events.
 */

/**
 * @typedef {object} Entry a scheduled timer, or a cancelled timer that is still in its place
 * @property {number} id
 * @property {number} due due tick, relative to the scenario's start
 * @property {number} rounds remaining rounds, or −1 if the lane does not count rounds
 * @property {number} run number of the run, from 1
 * @property {boolean} marked
 * @property {boolean} stale whether a heap orders the timer by `key`, because it was reset
 * @property {number} key tick by which the heap orders the timer if it is stale; otherwise 0
 * @property {Place|null} place place of the timer, or null if it is not placed yet
 *
 * @typedef {object} Place
 * @property {number} level @property {number} slot
 * @property {number} count number of timers in the place
 * @property {Entry[]} entries all timers in mode "full", and otherwise the first few or none
 *
 * @typedef {object} Lane
 * @property {"full"|"counts"} mode
 * @property {number} now the lane's clock
 * @property {number[][]} levels [level, slots, width], finest first
 * @property {Map<number, Place>} places the non-empty places, by key
 * @property {Map<number, Entry>} index all known timers, by id
 * @property {Entry|null} arming timer that is scheduled but not placed yet; null if there is none
 * @property {number[][]} queue the delay queue: [level, slot, due]
 * @property {number[]} counts see COUNT in protocol.js
 * @property {number[]} cost see COST in protocol.js
 * @property {boolean} changed whether a place has changed since the table was updated
 * @property {boolean} fresh whether the state was replaced since the table was updated
 */

const SLOTS = 2 ** 32;

/**
 * Returns the key of a place in Lane.places. Keys are ordered by level and slot.
 * @param {number} level @param {number} slot
 */
export function placeKey(level, slot) {
  return (level + 2) * SLOTS + slot;
}

/** Returns an empty lane. @param {number[][]} levels @returns {Lane} */
export function emptyLane(levels) {
  return {
    mode: "full", now: 0, levels, places: new Map(), index: new Map(), arming: null, queue: [],
    counts: [0, 0, 0, 0, 0, 0, 0, 0, 0], cost: [0, 0, 0, 0], changed: false, fresh: true,
  };
}

/** Decodes a list of timers. @param {number[]} flat id, due tick, rounds, run and marks of each timer @returns {Entry[]} */
function entriesOf(flat) {
  const entries = [];
  for (let i = 0; i + 4 < flat.length; i += 5) {
    const stale = flat[i + 4] >= 2;
    entries.push({ id: flat[i], due: flat[i + 1], rounds: stale ? -1 : flat[i + 2], run: flat[i + 3], marked: flat[i + 4] % 2 === 1, stale, key: stale ? flat[i + 2] : 0, place: null });
  }
  return entries;
}

/**
 * Decodes the state of a lane.
 * @param {any} message an element of `lanes` in a `state` message @returns {Lane}
 */
export function laneOf(message) {
  const lane = emptyLane(message.levels);
  lane.mode = message.mode;
  lane.now = message.now;
  lane.counts = message.counts;
  lane.cost = message.cost;
  lane.queue = message.queue ?? [];
  for (const [level, slot, count, flat] of message.places) {
    const place = { level, slot, count, entries: entriesOf(flat ?? []) };
    for (const entry of place.entries) {
      entry.place = place;
      lane.index.set(entry.id, entry);
    }
    lane.places.set(placeKey(level, slot), place);
  }
  lane.arming = entriesOf(message.arming ?? [])[0] ?? null;
  if (lane.arming) lane.index.set(lane.arming.id, lane.arming);
  return lane;
}

/**
 * Returns a place, and creates it if it is missing. Marks the place as changed.
 * @param {Lane} lane @param {number} level @param {number} slot
 */
export function makePlace(lane, level, slot) {
  const key = placeKey(level, slot);
  let place = lane.places.get(key);
  if (!place) {
    place = { level, slot, count: 0, entries: [] };
    lane.places.set(key, place);
  }
  lane.changed = true;
  return place;
}

/** Marks a place as changed, and removes it if it is empty. @param {Lane} lane @param {Place} place */
export function dropIfEmpty(lane, place) {
  const key = placeKey(place.level, place.slot);
  lane.changed = true;
  if (place.count === 0) lane.places.delete(key);
}

/** Removes a timer from its place. @param {Lane} lane @param {Entry} entry */
export function leave(lane, entry) {
  const place = entry.place;
  if (!place) {
    if (lane.arming === entry) lane.arming = null;
    return;
  }
  if (place.entries[0] === entry) place.entries.shift();
  else place.entries.splice(place.entries.indexOf(entry), 1);
  place.count = place.entries.length;
  entry.place = null;
  dropIfEmpty(lane, place);
}

/**
 * Puts a timer into a place, before another timer or at the end.
 * @param {Lane} lane @param {Entry} entry @param {number} level @param {number} slot @param {Entry|null} before
 */
export function put(lane, entry, level, slot, before) {
  const place = makePlace(lane, level, slot);
  if (before) place.entries.splice(place.entries.indexOf(before), 0, entry);
  else place.entries.push(entry);
  place.count = place.entries.length;
  entry.place = place;
}

/** Sets the number of timers in a place of a lane with mode "counts", and forgets which they are. @param {Lane} lane @param {number} level @param {number} slot @param {number} count */
export function setCount(lane, level, slot, count) {
  const place = makePlace(lane, level, slot);
  for (const entry of place.entries) lane.index.delete(entry.id);
  place.entries = [];
  place.count = count;
  dropIfEmpty(lane, place);
}

/** Returns the places, ordered by level and slot. @param {Lane} lane @returns {Place[]} */
export function sortedPlaces(lane) {
  return [...lane.places.values()].sort((a, b) => a.level - b.level || a.slot - b.slot);
}

/**
 * Returns the slot under the hand of a level, or −1 if the level has no slots. It must agree with handAt in
 * web/view/lab.go.
 * @param {number[]} level [level, slots, width] @param {number} now the lane's clock
 * @param {number} start origin of the lane's slots; see Store.origin
 */
export function handSlot([, slots, width], now, start) {
  return slots > 0 ? Math.floor(((start % (slots * width)) + now) / width) % slots : -1;
}

/** Returns the number of levels, not counting the side list at level −1. @param {number[][]} levels */
export function ringCount(levels) {
  return levels.filter(([level]) => level >= 0).length;
}
