// @ts-check
/** The timers of a list or a heap in the order in which they stand. Pure. */

/** @typedef {{entry: import("../lane-state.js").Entry, slot: number}} Node a timer; its index */

/**
 * The timers that are known of a lane: all, or the first of a list in a lane of very many.
 * @param {string} shape "list" or "heap" @param {import("../lane-state.js").Lane} lane @returns {Node[]}
 */
export function nodesOf(shape, lane) {
  if (shape === "heap") {
    const nodes = [...lane.places.values()].flatMap(({ slot, entries }) => entries.slice(0, 1).map((entry) => ({ entry, slot })));
    return nodes.sort((a, b) => a.slot - b.slot);
  }
  return [...lane.places.values()].flatMap(({ entries }) => entries).map((entry, slot) => ({ entry, slot }));
}
