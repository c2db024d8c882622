// @ts-check
/**
 * A socket to a session in the page itself: commands move a cursor on a recorded run, and the messages are those of a
 * server (docs/MESSAGES.md). The states follow from the events of the run, as in the entry view.
 */
import { DID_EVENTS_MAX, FLOWS_MAX, LANE_TIMERS_MAX, ROWS_MAX } from "../core/limits.js";
import { COL, COUNT, NO_LEVEL, ROW, VERSION, cell } from "../core/protocol.js";
import { t } from "../core/texts.js";
import { sortedPlaces } from "../state/lane-state.js";
import { units } from "../picture/work.js";
import { Recording, positionIn, recorded } from "./recording.js";
import { KIND } from "../state/kinds.js";
import { FlowCounter } from "../state/activity.js";

/** @typedef {import("../state/lane-state.js").Lane} Lane */
/** @typedef {import("../core/transport.js").Socket} Socket */
/** @typedef {{tick: number, seq: number}} Cursor tick is −1 before the first event */

/** Maximum number of events in a `delta`. If a movement has more events, a `state` is sent instead. */
const FRAME_EVENTS_MAX = 4000;
/** Maximum number of timers sent per place if the lane has more than LANE_TIMERS_MAX timers. */
const PLACE_TIMERS_MAX = 20;
/** Maximum number of events in the field `last` of a state. */
const LAST_EVENTS_MAX = 400;
/** Number of frames in which a run is played at maximum speed, and the least number of events of a frame. */
const FAST = { frames: 300, events: 256 };

/** @implements {Socket} */
export class RecordedSocket {
  readyState = WebSocket.OPEN;
  url = "";
  /** @type {((event: any) => void)|null} */
  onopen = null;
  /** @type {((event: {data: any}) => void)|null} */
  onmessage = null;
  /** @type {((event: any) => void)|null} */
  onclose = null;
  /** @type {Cursor} */
  #cursor = { tick: -1, seq: 0 };
  #player = { playing: false, rate: 0, end: false };
  /** A tick, and the time at which the cursor was there, from which the position during playback is computed. */
  #anchor = { tick: 0, at: 0 };
  /** Id of the requested animation frame during playback. */
  #frameRequest = 0;
  /** The runs that were shown, by digest. @type {Record<string, Recording>} */
  #recordings = {};
  /** Whether the last `state` did not contain every timer, so that the next movement is sent as a `state`, too. */
  #counts = true;

  /** @param {import("./recording.js").Recording} recording @param {string} lang */
  constructor(recording, lang) {
    this.recording = recording;
    this.lang = lang;
    queueMicrotask(() => {
      this.onopen?.({});
      this.#begin(positionIn(recording));
    });
  }

