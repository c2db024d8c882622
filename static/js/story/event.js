// @ts-check
/** The events of a story: their values, and what the sentences, reasons and formulas need to know of their lanes. */
import { NO_LEVEL, ROW, cell } from "../core/protocol.js";
import { CODES, KIND } from "../state/kinds.js";
import { placeName } from "../state/words.js";

/**
 * @typedef {object} Context the data, in addition to rows, that a story needs
 * @property {import("../state/store.js").LaneInfo[]} infos
 * @property {import("../state/lane-state.js").Lane[]} lanes
 * @property {(id: number) => string} name
 * @property {number} start absolute tick of the scenario's start
 * @property {string} length length of a base tick
 * @property {import("../state/activity.js").Activity[]|null} [activities] activity of the lanes, if the rows do not
 *   contain all of it
 * @property {number} [first] index of the lane to describe first; −1 or missing means the lane with the most
 *   important event
 */

/** Returns the context of a store's rows. @param {import("../state/store.js").Store} store @returns {Context} */
export function contextOf(store) {
  const { infos, lanes, start, length } = store;
  return { infos, lanes, start, length, name: (id) => store.called(id) };
}

export class StoryEvent {
  /** @param {number[]} rows rows of all events of the story @param {number} at offset of the event's row @param {Context} context */
  constructor(rows, at, context) {
    this.rows = rows;
    this.at = at;
    this.context = context;
    this.seq = cell(rows, at, "seq");
    this.tick = cell(rows, at, "tick");
    this.lane = cell(rows, at, "lane");
    this.kind = cell(rows, at, "kind");
    this.id = cell(rows, at, "id");
    this.due = cell(rows, at, "due");
    this.run = cell(rows, at, "run");
    this.before = cell(rows, at, "before");
    this.x = cell(rows, at, "x");
    this.code = CODES[cell(rows, at, "code")];
    this.fromLevel = cell(rows, at, "fromLevel");
    this.fromSlot = cell(rows, at, "fromSlot");
    this.toLevel = cell(rows, at, "toLevel");
    this.toSlot = cell(rows, at, "toSlot");
  }

  /** The properties of the lane. */
  get info() { return this.context.infos[this.lane]; }
  /** The levels of the lane: [level, slots, width], finest first. */
  get levels() { return this.context.lanes[this.lane].levels; }
  /** The name of the timer. */
  get name() { return this.context.name(this.id); }
  /** Number of ticks until the timer is due. */
  get left() { return this.due - this.tick; }
  /** Whether the event starts a later run of a timer that repeats. */
  get repeats() { return this.run > 1; }
  /** Whether the event is what a caller of the wheel has done. */
  get operation() { return this.kind === KIND.schedule ? !this.repeats : this.kind === KIND.cancel || this.kind === KIND.mark; }

  /** The name of the place that the timer left, or "" if it was in none. */
  get from() { return this.#place(this.fromLevel, this.fromSlot); }
  /** The name of the place that the timer entered, or "". */
  get to() { return this.#place(this.toLevel, this.toSlot); }

  /** @param {number} level @param {number} slot */
  #place(level, slot) { return level === NO_LEVEL ? "" : placeName(this.info, this.levels, level, slot); }
}

/** Returns the events of rows. @param {number[]} rows @param {Context} context */
export function eventsOf(rows, context) {
  return Array.from({ length: Math.floor(rows.length / ROW) }, (_, i) => new StoryEvent(rows, i * ROW, context));
}
