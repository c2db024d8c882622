// @ts-check
/**
 * The data of the page: the run, the cursor, the state of every lane, and the names of timers. Messages from
 * the server update it. It uses neither the DOM nor a socket.
 */
import { FoldError, applyRow } from "./fold.js";
import { laneOf, setCount } from "./lane-state.js";
import { ROW, cell } from "../core/protocol.js";
import { activityOf } from "./activity.js";
import { nameInText } from "./words.js";

/** @typedef {import("./lane-state.js").Lane} Lane */
/**
 * @typedef {Message.HelloLane & {title: Record<string, string>, tick: string, start: number}} LaneInfo the properties of a lane that do not change during a run; tick is the length of a tick, start the absolute tick at which the scenario starts
 *
 * @typedef {"hello"|"state"|"delta"|"player"|"timeline"|"ack"|"resync"|"ignored"} Outcome
 */

export class Store {
  run = "";
  seq = 0;
  tick = 0;
  /** Number of the step at the cursor, or −1 if the steps of the run are not numbered. */
  step = -1;
  /** Whether the first timers of every place are known. If not, a `state` with them follows when the cursor comes to rest. */
  rest = true;
  /** @type {Message.Hello|null} the last `hello` */
  hello = null;
  /** @type {LaneInfo[]} */
  infos = [];
  /** @type {Lane[]} */
  lanes = [];
  /** @type {Map<number, string>} */
  names = new Map();
  /** @type {Map<number, number>} due tick of each timer when it was scheduled last */
  #dues = new Map();
  player = { playing: false, rate: 0, end: false };
  /** @type {Message.Timeline|null} */
  timeline = null;
  /** @type {number[]} rows of the last `delta`; empty after a `state` */
  rows = [];
  /** @type {number[]} rows of the last movement that belong to the cursor's tick */
  lastRows = [];
  /** Whether there are too many events, so that lastRows has only the first event of each kind. */
  lastCut = false;
  /**
   * The activity of every lane at the cursor or, during playback, at an earlier position; null if it is
   * unknown.
   * @type {import("./activity.js").Activity[]|null}
   */
  activities = null;
  /** The position to which `activities` applies. */
  activitiesAt = "";
  /** @type {number[]} numbers of the events of the last `delta` that end a step */
  steps = [];
  /** Whether a `delta` did not fit the state, so that a `state` was requested. */
  outOfSync = false;

  /** Applies a message. @param {Message.FromServer} message @returns {Outcome} */
  receive(message) {
    switch (message.kind) {
      case "hello": return this.#hello(message);
      case "state": return this.#state(message);
      case "delta": return this.#delta(message);
      case "player":
        this.player = { playing: message.playing, rate: message.rate, end: message.end };
        return "player";
      case "timeline":
        if (message.run !== this.run) return "ignored";
        this.timeline = message;
        return "timeline";
      case "ack": return "ack";
      default: return "ignored";
    }
  }

  get start() { return this.hello?.scenario.start ?? 0; }
  /**
   * Returns the offset to add to a lane's clock before computing the slot under its hand: the absolute tick of
   * the scenario's start, or 0 if the lane counts slots from the start.
   * @param {number} lane
   */
  origin(lane) { return this.infos[lane]?.relative ? 0 : this.start; }
  get until() { return this.hello?.scenario.until ?? 0; }
  get length() { return this.hello?.scenario.tick ?? "1ms"; }

  /** Returns a timer's name. @param {number} id */
  name(id) { return this.names.get(id) ?? `#${id}`; }

  /** Returns the name of a timer as a part of a sentence. @param {number} id */
  called(id) { return nameInText(this.name(id)); }

  /** Returns the due tick of a timer when it was scheduled last, or 0 if it is not known. @param {number} id */
  due(id) { return this.#dues.get(id) ?? 0; }

  /** Handles a `hello`, which announces another run. @param {Message.Hello} message @returns {Outcome} */
  #hello(message) {
    this.hello = message;
    this.run = message.run;
    this.infos = message.lanes.map((lane) => ({ ...lane, tick: message.scenario.tick, start: message.scenario.start }));
    this.lanes = [];
    this.names = new Map();
    this.#dues = new Map();
    this.timeline = null;
    [this.activities, this.activitiesAt] = [null, ""];
    return "hello";
  }

