// @ts-check
/**
 * Counts timers by the slots that they cascaded between. If there are more pairs than a
 * limit, adjacent slots are grouped, as in sim/cursor/activity.go. Pure.
 */

/** @typedef {import("./activity.js").Flow} Flow */

export class FlowCounter {
  /** Slots are rounded down to a multiple of 2 to the power of this. */
  #group = 0;
  /** @type {Map<string, Flow>} */
  #flows = new Map();

  /** @param {number} most pairs */
  constructor(most) {
    this.most = most;
  }

  /** Adds timers. @param {Flow} flow */
  add(flow) {
    this.#put(flow);
    while (this.#flows.size > this.most) {
      const all = this.list;
      this.#group++;
      this.#flows = new Map();
      for (const one of all) this.#put(one);
    }
  }

  /** Returns the flows between groups of slots, whose slots are the first of their groups; slots of level −1 too. @returns {Flow[]} */
  get list() { return [...this.#flows.values()]; }

  /** Adds a flow to the one between the groups of its slots. @param {Flow} flow */
  #put({ from, to, count }) {
    const size = 2 ** this.#group;
    const first = (/** @type {{level: number, slot: number}} */ { level, slot }) => ({ level, slot: Math.floor(slot / size) * size });
    const [a, b] = [first(from), first(to)];
    const key = `${a.level}/${a.slot}/${b.level}/${b.slot}`;
    const flow = this.#flows.get(key);
    if (flow) flow.count += count;
    else this.#flows.set(key, { from: a, to: b, count });
  }
}
