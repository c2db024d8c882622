// @ts-check
/**
 * Creates the messages that a server would send (docs/MESSAGES.md) from the contents of the file. This module
 * must agree with web/session/messages.go.
 */
import { DID_EVENTS_MAX, FLOWS_MAX, LANE_TIMERS_MAX, ROWS_MAX } from "../core/limits.js";
import { COL, COUNT, NO_LEVEL, VERSION, cell } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";
import { FlowCounter } from "../state/activity.js";
import { sortedPlaces } from "../state/lane-state.js";

/** Maximum number of events in a `delta`. If a movement has more events, a `state` is sent instead. */
export const FRAME_EVENTS_MAX = 4000;
/** Maximum number of timers sent per place if the lane has more than LANE_TIMERS_MAX timers. */
const PLACE_TIMERS_MAX = 20;
/** Maximum number of events in the field `last` of a state. */
const LAST_EVENTS_MAX = 400;
/** @typedef {import("../state/lane-state.js").Lane} Lane */
/** @typedef {{tick: number, seq: number}} Cursor a position in the run */

export class Messages {
  /** @param {import("./recording.js").Recording} recording */
  constructor(recording) {
    this.recording = recording;
    this.run = recording.score.run;
  }

  /** Returns the fields that every message has. @param {string} kind @param {number} seq */
  #head(kind, seq) { return { v: VERSION, kind, run: this.run, seq }; }

