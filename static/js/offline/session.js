// @ts-check
/**
 * The cursor on the run in the file, and the clock that moves it. This is the counterpart of a server's
 * session and its cursor.Runner: commands move the cursor, and the page receives the messages that a server
 * would send.
 */
import { Costs } from "./costs.js";
import { FRAME_EVENTS_MAX, Messages } from "./messages.js";
import { LANE_TIMERS_MAX } from "../core/limits.js";
import { COUNT } from "../core/protocol.js";
import { States } from "./states.js";

/** Maximum time per frame for moving the cursor at maximum speed, in milliseconds. */
const WORK_MS = 12;
/** Number of events per frame at maximum speed: the initial, minimum and maximum number. */
const BATCH = { first: 4096, least: 256, most: 1 << 17 };

/**
 * @typedef {object} Cursor
 * @property {number} tick @property {number} seq number of the last event before the cursor
 * @property {boolean} whole whether the cursor is after all events of the tick
 * @property {boolean} begun whether the cursor has left the position before all events
 */

export class Session {
  /** @type {Cursor} */
  cursor = { tick: 0, seq: 0, whole: false, begun: false };
  player = { playing: false, rate: 0, end: false };
  /**
   * A tick, and the time at which the cursor was at that tick. The position during playback is computed from
   * them.
   */
  #anchor = { tick: 0, at: 0 };
  #batch = BATCH.first;
  /** Id of the requested animation frame during playback. */
  #asked = 0;
  /**
   * Whether the next movement must be sent as a `state`, even if it is short: before the first `state`, and after
   * one that did not contain every timer, since a lane had more than LANE_TIMERS_MAX.
   */
  #counts = true;

  /** @param {import("./recording.js").Recording} recording @param {(message: any) => void} send @param {string} lang */
  constructor(recording, send, lang) {
    this.recording = recording;
    this.send = send;
    this.lang = lang;
    this.costs = new Costs(recording);
    this.states = new States(recording);
    this.messages = new Messages(recording);
  }

  /**
   * Sends the messages that a new socket would receive.
   * @param {number} seq event after which the cursor is placed
   */
  begin(seq) {
    this.send(this.messages.hello(this.lang));
    this.send(this.messages.player(0, this.player));
    this.seekSeq(Math.min(seq, this.recording.events));
    this.send(this.messages.timeline(this.cursor.seq));
  }

  get #end() { return this.cursor.whole && this.cursor.tick >= this.recording.until; }

  /**
   * Seeks to the end of a tick. A negative tick means the position before the first event.
   * @param {number} tick
   */
  seekTick(tick) {
    const stop = tick < 0 ? -1 : this.costs.lastStopTick(tick);
    if (stop < 0) return this.seekSeq(0);
    this.#seek({ tick: stop, seq: this.recording.seqAt(stop), whole: true, begun: true });
  }

  /**
   * Seeks to the position directly after an event. 0 means the position before the first event.
   * @param {number} seq
   */
  seekSeq(seq) {
    this.#seek(this.#cursorAt(seq));
  }

