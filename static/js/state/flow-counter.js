// @ts-check
/**
 * Counts cascaded timers by pair of slots. If there are more pairs than a limit, adjacent slots are grouped.
 * This module must agree with sim/cursor/activity.go. It does not access the DOM.
 */

/** @typedef {import("./activity.js").Flow} Flow */

export class FlowCounter {
  /** Binary logarithm of the number of slots in a group. */
  #group = 0;
  /** @type {Map<string, Flow>} */
  #flows = new Map();

  /** @param {number} most maximum number of pairs */
  constructor(most) {
    this.most = most;
  }

  /** Adds the timers of a flow. @param {Flow} flow */
  add(flow) {
    this.#put(flow);
    while (this.#flows.size > this.most) {
      const all = this.list;
      this.#group++;
      this.#flows = new Map();
      for (const one of all) this.#put(one);
    }
  }

  /**
   * The flows between groups of slots. A group is represented by its first slot. Slots of level −1 are grouped
   * too.
   * @returns {Flow[]}
   */
  get list() { return [...this.#flows.values()]; }

  /** Counts the timers of a flow between the groups of slots that contain its source and its destination. @param {Flow} flow */
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
