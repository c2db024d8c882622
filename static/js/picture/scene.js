// @ts-check
/**
 * What happens in one lane at an instant: the states before and after the tick, and how far each timer has come from
 * one to the other. It is a pure function of the events and T. Tick k is T in [k, k+1). The hand enters the slot of tick
 * k at T = k and is in its middle at the rest frame T = k + .5, in which everything of the tick has happened.
 */
import { ROW, cell } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";
import { clamp, ease } from "./face.js";

/** @typedef {{id: string, algorithm: string, title: Record<string, string>, shape: string, arity: number, relative: boolean, params: Record<string, any>, levels: number[][]}} LaneInfo the fixed properties of a lane; levels are those before the first event */
/** @typedef {{id: number, due: number, rounds: number, run: number, marked: boolean, level: number, slot: number, index: number, count: number}} Timer a pending timer; index is its position among the count timers of its place */
/** @typedef {{timers: Map<number, Timer>, places: {level: number, slot: number, count: number}[], levels: number[][], now: number, queue: number[][], counts: number[], crowded?: boolean}} Snapshot the state of a lane; crowded: whether its timers are not drawn */
/** @typedef {{id: number, due: number, run: number, how: "fired"|"rejected"|"cancelled", seq: number, tick: number}} Ended a timer that has ended */
/**
 * @typedef {object} Source a run, and what a picture shows of it besides the state of a lane
 * @property {{until: number, start: number, lanes: LaneInfo[]}} run
 * @property {number[]} levels the greatest number of levels of each lane
 * @property {Ended[][]} ended timers that have ended, per lane, in order
 * @property {boolean} whole whether `ended` has those of the whole run; otherwise, trays show those of the tick
 * @property {(id: number) => number} first returns the id that determines the colour of a timer
 * @property {(id: number) => number} colour returns the number of the style class of a timer's colour
 */
/**
 * @typedef {object} Known the known events of a run, in rows
 * @property {number[]} rows @property {(i: number) => number} tickOf returns the tick of row i
 * @property {[number, number]} range the least and the greatest T that can be shown
 * @property {(seq: number) => number} upto returns the number of rows whose event number is at most seq
 * @property {(n: number) => number} seqAfter returns the number of the last of the first n events
 * @property {(tick: number) => [number, number]} rowsOf returns the indexes of the rows of a tick: the first, and the one after the last
 * @property {(n: number) => Snapshot[]} after returns the states of all lanes after the first n rows
 * @property {(lane: number, tick: number) => number} clock returns a lane's clock at the end of a tick
 * @property {(id: number) => string} name
 */
/** @typedef {Source & Known} Events */
/** @typedef {"tick"|"event"} Pacing "tick": everything of a tick moves together; "event": one event after the other */
/** @typedef {{level: number, slot: number}|"fired"|"rejected"|"gone"} Stop where an event takes a timer */
/** @typedef {{id: number, stops: Stop[], from: number, to: number, cascade: boolean}} Move a timer's way in a tick; from and to are parts of the tick */
/**
 * @typedef {object} Scene
 * @property {Source} win @property {number} lane
 * @property {number} tick @property {number} part T − tick
 * @property {number} clock the lane's clock, continuous, in ticks since the start
 * @property {Snapshot} before @property {Snapshot} after
 * @property {Map<number, Move>} moves by id
 * @property {Map<number, number>} replaced ids of new timers that replace one of the same name, with the id of the old
 * @property {number} seq number of the last event that is complete
 * @property {number} last number of the last event that `after` contains
 * @property {number} fade T − tick, also where part is that of a single event
 * @property {Move[]} earlier moves of the tick that are complete, if one event is shown at a time
 * @property {Snapshot} opening state before the tick
 * @property {number} opened number of the last event that `before` contains
 */

/** Returns the origin of a lane's slots. @param {Source} win @param {number} lane */
export const originOf = (win, lane) => (win.run.lanes[lane].relative ? 0 : win.run.start);

/** Part of a tick in which a slot is visited. */
export const VISIT = 0.4;
/** Part of a tick at which it is complete. */
export const REST = 0.5;
/** Durations in milliseconds: a step forward and back, and the way to a rest frame after dragging. */
export const DURATION = { forward: 700, back: 350, release: 180, far: 450 };
/** Start, distance and length of the operations of a tick. */
const OPERATION = { start: 0.04, next: 0.07, long: 0.32, most: 2 };

/** Returns the T of the rest frame at which event i of n in a tick is complete. @param {number} tick @param {number} i from 1 to n @param {number} n */
const restOf = (tick, i, n) => tick + (REST * i) / n;

/**
 * Returns the T at which exactly the events up to `seq` have happened, or the rest frame of a tick.
 * @param {Events} win @param {number} seq
 */
export function timeOf(win, seq) {
  const n = win.upto(seq);
  if (n === 0) return seq > 0 ? win.range[0] : 0;
  const tick = win.tickOf(n - 1);
  const [first, end] = win.rowsOf(tick);
  return restOf(tick, n - first, end - first);
}