  /** Seeks to a position. @param {Cursor} to */
  #seek(to) {
    this.#jump(to);
    this.#anchorHere(); // playback continues from there
  }

  /** Returns the position directly after an event. @param {number} seq @returns {Cursor} */
  #cursorAt(seq) {
    const tick = this.recording.tickOf(seq);
    return { tick, seq, whole: seq === this.recording.seqAt(tick), begun: seq > 0 };
  }

  /**
   * Moves the cursor by one tick, step or event. At an end of the run the cursor does not move.
   * @param {string} by @param {boolean} forward
   */
  step(by, forward) {
    this.pause();
    const { recording, cursor } = this;
    if (by === "tick") return forward ? this.#tickForward() : this.seekTick(this.#before(cursor.tick));
    if (!forward) return this.seekSeq(by === "event" ? Math.max(0, cursor.seq - 1) : recording.stepBefore(cursor.seq));
    const seq = by === "event" ? cursor.seq + 1 : recording.stepAfter(cursor.seq);
    if (seq > 0 && seq <= recording.events) this.#go(this.#cursorAt(seq));
  }

  #tickForward() {
    const { tick, whole } = this.cursor;
    if (whole && tick >= this.recording.until) return;
    this.#goTick(whole ? this.#after(tick) : tick);
  }

  /**
   * Returns the first stop after a tick. Stops (see costs.js) are the ticks at whose end the cursor can be.
   * @param {number} tick
   */
  #after(tick) {
    if (this.costs.every) return tick + 1;
    return this.costs.stops[this.costs.stop(tick) + 1];
  }

  /**
   * Returns the last stop before a tick, or −1 for the position before the first event.
   * @param {number} tick
   */
  #before(tick) { return this.costs.lastStopTick(tick - 1); }

  play() {
    if (this.#end) this.seekSeq(0);
    this.#set({ playing: true });
    this.#anchorHere();
    this.#ask();
  }

  #ask() {
    cancelAnimationFrame(this.#asked); // a second play command has no further effect
    this.#asked = requestAnimationFrame((now) => this.#frame(now));
  }

  pause() {
    if (!this.player.playing) return;
    this.#set({ playing: false });
    this.#jump(this.cursor); // with the first timers of every place
  }

  /** Sets the playback rate. @param {number} rate in ticks per second; 0 means maximum speed */
  speed(rate) {
    this.#anchorHere();
    this.#set({ rate });
  }

  #anchorHere() { this.#anchor = { tick: this.cursor.tick, at: performance.now() }; }

  /**
   * Moves the cursor to its position at a time during playback.
   * @param {number} now time as performance.now()
   */
  #frame(now) {
    if (!this.player.playing) return;
    const { until } = this.recording;
    const { rate } = this.player;
    const tick = rate > 0 ? this.#anchor.tick + Math.floor(((now - this.#anchor.at) * rate) / 1000) : this.#farAhead();
    const stop = this.costs.lastStopTick(Math.min(tick, until));
    if (stop > this.cursor.tick || (stop === this.cursor.tick && !this.cursor.whole)) this.#goTick(stop);
    const spent = performance.now() - now;
    this.#batch = Math.min(BATCH.most, Math.max(BATCH.least, spent > WORK_MS ? this.#batch / 2 : this.#batch * 1.5));
    if (this.#end) this.pause();
    else this.#ask();
  }

  /** Returns the position to which a frame at maximum speed moves the cursor. */
  #farAhead() {
    const { recording, cursor } = this;
    const seq = Math.min(recording.events, cursor.seq + Math.round(this.#batch));
    return seq === recording.events ? recording.until : Math.max(recording.tickOf(seq), cursor.tick + 1);
  }

  /** Moves forward to the end of a tick. @param {number} tick */
  #goTick(tick) {
    this.#go({ tick, seq: this.recording.seqAt(tick), whole: true, begun: true });
  }

  /** Moves the cursor forward. Sends a `delta`, or a `state` if there are too many events or timers. @param {Cursor} to */
  #go(to) {
    const from = this.cursor;
    if (to.seq - from.seq > FRAME_EVENTS_MAX || this.#counts) return this.#jump(to);
    const lanes = this.states.at(to.seq);
    if (exceedsLimit(lanes)) return this.#jump(to);
    this.cursor = to;
    this.send(this.messages.delta(from, to, lanes, this.#spent()));
    this.#set({});
  }

  /** Moves the cursor and sends a `state`. @param {Cursor} to */
  #jump(to) {
    const lanes = this.states.at(to.seq);
    this.cursor = to;
    this.#counts = exceedsLimit(lanes);
    this.send(this.messages.state(to, lanes, this.#spent(), !this.player.playing));
    this.#set({});
  }

  #spent() {
    const { tick, seq, whole, begun } = this.cursor;
    if (!begun) return this.costs.before;
    return whole ? this.costs.after(tick) : this.costs.at(seq);
  }

  /** Updates the playback state, and sends a `player` message if it has changed. @param {Partial<{playing: boolean, rate: number}>} change */
  #set(change) {
    const { playing, rate, end } = this.player;
    const now = { playing, rate, ...change, end: this.#end };
    this.player = now;
    if (now.playing !== playing || now.rate !== rate || now.end !== end) this.send(this.messages.player(this.cursor.seq, now));
  }
}

/**
 * Reports whether a lane has too many timers to send them individually.
 * @param {import("../state/lane-state.js").Lane[]} lanes
 */
function exceedsLimit(lanes) {
  return lanes.some((lane) => lane.counts[COUNT.live] > LANE_TIMERS_MAX);
}
