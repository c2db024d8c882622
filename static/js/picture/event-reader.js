// @ts-check
/** Reads the events of a session's run. The server answers an `events` command with messages that each have a part of the events. */
import { ROW } from "../core/protocol.js";
import { joinCosts } from "./window.js";

/** @typedef {{rows: number[], names: any[], costs: number[], end: boolean}} Events end: whether they end with the run */

/** Number of events of a command. */
const PART = 4000;
/** Maximum number of events of a run that a page keeps as a whole. */
export const EVENTS_MAX = 20_000;
/** Pause before events are requested again that are still being computed, in milliseconds. */
const AGAIN_MS = 100;

export class EventReader {
  /** @type {Events|null} the events that are being received */
  #received = null;
  /** @type {Promise<any>} the last reading; one is in progress at a time */
  #turn = Promise.resolve();

  /** @param {(name: "events", fields: {from: number, n: number}) => Promise<any>} send sends a command, and resolves to its fault or null */
  constructor(send) { this.send = send; }

  /**
   * Reads the events after the one numbered `from`, to the end of the run or about `most` of them. Returns null if they were not received, or
   * are no longer wanted.
   * @param {number} from @param {number} [most] @param {() => boolean} [wanted] @returns {Promise<Events|null>}
   */
  read(from, most = EVENTS_MAX, wanted = () => true) {
    const turn = () => this.#read(from, most, wanted);
    return (this.#turn = this.#turn.then(turn, turn));
  }

  /** @param {number} from @param {number} most @param {() => boolean} wanted @returns {Promise<Events|null>} */
  async #read(from, most, wanted) {
    /** @type {Events} */
    const all = { rows: [], names: [], costs: [], end: false };
    this.#received = all;
    for (let count = 0; !all.end && count < most;) {
      if (!wanted() || await this.send("events", { from: from + count, n: PART })) return null;
      const before = count;
      count = all.rows.length / ROW;
      if (count === before && !all.end) await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
    return wanted() ? all : null;
  }

  /** Takes a message of the server if it has events that are being read. @param {any} message */
  receive({ kind, rows, names, costs, end }) {
    const all = this.#received;
    if (kind !== "events" || !all) return;
    for (const v of rows) all.rows.push(v);
    for (const v of names) all.names.push(v);
    all.costs = joinCosts(all.costs, costs);
    all.end = end;
  }
}