  /** Returns the `hello` message with the texts in a language. @param {string} lang */
  hello(lang) {
    const { scenario, lanes } = this.recording.score;
    const words = (/** @type {string} */ name) => scenario[name][lang];
    const shown = { ...scenario, title: words("title"), summary: words("summary"), question: words("question"), custom: false };
    return { ...this.#head("hello", 0), session: "", driver: true, limits: {}, scenario: shown, lanes };
  }

  /** Returns the `player` message. @param {number} seq @param {{playing: boolean, rate: number, end: boolean}} player */
  player(seq, player) { return { ...this.#head("player", seq), ...player }; }

  /** Returns the `timeline` message. @param {number} seq */
  timeline(seq) {
    const { score, steps } = this.recording;
    return { ...this.#head("timeline", seq), ...score.timeline, steps: steps.length };
  }

  /**
   * Returns the complete state at the cursor.
   * @param {Cursor} cursor @param {Lane[]} lanes @param {import("./costs.js").Spent[]} spent
   * @param {boolean} rest whether the cursor is at rest
   */
  state({ tick, seq }, lanes, spent, rest) {
    const { recording } = this;
    const last = rest ? recording.rows(Math.max(recording.stepBefore(seq), seq - LAST_EVENTS_MAX), seq) : [];
    /** @type {Set<number>} */
    const ids = new Set();
    const messages = lanes.map((lane, i) => laneMessage(lane, spent[i], rest, ids));
    const did = rest ? this.#did({ tick, seq }, spent) : null;
    const names = [...ids].flatMap((id) => [id, recording.names[id], null]).concat(recording.namesIn(last), this.#namesOf(did));
    return { ...this.#head("state", seq), tick, step: recording.stepNumber(seq), lanes: messages, last, did, names, rest };
  }

  /**
   * Returns the `delta` for a movement between two cursors.
   * @param {Cursor} from @param {Cursor} to @param {Lane[]} lanes the lanes at the cursor to
   * @param {import("./costs.js").Spent[]} spent
   */
  delta(from, { tick, seq }, lanes, spent) {
    const { recording } = this;
    const events = recording.rows(from.seq, seq);
    const did = this.#did({ tick, seq }, spent);
    const changes = lanes.map((lane, i) => ({ lane: i, now: spent[i].now, counts: lane.counts.slice(), cost: spent[i].cost }));
    return {
      ...this.#head("delta", seq), from: from.seq, tick, step: recording.stepNumber(seq), events,
      names: recording.namesIn(events).concat(this.#namesOf(did)), steps: recording.stepEnds(from.seq, seq), did, lanes: changes,
    };
  }

  /**
   * Returns the field `did` of a message: the activity of every lane in the tick or step at the cursor, or null
   * if there are too many events. This method must agree with sim/cursor/activity.go.
   * @param {Cursor} cursor @param {import("./costs.js").Spent[]} spent
   */
  #did({ tick, seq }, spent) {
    const { recording } = this;
    const before = recording.stepBefore(seq);
    const ends = seq === recording.seqAt(tick);
    const whole = ends && !OPERATIONS.has(cell(recording.rows(before, before + 1), 0, "kind"));
    const quiet = seq === 0 || recording.tickOf(seq) < tick;
    const from = quiet ? seq : whole ? tick > 0 ? recording.seqAt(tick - 1) : 0 : before;
    if (seq - from > DID_EVENTS_MAX) return null;
    const lanes = spent.map(() => ({ cost: 0, moves: 0, timers: 0, kinds: new Map(), rows: /** @type {number[]} */ ([]), flows: new FlowCounter(FLOWS_MAX), all: /** @type {number[]} */ ([]) }));
    const tickFrom = ends && !quiet ? (tick > 0 ? recording.seqAt(tick - 1) : 0) : from;
    const shown = seq - tickFrom > DID_EVENTS_MAX ? from : tickFrom;
    const listed = seq - shown <= ROWS_MAX;
    recording.each(shown, seq, (rows, at) => {
      const lane = lanes[cell(rows, at, "lane")];
      if (cell(rows, at, "seq") > from) countRow(lane, rows, at);
      countFlow(lane.flows, rows, at);
      if (listed) lane.all.push(...rows.slice(at, at + COL.cost), 0);
    });
    return lanes.map(({ cost, moves, timers, kinds, rows, flows, all: every }, i) => {
      const known = whole || quiet ? spent[i].cost[0] : Math.min(cost, spent[i].cost[0]);
      const all = recording.score.recorded ? moves + timers : known;
      const [m, n] = [Math.min(moves, all), Math.min(timers, all - Math.min(moves, all))];
      return [all, m, n, [...kinds].sort(([a], [b]) => a - b).flat(), rows, flows.list.flatMap(({ from, to, count }) => [from.level, from.slot, to.level, to.slot, count]), every];
    });
  }

  /** Returns the names of the timers that the field `did` of a message contains. @param {any[]|null} did */
  #namesOf(did) { return (did ?? []).flatMap((one) => [...this.recording.namesIn(one[4]), ...this.recording.namesIn(one[6])]); }
}

/**
 * Adds an event to the activity of a lane.
 * @param {{cost: number, moves: number, timers: number, kinds: Map<number, number>, rows: number[], flows: FlowCounter}} lane
 * @param {number[]} rows @param {number} at
 */
function countRow(lane, rows, at) {
  const kind = cell(rows, at, "kind");
  const left = cell(rows, at, "fromLevel") !== NO_LEVEL;
  if (!lane.kinds.has(kind)) lane.rows.push(...rows.slice(at, at + COL.cost), 0);
  lane.kinds.set(kind, (lane.kinds.get(kind) ?? 0) + 1);
  lane.cost += cell(rows, at, "cost");
  if (kind === KIND.cascade || kind === KIND.move || (kind === KIND.place && left)) lane.moves++;
  if (TOUCHES.has(kind) || (TOUCHES_IF_IT_LEFT.has(kind) && left)) lane.timers++;
  if (kind === KIND.hand) lane.timers += cell(rows, at, "before");
}

/**
 * Adds an event to the flows of a lane, if the event is a cascade.
 * @param {FlowCounter} flows @param {number[]} rows @param {number} at offset of the event's row in rows
 */
function countFlow(flows, rows, at) {
  if (cell(rows, at, "kind") !== KIND.cascade) return;
  const [from, to] = [{ level: cell(rows, at, "fromLevel"), slot: cell(rows, at, "fromSlot") }, { level: cell(rows, at, "toLevel"), slot: cell(rows, at, "toSlot") }];
  flows.add({ from, to, count: 1 });
}

/** Event kinds that begin the step of an operation. */
const OPERATIONS = new Set([KIND.schedule, KIND.cancel, KIND.mark, KIND.miss]);
/** Event kinds that touch one timer, by the counting rule for costs. */
const TOUCHES = new Set([KIND.schedule, KIND.cancel, KIND.mark, KIND.cascade]);
/** Event kinds that touch a timer only if it leaves a place. A timer that fires at once was touched when it was scheduled. */
const TOUCHES_IF_IT_LEFT = new Set([KIND.expire, KIND.place, KIND.sweep]);

/**
 * Returns the entry for a lane in the field `lanes` of a `state` message.
 * @param {Lane} lane @param {import("./costs.js").Spent} spent @param {boolean} rest
 * @param {Set<number>} ids set to which the ids of the timers in the message are added
 */
function laneMessage(lane, { now, cost }, rest, ids) {
  const mode = lane.counts[COUNT.live] > LANE_TIMERS_MAX ? "counts" : "full";
  const most = mode === "full" ? Infinity : rest ? PLACE_TIMERS_MAX : 0;
  const places = sortedPlaces(lane).map((p) => [p.level, p.slot, p.count, flat(p.entries.slice(0, most), ids)]);
  const arming = flat(lane.arming ? [lane.arming] : [], ids);
  return { mode, now, levels: lane.levels, places, arming, queue: lane.queue.slice(), counts: lane.counts.slice(), cost };
}

/**
 * Converts timers to a flat list of numbers (Entries in docs/MESSAGES.md), and adds their IDs to a set.
 * @param {import("../state/lane-state.js").Entry[]} entries @param {Set<number>} ids the set
 */
function flat(entries, ids) {
  return entries.flatMap((e) => {
    ids.add(e.id);
    return [e.id, e.due, e.stale ? e.key : e.rounds, e.run, (e.marked ? 1 : 0) + (e.stale ? 2 : 0)];
  });
}
