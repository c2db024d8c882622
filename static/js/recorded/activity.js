// @ts-check
/** What the lanes have done at a position of a recorded run, in the form of a message. It must agree with sim/cursor/activity.go. */
import { DID_EVENTS_MAX, FLOWS_MAX, ROWS_MAX } from "../core/limits.js";
import { COL, NO_LEVEL, ROW, cell } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";
import { FlowCounter } from "../state/activity.js";

/** Event kinds that begin the step of an operation. */
const OPERATIONS = new Set([KIND.schedule, KIND.cancel, KIND.mark, KIND.miss]);
/** Event kinds that touch one timer, by the counting rule for costs. */
const TOUCHES = new Set([KIND.schedule, KIND.cancel, KIND.mark, KIND.cascade]);
/** Event kinds that touch a timer only if it leaves a place. A timer that fires at once was touched when it was scheduled. */
const TOUCHES_IF_IT_LEFT = new Set([KIND.expire, KIND.place, KIND.sweep]);

/**
 * Returns the activity of every lane in the tick or step at the cursor, or null if there are too many events.
 * @param {import("./recording.js").Recording} recording @param {{tick: number, seq: number}} cursor @param {number[]} costs cost of the tick in each lane
 */
export function activity(recording, { tick, seq }, costs) {
  const { win } = recording;
  const before = recording.stepBefore(seq);
  const ends = seq === win.lastSeq(tick);
  const quiet = seq === 0 || recording.tickOf(seq) < tick;
  const whole = ends && !quiet && !OPERATIONS.has(cell(win.rows, before * ROW, "kind"));
  const first = win.lastSeq(tick - 1);
  const from = quiet ? seq : whole ? first : before;
  if (seq - from > DID_EVENTS_MAX) return null;
  const all = ends && !quiet ? first : from;
  const shown = seq - all > DID_EVENTS_MAX ? from : all;
  const listed = seq - shown <= ROWS_MAX;
  const lanes = costs.map(() => ({ cost: 0, moves: 0, timers: 0, kinds: new Map(), rows: /** @type {number[]} */ ([]), flows: new FlowCounter(FLOWS_MAX), all: /** @type {number[]} */ ([]) }));
  for (let at = shown * ROW; at < seq * ROW; at += ROW) {
    const lane = lanes[cell(win.rows, at, "lane")];
    if (at >= from * ROW) count(lane, win.rows, at);
    if (cell(win.rows, at, "kind") === KIND.cascade) lane.flows.add({ from: place(win.rows, at + COL.fromLevel), to: place(win.rows, at + COL.toLevel), count: 1 });
    if (listed) lane.all.push(...win.rows.slice(at, at + COL.cost), 0);
  }
  return lanes.map((lane, i) => {
    const cost = !recording.data.costed ? lane.moves + lane.timers : whole || quiet ? costs[i] : Math.min(lane.cost, costs[i]);
    const moves = Math.min(lane.moves, cost);
    const flows = lane.flows.list.flatMap((flow) => [flow.from.level, flow.from.slot, flow.to.level, flow.to.slot, flow.count]);
    return [cost, moves, Math.min(lane.timers, cost - moves), [...lane.kinds].sort(([a], [b]) => a - b).flat(), lane.rows, flows, lane.all];
  });
}

/** Returns the place in two columns of a row. @param {number[]} rows @param {number} at */
const place = (rows, at) => ({ level: rows[at], slot: rows[at + 1] });

/**
 * Adds an event to the activity of a lane.
 * @param {{cost: number, moves: number, timers: number, kinds: Map<number, number>, rows: number[]}} lane @param {number[]} rows @param {number} at
 */
function count(lane, rows, at) {
  const kind = cell(rows, at, "kind");
  const left = cell(rows, at, "fromLevel") !== NO_LEVEL;
  if (!lane.kinds.has(kind)) lane.rows.push(...rows.slice(at, at + COL.cost), 0);
  lane.kinds.set(kind, (lane.kinds.get(kind) ?? 0) + 1);
  lane.cost += cell(rows, at, "cost");
  if (kind === KIND.cascade || kind === KIND.move || (kind === KIND.place && left)) lane.moves++;
  if (TOUCHES.has(kind) || (TOUCHES_IF_IT_LEFT.has(kind) && left)) lane.timers++;
  if (kind === KIND.hand) lane.timers += cell(rows, at, "before");
}
