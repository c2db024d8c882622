// @ts-check
/**
 * The cursor on the run in the file, and the clock that moves it: what a server's
 * session and sim.Runner are to the page. A command moves the cursor and the page is
 * told by the messages that a server would send.
 */
import { Costs } from "./costs.js";
import { FRAME_EVENTS_MAX, LANE_TIMERS_MAX, Teller } from "./tell.js";
import { COUNT } from "../protocol.js";
import { States } from "./states.js";

/** Milliseconds of a frame that may be spent on moving, when the run plays as fast as it goes. */
const WORK_MS = 12;
/** Events of such a frame: at first, at least and at most. */
const BATCH = { first: 4096, least: 256, most: 1 << 17 };

/**
 * @typedef {object} Cursor
 * @property {number} tick @property {number} seq the last event that happened
 * @property {boolean} whole everything at tick has happened
 * @property {boolean} begun false: before anything, tick 0 too
 */

export class Session {
  /** @type {Cursor} */
  cursor = { tick: 0, seq: 0, whole: false, begun: false };
  player = { playing: false, rate: 0, end: false };
  /** Where and when the clock was read last. */
  #anchor = { tick: 0, at: 0 };
  #batch = BATCH.first;
  /** The frame that is asked for while the clock runs. */
  #asked = 0;
  /** Lanes were told by counts: what follows is told as a state. */
  #counts = true;

  /** @param {import("./recording.js").Recording} recording @param {(message: any) => void} tell @param {string} lang */
  constructor(recording, tell, lang) {
    this.recording = recording;
    this.tell = tell;
    this.lang = lang;
    this.costs = new Costs(recording);
    this.states = new States(recording);
    this.teller = new Teller(recording);
  }

  /** Tells all that a new socket is told. @param {number} seq to stand after */
  begin(seq) {
    this.tell(this.teller.hello(this.lang));
    this.tell(this.teller.player(0, this.player));
    this.seekSeq(Math.min(seq, this.recording.events));
    this.tell(this.teller.timeline(this.cursor.seq));
  }

  get #end() { return this.cursor.whole && this.cursor.tick >= this.recording.until; }

  /** After everything at a tick; negative: before anything. @param {number} tick */
  seekTick(tick) {
    const stop = tick < 0 ? -1 : this.costs.standing(tick);
    if (stop < 0) return this.seekSeq(0);
    this.#seek({ tick: stop, seq: this.recording.seqAt(stop), whole: true, begun: true });
  }

  /** Exactly after an event; 0: before anything. @param {number} seq */
  seekSeq(seq) {
    this.#seek(this.#cursorAt(seq));
  }

  /** @param {Cursor} to */
  #seek(to) {
    this.#stand(to);
    this.#anchorHere(); // it goes on playing from there
  }

  /** @param {number} seq @returns {Cursor} */
  #cursorAt(seq) {
    const tick = this.recording.tickOf(seq);
    return { tick, seq, whole: seq === this.recording.seqAt(tick), begun: seq > 0 };
  }

  /** One tick, step or event, forward or back; where there is none the cursor stays. @param {string} by @param {boolean} forward */
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

  /** The next tick at which the cursor can stand. @param {number} tick */
  #after(tick) {
    if (this.costs.every) return tick + 1;
    return this.costs.stops[this.costs.stop(tick) + 1];
  }

  /** The tick before at which the cursor can stand; −1: before anything. @param {number} tick */
  #before(tick) { return this.costs.standing(tick - 1); }

  play() {
    if (this.#end) this.seekSeq(0);
    this.#set({ playing: true });
    this.#anchorHere();
    this.#ask();
  }

  #ask() {
    cancelAnimationFrame(this.#asked); // playing twice is playing once
    this.#asked = requestAnimationFrame((now) => this.#frame(now));
  }

  pause() {
    if (!this.player.playing) return;
    this.#set({ playing: false });
    this.#stand(this.cursor); // with the first timers of every place
  }

  /** @param {number} rate ticks a second, 0: as fast as it goes */
  speed(rate) {
    this.#anchorHere();
    this.#set({ rate });
  }

  #anchorHere() { this.#anchor = { tick: this.cursor.tick, at: performance.now() }; }

  /** Moves the cursor to where the clock is. @param {number} now */
  #frame(now) {
    if (!this.player.playing) return;
    const { until } = this.recording;
    const { rate } = this.player;
    const tick = rate > 0 ? this.#anchor.tick + Math.floor(((now - this.#anchor.at) * rate) / 1000) : this.#farAhead();
    const stop = this.costs.standing(Math.min(tick, until));
    if (stop > this.cursor.tick || (stop === this.cursor.tick && !this.cursor.whole)) this.#goTick(stop);
    const spent = performance.now() - now;
    this.#batch = Math.min(BATCH.most, Math.max(BATCH.least, spent > WORK_MS ? this.#batch / 2 : this.#batch * 1.5));
    if (this.#end) this.pause();
    else this.#ask();
  }

  /** How far a frame goes when nothing holds it. */
  #farAhead() {
    const { recording, cursor } = this;
    const seq = Math.min(recording.events, cursor.seq + Math.round(this.#batch));
    return seq === recording.events ? recording.until : Math.max(recording.tickOf(seq), cursor.tick + 1);
  }

  /** @param {number} tick */
  #goTick(tick) {
    this.#go({ tick, seq: this.recording.seqAt(tick), whole: true, begun: true });
  }

  /** Goes forward, and tells it event by event where that can be. @param {Cursor} to */
  #go(to) {
    const from = this.cursor;
    if (to.seq - from.seq > FRAME_EVENTS_MAX || this.#counts) return this.#stand(to);
    const lanes = this.states.at(to.seq);
    if (isCrowded(lanes)) return this.#stand(to);
    this.cursor = to;
    this.tell(this.teller.delta(from, to, lanes, this.#spent()));
    this.#set({});
  }

  /** Puts the cursor somewhere and tells everything there. @param {Cursor} to */
  #stand(to) {
    const lanes = this.states.at(to.seq);
    this.cursor = to;
    this.#counts = isCrowded(lanes);
    this.tell(this.teller.state(to, lanes, this.#spent(), !this.player.playing));
    this.#set({});
  }

  #spent() {
    const { tick, seq, whole, begun } = this.cursor;
    if (!begun) return this.costs.before;
    return whole ? this.costs.after(tick) : this.costs.at(seq);
  }

  /** Changes how the cursor moves, and tells it if anything is so. @param {Partial<{playing: boolean, rate: number}>} change */
  #set(change) {
    const { playing, rate, end } = this.player;
    const now = { playing, rate, ...change, end: this.#end };
    this.player = now;
    if (now.playing !== playing || now.rate !== rate || now.end !== end) this.tell(this.teller.player(this.cursor.seq, now));
  }
}

/** Whether a lane holds more timers than are told one by one. @param {import("../lane-state.js").Lane[]} lanes */
function isCrowded(lanes) {
  return lanes.some((lane) => lane.counts[COUNT.live] > LANE_TIMERS_MAX);
}
