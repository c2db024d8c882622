// @ts-check
/**
 * Pure functions that compute the numbers about a lane that the text of a chapter contains. They are computed
 * from the state of the lane and from the events of the timer that the text describes. This module must agree
 * with web/pages/article_facts.go, which computes the numbers for the first paint.
 */
import { COST, COUNT, ROW, cell } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";

/** @typedef {{value: Record<string, number>, fate: "placed"|"rejected"}} Facts numbers by name, and whether the described timer was placed or rejected */

/**
 * Returns the numbers about lane i, and whether the timer that the text describes was placed or rejected.
 * @param {import("../state/store.js").Store} store @param {number} i @param {number[]} life rows of the timer's events in all lanes
 * @returns {Facts}
 */
export function factsOf(store, i, life) {
  const { counts, cost, levels } = store.lanes[i];
  /** @type {Facts} */
  const facts = {
    value: { now: store.tick, pending: counts[COUNT.live], expired: counts[COUNT.expired], tick: cost[COST.tick], total: cost[COST.total] },
    fate: "placed",
  };
  for (const [level, , width] of levels) facts.value[`width${level}`] = width;
  for (let at = 0; at + ROW <= life.length; at += ROW) {
    if (cell(life, at, "lane") === i) follow(facts, life, at);
  }
  return facts;
}

/**
 * Updates facts with an event of the timer.
 * @param {Facts} facts @param {number[]} rows @param {number} at offset of the event's row in rows
 */
function follow(facts, rows, at) {
  const { value } = facts;
  switch (cell(rows, at, "kind")) {
    case KIND.schedule:
      Object.assign(value, { due: cell(rows, at, "due"), cascades: 0 });
      break;
    case KIND.place:
      Object.assign(value, { level: cell(rows, at, "toLevel"), slot: cell(rows, at, "toSlot"), rounds: Math.max(cell(rows, at, "x"), 0) });
      break;
    case KIND.cascade:
      value.cascades++;
      break;
    case KIND.expire:
      Object.assign(value, { fired: cell(rows, at, "tick"), late: cell(rows, at, "tick") - cell(rows, at, "due") });
      break;
    case KIND.reject:
      facts.fate = "rejected";
      break;
  }
}

/**
 * Formats a number with commas between thousands. Returns "–" if n is undefined.
 * @param {number|undefined} n
 */
export function numeral(n) {
  return n === undefined ? "–" : n.toLocaleString("en-US");
}
