// @ts-check
/**
 * Pure functions that decode what a lane did at the cursor, an Activity in docs/MESSAGES.md.
 */
import { COL, ROW } from "../core/protocol.js";

/** Number of integers that encode a flow in a message. */
const FLOW = 5;

/** @typedef {Record<keyof typeof COL, number>} Row an event as an object, with a property for each column of its row in a message */
/**
 * @typedef {object} Activity
 * @property {number} cost total cost @property {number} moves part of the cost for moves between places
 * @property {number} timers part of the cost for touched timers
 * @property {number} looks rest of the cost: for slots examined, timers that stay, and comparisons
 * @property {number} events number of events
 * @property {Map<number, number>} kinds number of events of each kind
 * @property {Map<number, Row>} first the first event of each kind
 * @property {number[]} all rows of all events, or none if the lanes have more than 1,000 events in total
 * @property {Flow[]} flows number of timers that cascaded between each pair of places
 */
/** @typedef {{from: {level: number, slot: number}, to: {level: number, slot: number}, count: number}} Flow number of timers that cascaded from one slot to another */

/** Converts flat rows to objects. @param {number[]} rows @returns {Row[]} */
function named(rows) {
  const names = /** @type {(keyof typeof COL)[]} */ (Object.keys(COL));
  const list = [];
  for (let at = 0; at + ROW <= rows.length; at += ROW) {
    list.push(/** @type {Row} */ (Object.fromEntries(names.map((name) => [name, rows[at + COL[name]]]))));
  }
  return list;
}

/** Decodes the activity of a lane. @param {any} message an Activity of a message, as described in docs/MESSAGES.md @returns {Activity} */
export function activityOf([cost, moves, timers, flat, rows, moved, all]) {
  const kinds = new Map();
  let events = 0;
  for (let k = 0; k + 1 < flat.length; k += 2) {
    kinds.set(flat[k], flat[k + 1]);
    events += flat[k + 1];
  }
  return { cost, moves, timers, looks: cost - moves - timers, events, kinds, first: new Map(named(rows).map((row) => [row.kind, row])), flows: flowsOf(moved), all: all ?? [] };
}

/** Decodes a list of flows. @param {number[]} flat level and slot of each flow's source and destination, and its count @returns {Flow[]} */
function flowsOf(flat) {
  const flows = [];
  for (let k = 0; k + FLOW <= flat.length; k += FLOW) {
    flows.push({ from: { level: flat[k], slot: flat[k + 1] }, to: { level: flat[k + 2], slot: flat[k + 3] }, count: flat[k + 4] });
  }
  return flows;
}


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
