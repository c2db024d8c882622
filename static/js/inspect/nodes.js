// @ts-check
/** A pure function that returns the timers of a list or a heap in the order of the structure. */

/** @typedef {{entry: import("../state/lane-state.js").Entry, slot: number}} Node a timer, and its index in the structure */

/**
 * Returns the known timers of a lane. These are all timers, or only the first ones of a very long list.
 * @param {string} shape "list" or "heap" @param {import("../state/lane-state.js").Lane} lane @returns {Node[]}
 */
export function nodesOf(shape, lane) {
  if (shape === "heap") {
    const nodes = [...lane.places.values()].flatMap(({ slot, entries }) => entries.slice(0, 1).map((entry) => ({ entry, slot })));
    return nodes.sort((a, b) => a.slot - b.slot);
  }
  return [...lane.places.values()].flatMap(({ entries }) => entries).map((entry, slot) => ({ entry, slot }));
}