  /** Shows the run at a position. @param {Cursor} at */
  #begin(at) {
    const { scenario, lanes, timeline, steps } = this.recording.data;
    const texts = Object.fromEntries(["title", "summary", "question"].map((name) => [name, scenario[name][this.lang]]));
    this.#cursor = { tick: -1, seq: 0 };
    this.#player = { ...this.#player, playing: false, end: false };
    this.#tell("hello", { session: "", driver: true, limits: {}, scenario: { ...scenario, ...texts, custom: false }, lanes });
    this.#tell("player", this.#player);
    this.#seek(at);
    this.#tell("timeline", { ...timeline, steps: steps.length });
  }

  /** Shows another run of the file. Returns whether there is one. @param {string} digest @param {number} [tick] */
  #load(digest, tick) {
    const data = recorded().runs?.[digest];
    if (!data) return false;
    this.recording = this.#recordings[digest] ??= new Recording(data);
    this.#begin(tick === undefined ? { tick: -1, seq: 0 } : this.#endOf(Math.min(tick, this.recording.until)));
    return true;
  }

  close() {}

  /** Executes a command. @param {string} text */
  send(text) {
    const { id, do: name, ...fields } = JSON.parse(text);
    queueMicrotask(() => {
      const known = this.#execute(name, fields);
      this.#tell("ack", { ack: id, ...(known ? {} : { error: { path: "", message: t("offline.cannot") } }) });
    });
  }

  /** Executes a command. Returns whether a recorded run has it. @param {string} name @param {any} fields */
  #execute(name, { rate, by, n, tick, seq, run }) {
    switch (name) {
      case "load": return this.#load(run, tick);
      case "play": this.#play(rate); break;
      case "pause": this.#pause(); break;
      case "speed": this.#setRate(rate); break;
      case "step": this.#step(by, n > 0); break;
      case "seek": this.#seek(tick === undefined ? this.#after(Math.min(seq ?? 0, this.recording.events)) : this.#endOf(Math.min(tick, this.recording.until))); break;
      case "state": this.#jump(this.#cursor); break;
      default: return false;
    }
    return true;
  }

  /** @param {string} kind @param {any} fields */
  #tell(kind, fields) {
    this.onmessage?.({ data: JSON.stringify({ v: VERSION, kind, run: this.recording.data.run, seq: kind === "hello" ? 0 : this.#cursor.seq, ...fields }) });
  }

  /** Returns the position directly after an event, or that before the first one. @param {number} seq @returns {Cursor} */
  #after(seq) { return { tick: this.recording.tickOf(seq), seq }; }

  /** Returns the position at the end of a tick. @param {number} tick @returns {Cursor} */
  #endOf(tick) { return { tick, seq: this.recording.win.lastSeq(tick) }; }

  get #whole() { return this.#cursor.seq === this.recording.win.lastSeq(this.#cursor.tick); }
  get #end() { return this.#whole && this.#cursor.tick >= this.recording.until; }

  /** @param {Cursor} to */
  #seek(to) {
    this.#jump(to);
    this.#anchorHere(); // playback continues from there
  }

  /** Moves the cursor by one tick, step or event. At an end of the run it does not move. @param {string} by @param {boolean} forward */
  #step(by, forward) {
    this.#pause();
    const { recording } = this;
    const { tick, seq } = this.#cursor;
    if (by === "tick") {
      if (!forward) return this.#seek(this.#endOf(Math.max(-1, tick - 1)));
      const now = Math.max(0, tick); // from before the first event as from a tick 0 without events
      if (!this.#end) this.#go(this.#endOf(Math.min(recording.until, seq === recording.win.lastSeq(now) ? now + 1 : now)));
    } else if (!forward) {
      this.#seek(this.#after(by === "event" ? Math.max(0, seq - 1) : recording.stepBefore(seq)));
    } else {
      const to = by === "event" ? seq + 1 : recording.stepAfter(seq);
      if (to > 0 && to <= recording.events) this.#go(this.#after(to));
    }
  }

  /** @param {number} [rate] */
  #play(rate) {
    if (rate !== undefined) this.#setRate(rate);
    if (this.#end) this.#seek(this.#after(0));
    this.#set({ playing: true });
    this.#anchorHere();
    this.#requestFrame();
  }

  #requestFrame() {
    cancelAnimationFrame(this.#frameRequest); // a second play command has no further effect
    this.#frameRequest = requestAnimationFrame((now) => this.#frame(now));
  }

  #pause() {
    if (!this.#player.playing) return;
    this.#set({ playing: false });
    this.#jump(this.#cursor); // with the first timers of every place
  }

  /** Sets the playback rate. @param {number} rate in ticks per second; 0 means maximum speed */
  #setRate(rate) {
    this.#anchorHere();
    this.#set({ rate });
  }

  #anchorHere() { this.#anchor = { tick: Math.max(0, this.#cursor.tick), at: performance.now() }; }

  /** Moves the cursor to its position during playback. @param {number} now time as performance.now() */
  #frame(now) {
    if (!this.#player.playing) return;
    const { recording } = this;
    const { rate } = this.#player;
    const { tick, seq } = this.#cursor;
    const further = Math.min(recording.events, seq + Math.max(FAST.events, Math.ceil(recording.events / FAST.frames)));
    const fast = further === recording.events ? recording.until : Math.max(recording.tickOf(further), tick + 1);
    const to = Math.min(recording.until, rate > 0 ? this.#anchor.tick + Math.floor(((now - this.#anchor.at) * rate) / 1000) : fast);
    if (to > tick || (to === tick && !this.#whole)) this.#go(this.#endOf(to));
    if (this.#end) this.#pause();
    else this.#requestFrame();
  }

  /** Moves the cursor forward. Sends a `delta`, or a `state` if there are too many events or timers. @param {Cursor} to */
  #go(to) {
    const { recording } = this;
    const from = this.#cursor.seq;
    const lanes = recording.win.lanesAfter(to.seq);
    if (to.seq - from > FRAME_EVENTS_MAX || this.#counts || exceedsLimit(lanes)) return this.#jump(to);
    this.#cursor = to;
    const events = recording.rows(from, to.seq);
    const changes = lanes.map((lane, i) => ({ lane: i, now: this.#clock(i), counts: lane.counts, cost: this.#cost(i) }));
    this.#tell("delta", { from, ...this.#position(true), events, names: recording.namesIn(events), steps: recording.stepEnds(from, to.seq), lanes: changes });
    this.#set({});
  }

  /** Moves the cursor and sends a `state`. @param {Cursor} to */
  #jump(to) {
    const { recording } = this;
    const { seq } = (this.#cursor = to);
    const rest = !this.#player.playing;
    const lanes = recording.win.lanesAfter(seq);
    this.#counts = exceedsLimit(lanes);
    /** @type {any[]} */
    const names = [];
    const last = rest ? recording.rows(Math.max(recording.stepBefore(seq), seq - LAST_EVENTS_MAX), seq) : [];
    const state = lanes.map((lane, i) => ({ ...laneMessage(lane, rest, (id) => names.push(id, recording.win.name(id), null)), now: this.#clock(i), cost: this.#cost(i) }));
    this.#tell("state", { ...this.#position(rest), lanes: state, last, names: [...names, ...recording.namesIn(last)], rest });
    this.#set({});
  }

  /** Returns the fields of a message that say where the cursor is and what the lanes have done there. @param {boolean} did whether to say the latter */
  #position(did) {
    const { tick, seq } = this.#cursor;
    return { tick: Math.max(0, tick), step: this.recording.stepNumber(seq), did: did ? activity(this.recording, this.#cursor, this.recording.data.lanes.map((_, i) => this.#cost(i)[0])) : null };
  }

  /** @param {number} lane */
  #clock(lane) { return this.recording.clock(lane, this.#cursor.tick); }

  /** Returns the costs of a lane at the cursor, as in a message. @param {number} lane */
  #cost(lane) {
    const { win } = this.recording;
    const { tick } = this.#cursor;
    const cost = this.#whole ? { ...win.workUpTo(lane, tick), tick: units(win.work(lane, tick)) } : win.costAt(lane, this.#cursor);
    return [cost.tick, cost.worst, cost.at, cost.total];
  }

  /** Updates the playback state, and sends a `player` message if it has changed. @param {Partial<{playing: boolean, rate: number}>} change */
  #set(change) {
    const before = JSON.stringify(this.#player);
    this.#player = { ...this.#player, ...change, end: this.#end };
    if (JSON.stringify(this.#player) !== before) this.#tell("player", this.#player);
  }
}

/** Reports whether a lane has too many timers to send them individually. @param {Lane[]} lanes */
function exceedsLimit(lanes) {
  return lanes.some((lane) => lane.counts[COUNT.live] > LANE_TIMERS_MAX);
}

/**
 * Returns the timers of a lane as in the field `lanes` of a `state` message.
 * @param {Lane} lane @param {boolean} rest @param {(id: number) => void} mention called with the id of each timer
 */
function laneMessage(lane, rest, mention) {
  const mode = exceedsLimit([lane]) ? "counts" : "full";
  const most = mode === "full" ? Infinity : rest ? PLACE_TIMERS_MAX : 0;
  const flat = (/** @type {import("../state/lane-state.js").Entry[]} */ entries) => entries.flatMap((e) => {
    mention(e.id);
    return [e.id, e.due, e.stale ? e.key : e.rounds, e.run, (e.marked ? 1 : 0) + (e.stale ? 2 : 0)];
  });
  const places = sortedPlaces(lane).map((p) => [p.level, p.slot, p.count, flat(p.entries.slice(0, most))]);
  return { mode, levels: lane.levels, places, arming: flat(lane.arming ? [lane.arming] : []), queue: lane.queue, counts: lane.counts };
}

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
function activity(recording, { tick, seq }, costs) {
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
