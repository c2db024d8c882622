// @ts-check
/**
 * The contents of the file, unpacked by boot.js: the bytes of the trace, and the score. The score has the
 * data that the trace does not contain: an index of ticks and steps, the costs, states from which others are
 * computed, and the timeline. internal/player writes both.
 */

/**
 * @typedef {object} LaneCosts costs of a lane by stop; see costs.js
 * @property {number[]} tick cost of the tick at each stop
 * @property {number[]} [total] cost since the previous stop, if not every tick is a stop
 * @property {number[]} worst flat triples: a stop, the greatest cost of a tick from that stop on, and that tick
 * @property {number[]} lag flat pairs: a stop, and the number of ticks by which the lane's clock is behind
 *   from that stop on
 *
 * @typedef {object} Score
 * @property {string} run first 16 digits of the run's digest @property {string} name name of the file
 * @property {number} open number of the event after which the player opens; 0 means before the first event
 * @property {{what: Record<string, string>, file: string, run: string}|null} note reason why the file was
 *   written, in both languages, and two lines that differ; null if there is none
 * @property {Record<string, any>} scenario the scenario as in `hello`, with texts by language
 * @property {any[]} lanes the lanes as in `hello`
 * @property {number} events
 * @property {number[]} [stops] the stops, as differences from the previous one; missing if every tick is a stop
 * @property {number[]} ticks ticks with events, as differences from the previous one
 * @property {number[]} counts number of events of each of those ticks
 * @property {number[]} steps number of events of each step
 * @property {number[]} spent for each event, the cost of its lane since the lane's previous event in the same tick
 * @property {number[]} missed flat pairs: number of the event and id of the timer of each miss, for which a trace has only the name
 * @property {LaneCosts[]} costs costs of each lane
 * @property {number[]} [work] costs of the ticks as in an `events` message, if the file has an entry view
 * @property {any[]} frames states as {seq, lanes [LANE]}; the first is the state before all events
 * @property {(string|[string, number, number])[]} names names of the timers in the order of their ids; an
 *   element is a name, or a prefix with the first number and the count
 * @property {any} timeline the message `timeline`
 * @property {boolean} [recorded] whether the events are from a trace that the program does not reproduce;
 *   costs are then unknown
 */

/** @typedef {{score: Score, trace: Uint8Array, packed: Uint8Array}} Unpacked contents of the file; packed is the trace as .jsonl.gz */

/** Returns the contents of the file. @returns {Unpacked} */
export function unpacked() {
  return /** @type {any} */ (globalThis).wheelscopeFile;
}

/**
 * Returns the names of the timers, indexed by id. Ids start at 1.
 * @param {Score["names"]} names @returns {string[]}
 */
export function namesOf(names) {
  const list = [""];
  for (const item of names) {
    if (typeof item === "string") list.push(item);
    else for (let k = 0; k < item[2]; k++) list.push(item[0] + (item[1] + k));
  }
  return list;
}
