// @ts-check
/**
 * Computes the accumulated costs and the clock of every lane at a cursor. The file contains them for certain
 * ticks, called stops. In a short run every tick is a stop. In a long run the stops are the ticks with
 * events, the ticks before them, and the last tick.
 */
import { COL } from "../core/protocol.js";
import { atMost, sums } from "../core/search.js";

/** @typedef {{now: number, cost: number[]}} Spent clock and cost of a lane; cost is [tick, worst, worstAt, total] as in a message */

export class Costs {
  /** @param {import("./recording.js").Recording} recording */
  constructor(recording) {
    this.recording = recording;
    const { score } = recording;
    this.every = !score.stops;
    this.stops = sums(score.stops ?? []);
    this.lanes = score.costs.map((lane) => ({ ...lane, sum: sums(lane.total ?? lane.tick) }));
    this.before = score.frames[0].lanes.map((/** @type {any} */ lane) => ({ now: lane.now, cost: lane.cost }));
  }

  /** Returns the index of the last stop at or before a tick, or −1 if there is none. @param {number} tick */
  stop(tick) { return this.every ? tick : atMost(this.stops, tick); }

  /**
   * Returns the last stop at or before a tick, or −1 if there is none. Stops are the only ticks at whose end
   * the cursor can be.
   * @param {number} tick
   */
  lastStopTick(tick) { return this.every ? tick : this.stops[atMost(this.stops, tick)] ?? -1; }

  /** Returns the costs at the end of a tick. @param {number} tick a stop, or −1 for the position before the first event @returns {Spent[]} */
  after(tick) {
    const stop = tick < 0 ? -1 : this.stop(tick);
    if (stop < 0) return this.before;
    return this.lanes.map((lane) => {
      const worst = lastOf(lane.worst, 3, stop);
      const lag = lastOf(lane.lag, 2, stop);
      return { now: tick - lane.lag[lag + 1], cost: [lane.tick[stop], lane.worst[worst + 1], lane.worst[worst + 2], lane.sum[stop]] };
    });
  }

  /** Returns the costs directly after an event. @param {number} seq @returns {Spent[]} */
  at(seq) {
    const { recording } = this;
    if (seq === 0) return this.before;
    const tick = recording.tickOf(seq);
    const after = this.after(tick);
    if (seq === recording.seqAt(tick)) return after;
    const spent = this.after(tick - 1).map(({ cost: [, worst, worstAt, total] }, i) => ({ now: after[i].now, cost: [0, worst, worstAt, total] }));
    recording.each(recording.seqAt(tick - 1), seq, (rows, at) => {
      spent[rows[at + COL.lane]].cost[0] += rows[at + COL.cost];
    });
    for (const { cost } of spent) {
      cost[3] += cost[0];
      if (cost[0] > cost[1]) [cost[1], cost[2]] = [cost[0], tick];
    }
    return spent;
  }
}

/**
 * Returns the offset of the last group whose first number is at most n.
 * @param {number[]} list flat list of groups @param {number} width number of elements of a group
 * @param {number} n
 */
function lastOf(list, width, n) {
  let [low, high] = [0, list.length / width];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle * width] <= n) low = middle + 1;
    else high = middle;
  }
  return (low - 1) * width;
}
