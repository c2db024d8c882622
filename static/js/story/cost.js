// @ts-check
/**
 * What a step cost in each lane, and of what: the moves and the timers touched
 * follow from its events, the rest are looks: slots examined, timers passed over,
 * comparisons. Pure.
 */
import { COL, KIND, NO_LEVEL, ROW, cell } from "../protocol.js";

/**
 * @typedef {object} Spent
 * @property {number} lane @property {number} cost what the lane spent in these rows
 * @property {number} moves cascades, swaps and transfers @property {number} timers touched
 * @property {number} looks at slots, at timers that stay, and comparisons; never negative
 */

/**
 * What the rows cost, lane by lane; only lanes that told something. A row's cost holds
 * that of the empty ticks before it too: `most` is what a lane can have spent, by lane.
 * @param {number[]} rows @param {number[]} [most] @returns {Spent[]}
 */
export function spentIn(rows, most = []) {
  /** @type {Map<number, Spent>} */
  const lanes = new Map();
  for (let at = 0; at < rows.length; at += ROW) {
    const lane = cell(rows, at, "lane");
    const spent = lanes.get(lane) ?? { lane, cost: 0, moves: 0, timers: 0, looks: 0 };
    lanes.set(lane, spent);
    spent.cost += rows[at + COL.cost];
    const kind = cell(rows, at, "kind");
    const left = cell(rows, at, "fromLevel") !== NO_LEVEL;
    if (kind === KIND.cascade || kind === KIND.move || (kind === KIND.place && left)) spent.moves++;
    if (TOUCHES.has(kind) || (TOUCHES_WHERE_IT_STOOD.has(kind) && left)) spent.timers++;
    if (kind === KIND.hand) spent.timers += cell(rows, at, "before");
  }
  for (const spent of lanes.values()) {
    spent.cost = Math.min(spent.cost, most[spent.lane] ?? Infinity);
    spent.moves = Math.min(spent.moves, spent.cost);
    spent.timers = Math.min(spent.timers, spent.cost - spent.moves);
    spent.looks = spent.cost - spent.moves - spent.timers;
  }
  return [...lanes.values()].sort((a, b) => a.lane - b.lane);
}

/** Kinds that touch one timer. */
const TOUCHES = new Set([KIND.schedule, KIND.cancel, KIND.mark, KIND.cascade]);
/** Kinds that touch one that leaves a place: what fires at once was touched when it was armed. */
const TOUCHES_WHERE_IT_STOOD = new Set([KIND.expire, KIND.place, KIND.sweep]);