/** Returns the position of T: its tick, and the last event that is complete. @param {Events} win @param {number} T @param {Pacing} pacing @returns {{tick: number, seq: number}} */
export function positionOf(win, T, pacing) {
  const tick = Math.floor(T);
  const [first, end] = win.rowsOf(tick);
  return { tick, seq: win.seqAfter(first + complete(T - tick, end - first, pacing)) };
}

/** Returns how many of n events are complete. @param {number} part @param {number} n @param {Pacing} pacing */
export function complete(part, n, pacing) {
  if (part >= REST - 1e-9) return n;
  return pacing === "event" ? Math.floor((part / REST) * n + 1e-6) : 0;
}

/** Returns the scene of a lane. @param {Events} win @param {number} lane @param {number} T @param {Pacing} pacing @returns {Scene} */
export function sceneOf(win, lane, T, pacing) {
  const tick = Math.floor(T);
  const part = T - tick;
  const [first, end] = win.rowsOf(tick);
  const done = complete(part, end - first, pacing);
  const single = pacing === "event" && done < end - first;
  const from = single ? first + done : first;
  const to = single ? Math.min(end, from + 1) : end;
  const before = win.after(from)[lane];
  const after = win.after(to)[lane];
  const share = single ? (part / REST) * (end - first) - done - 1e-9 : part; // at the rest of an event the next one has not begun
  const { moves, replaced } = movesOf(win, lane, from, to, single);
  return {
    win, lane, tick, part: single ? clamp(share, 0, 1) : part, clock: clockOf(win, lane, T, tick), before, after, moves, replaced,
    seq: win.seqAfter(first + done), last: win.seqAfter(to), fade: part,
    earlier: single ? [...movesOf(win, lane, first, from, true).moves.values()] : [], opening: win.after(first)[lane], opened: win.seqAfter(from),
  };
}

/** Returns the lane's clock. @param {Events} win @param {number} lane @param {number} T @param {number} tick */
function clockOf(win, lane, T, tick) {
  const clock = win.clock(lane, tick);
  return clock === tick ? T : clock + REST;
}

/** Returns how far a move has come, from 0 to 1. @param {Move} move @param {number} part */
export const progress = (move, part) => ease((part - move.from) / (move.to - move.from));

/**
 * Returns the moves of the timers in rows [from, to).
 * @param {{rows: number[], name: (id: number) => string}} win @param {number} lane @param {number} from @param {number} to @param {boolean} single whether the rows are one event, which lasts the whole part
 */
export function movesOf(win, lane, from, to, single) {
  /** @type {Map<number, Move>} */
  const moves = new Map();
  /** @type {Map<number, number>} */
  const replaced = new Map();
  /** @type {Map<string, number>} */
  const left = new Map();
  let operation = -1;
  const { rows } = win;
  for (let i = from; i < to; i++) {
    const at = i * ROW;
    if (cell(rows, at, "lane") !== lane) continue;
    const kind = cell(rows, at, "kind");
    const id = cell(rows, at, "id");
    const name = win.name(id);
    if (kind === KIND.schedule && cell(rows, at, "run") <= 1) {
      if (left.has(name)) replaced.set(id, /** @type {number} */ (left.get(name)));
      else operation++;
    }
    if (kind === KIND.cancel || kind === KIND.mark) {
      operation++;
      left.set(name, id);
    }
    const stop = stopOf(rows, at, kind);
    if (!stop) continue;
    const start = operationStart(operation);
    const [begin, done] = single ? [0, 1] : operation < 0 ? [0, VISIT] : [start, start + OPERATION.long];
    const move = moves.get(id) ?? { id, stops: [], from: begin, to: done, cascade: false };
    move.stops.push(stop);
    move.cascade ||= kind === KIND.cascade;
    moves.set(id, move);
  }
  return { moves, replaced };
}

/** Returns the part of a tick at which an operation begins to move. @param {number} order its number in the tick, from 0 */
export const operationStart = (order) => OPERATION.start + OPERATION.next * Math.min(order, OPERATION.most);

/** Returns where an event takes its timer, or null. @param {number[]} rows @param {number} at @param {number} kind @returns {Stop|null} */
function stopOf(rows, at, kind) {
  switch (kind) {
    case KIND.place: case KIND.cascade: return { level: cell(rows, at, "toLevel"), slot: cell(rows, at, "toSlot") };
    case KIND.pend: return { level: -1, slot: 0 };
    case KIND.expire: return "fired";
    case KIND.reject: return "rejected";
    case KIND.cancel: case KIND.sweep: return "gone";
    default: return null;
  }
}

/** Returns what is drawn of a lane. @param {import("../state/lane-state.js").Lane} lane @returns {Snapshot} */
export function snapshot(lane) {
  const timers = new Map();
  const places = [];
  for (const { level, slot, count, entries } of lane.places.values()) {
    places.push({ level, slot, count });
    entries.forEach((e, index) => timers.set(e.id, { id: e.id, due: e.due, rounds: e.rounds, run: e.run, marked: e.marked, level, slot, index, count }));
  }
  return { timers, places, levels: lane.levels, now: lane.now, queue: lane.queue.map((b) => [...b]), counts: [...lane.counts] };
}