  /** Handles a `state`. @param {Message.State} message @returns {Outcome} */
  #state(message) {
    if (message.run !== this.run) return "ignored";
    this.learn(message.names);
    this.lanes = message.lanes.map(laneOf);
    this.seq = message.seq;
    this.tick = message.tick;
    this.step = message.step;
    this.rest = message.rest;
    this.rows = [];
    const { last, tick } = message;
    this.lastRows = ofTick(last, tick);
    this.#setActivity(message);
    this.steps = [];
    this.outOfSync = false;
    return "state";
  }

  /** Handles a `delta`. @param {Message.Delta} message @returns {Outcome} */
  #delta(message) {
    if (message.run !== this.run || this.outOfSync) return "ignored";
    if (message.from !== this.seq || this.lanes.length === 0) return this.#lost();
    this.learn(message.names);
    try {
      for (let at = 0; at < message.events.length; at += ROW) {
        applyRow(this.lanes[cell(message.events, at, "lane")], message.events, at);
      }
      for (const change of message.lanes) this.#change(change);
    } catch (error) {
      if (error instanceof FoldError) return this.#lost();
      throw error;
    }
    if (message.events.length > 0 || message.tick !== this.tick) this.lastRows = ofTick(message.events, message.tick);
    this.seq = message.seq;
    this.tick = message.tick;
    this.step = message.step;
    this.rest = !this.lanes.some((lane) => lane.mode === "counts");
    this.rows = message.events;
    this.#setActivity(message);
    this.steps = message.steps ?? [];
    return "delta";
  }

  /** Updates `activities`. During playback a message may omit it. @param {Message.State|Message.Delta} message */
  #setActivity({ did, run, seq, tick }) {
    if (!did && this.player.playing) return;
    this.activities = did?.map(activityOf) ?? null;
    this.activitiesAt = did ? `${run}/${seq}/${tick}` : "";
    this.lastCut = false;
    if (did && !this.player.playing) [this.lastRows, this.lastCut] = rowsOf(did);
  }

  /**
   * Returns the activity of a lane at the cursor, or null if it is unknown for exactly this position.
   * @param {number} lane
   */
  activity(lane) {
    return this.activitiesAt === `${this.run}/${this.seq}/${this.tick}` ? this.activities?.[lane] ?? null : null;
  }

  /** Handles a `delta` that does not fit the state. @returns {Outcome} */
  #lost() {
    this.outOfSync = true;
    return "resync";
  }

  /**
   * Applies the changes of a lane in a `delta`, except for its events.
   * @param {Message.ChangedLane} change
   */
  #change(change) {
    const lane = this.lanes[change.lane];
    if (lane.mode === "full" && change.counts.some((n, i) => n !== lane.counts[i])) {
      throw new FoldError(`the counts of lane ${change.lane} do not follow from its events`);
    }
    lane.now = change.now;
    lane.counts = change.counts;
    lane.cost = change.cost;
    if (change.levels) lane.levels = change.levels;
    for (const [level, flat] of change.slots ?? []) {
      for (let i = 0; i + 1 < flat.length; i += 2) setCount(lane, level, flat[i], flat[i + 1]);
    }
  }

  /** Stores the names of timers in a message or an answer. @param {any[]} names flat list of id, name and due tick of each timer */
  learn(names) {
    for (let i = 0; i + 2 < names.length; i += 3) {
      this.names.set(names[i], names[i + 1]);
      if (names[i + 2] !== null) this.#dues.set(names[i], names[i + 2]);
    }
  }
}

/**
 * Returns the rows at the end of a list that belong to a tick.
 * @param {number[]} rows @param {number} tick
 */
function ofTick(rows, tick) {
  let at = rows.length;
  while (at > 0 && cell(rows, at - ROW, "tick") === tick) at -= ROW;
  return at === 0 ? rows : rows.slice(at);
}

/**
 * Returns the rows in activities of a message, in the order of the events, and whether they are only the first events of each
 * kind. The result depends only on the position of the cursor, not on the movements that led to it.
 * @param {any[]} activities @returns {[number[], boolean]}
 */
function rowsOf(activities) {
  const counted = activities.reduce((sum, [, , , kinds]) => sum + kinds.reduce((/** @type {number} */ n, /** @type {number} */ v, /** @type {number} */ i) => n + (i % 2 ? v : 0), 0), 0);
  const cut = counted > 0 && activities.every((one) => !one[6]?.length);
  const flat = activities.flatMap((one) => (cut ? one[4] : one[6] ?? []));
  const starts = Array.from({ length: flat.length / ROW }, (_, k) => k * ROW).sort((a, b) => flat[a] - flat[b]);
  return [(cut ? starts : starts.slice(Math.max(0, starts.length - counted))).flatMap((at) => flat.slice(at, at + ROW)), cut];
}
