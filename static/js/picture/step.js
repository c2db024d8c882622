// @ts-check
/**
 * The scene of a step of the laboratory: the state at the cursor, and the one before the step. The latter follows from
 * the former and the events of the step, so a picture does not depend on how the cursor came to its position.
 */
import { TIMER_COLOURS } from "../core/colours.js";
import { COUNT, NO_LEVEL, ROW, cell } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";
import { REST, movesOf, snapshot } from "./scene.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Snapshot} Snapshot */
/** @typedef {import("./scene.js").Timer} Timer */
/** @typedef {Timer & {ended?: boolean}} Undone a timer before a step; ended is whether the step took it out of its place */
/**
 * @typedef {object} Step
 * @property {number} tick @property {number[]} rows events of the lane in the step
 * @property {number} since number of the last event before the movement that is shown
 * @property {number} fired number of timers that fired in the step @property {number} rejected number of timers that were rejected
 * @property {(id: number) => string} name @property {(id: number) => number} due returns the due tick of a timer when it was scheduled last
 */

/**
 * Returns the scene of a lane at the end of a step.
 * @param {import("../state/lane-state.js").Lane} lane @param {import("./scene.js").Source["run"]} run a run of this lane only
 * @param {Step} step @param {boolean} crowded whether the timers are not drawn @returns {Scene}
 */
export function stepScene(lane, run, { tick, rows, since, fired, rejected, name, due }, crowded) {
  const after = crowded ? crowdOf(lane) : snapshot(lane);
  const n = crowded ? 0 : rows.length / ROW;
  const before = n > 0 ? undo(after, rows, due) : after;
  const { moves, replaced } = movesOf({ rows, name }, n > 0 ? cell(rows, 0, "lane") : 0, 0, n, false);
  /** @type {import("./scene.js").Ended[]} */
  const ended = [];
  /** @type {Map<number, number>} number of the last event of each timer */
  const last = new Map();
  for (let at = 0; at < rows.length; at += ROW) {
    const [kind, id, seq] = [cell(rows, at, "kind"), cell(rows, at, "id"), cell(rows, at, "seq")];
    last.set(id, seq);
    const how = kind === KIND.expire ? "fired" : kind === KIND.reject ? "rejected" : null;
    if (how) ended.push({ id, due: cell(rows, at, "due"), run: cell(rows, at, "run") || 1, how, seq, tick });
  }
  after.counts[COUNT.expired] = Math.max(fired, ended.filter(({ how }) => how === "fired").length); // the trays have those of the step
  after.counts[COUNT.rejected] = Math.max(rejected, ended.filter(({ how }) => how === "rejected").length);
  for (const move of moves.values()) if ((last.get(move.id) ?? 0) <= since) [move.from, move.to] = [-2, -1]; // it has ended before
  const seq = rows.length > 0 ? cell(rows, rows.length - ROW, "seq") : 0;
  const win = { run, levels: [lane.levels.filter(([level]) => level >= 0).length], ended: [ended], whole: true, first: (/** @type {number} */ id) => id, colour: (/** @type {number} */ id) => (id - 1) % TIMER_COLOURS };
  return { win, lane: 0, tick, part: REST, clock: lane.now + REST, before, after, moves, replaced, seq, last: seq, fade: REST, earlier: [], opening: before, opened: 0 };
}

/** Returns what is drawn of a lane whose timers are not. @param {import("../state/lane-state.js").Lane} lane @returns {Snapshot} */
const crowdOf = (lane) => ({ timers: new Map(), get places() { return [...lane.places.values()]; }, levels: lane.levels, now: lane.now, queue: [], counts: [...lane.counts], crowded: true });

/**
 * Returns the state before events. Timers that left a place are the first ones in it again, in the order of their events.
 * @param {Snapshot} after @param {number[]} rows @param {(id: number) => number} due @returns {Snapshot}
 */
function undo(after, rows, due) {
  /** @type {Map<string, Undone[]>} */
  const places = new Map();
  /** @type {Map<number, Undone>} */
  const timers = new Map();
  const at = (/** @type {number} */ level, /** @type {number} */ slot) => {
    const key = `${level}/${slot}`;
    let list = places.get(key);
    if (!list) places.set(key, (list = []));
    return list;
  };
  const put = (/** @type {Undone} */ timer, /** @type {number} */ level, /** @type {number} */ slot, /** @type {boolean} */ first) => {
    [timer.level, timer.slot] = [level, slot];
    timers.set(timer.id, timer);
    at(level, slot)[first ? "unshift" : "push"](timer);
  };
  for (const timer of after.timers.values()) put({ ...timer }, timer.level, timer.slot, false);
  let { levels } = after;
  for (let i = rows.length - ROW; i >= 0; i -= ROW) {
    const get = (/** @type {keyof typeof import("../core/protocol.js").COL} */ column) => cell(rows, i, column);
    const [id, level, slot] = [get("id"), get("fromLevel"), get("fromSlot")];
    const timer = timers.get(id);
    switch (get("kind")) {
      case KIND.place: case KIND.cascade: case KIND.pend:
        if (!timer) break;
        at(timer.level, timer.slot).splice(at(timer.level, timer.slot).indexOf(timer), 1);
        timers.delete(id);
        if (level !== NO_LEVEL) put(timer, level, slot, true);
        break;
      case KIND.expire: case KIND.cancel: case KIND.sweep:
        if (level === NO_LEVEL) break;
        put({ id, due: get("kind") === KIND.expire ? get("due") : due(id), rounds: 0, run: get("run") || 1, marked: get("kind") === KIND.sweep, level, slot, index: 0, count: 1, ended: true }, level, slot, true);
        break;
      case KIND.mark:
        if (timer) timer.marked = false;
        break;
      case KIND.grow:
        levels = levels.filter(([one]) => one !== level);
        break;
      case KIND.hand:
        if (get("before") > 0) for (const one of at(level, slot)) if (!one.marked && !one.ended && one.rounds >= 0) one.rounds++;
        break;
      case KIND.move: {
        const [to, from] = [at(get("toLevel"), get("toSlot")), at(level, slot)];
        for (const one of to) [one.level, one.slot] = [level, slot];
        for (const one of from) [one.level, one.slot] = [get("toLevel"), get("toSlot")];
        places.set(`${level}/${slot}`, to);
        places.set(`${get("toLevel")}/${get("toSlot")}`, from);
      }
    }
  }
  const all = [...places.values()].filter((list) => list.length > 0);
  for (const list of all) list.forEach((timer, index) => { [timer.index, timer.count] = [index, list.length]; });
  return { ...after, timers, levels, places: all.map(([{ level, slot, count }]) => ({ level, slot, count })) };
}
