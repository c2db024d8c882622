// @ts-check
/**
 * The contents of the file: the trace's bytes and the score, unpacked by boot.js. The
 * score is what the trace does not contain: ticks, steps and costs by event, states to
 * start from, the timeline. internal/player writes both.
 */

/**
 * @typedef {object} LaneCosts the costs of a lane by stop
 * @property {number[]} tick cost of the tick at each stop
 * @property {number[]} [total] cost since the previous stop, if not every tick is a stop
 * @property {number[]} worst flat triples: stop from which it applies, greatest cost of a tick, that tick
 * @property {number[]} lag flat pairs: stop from which it applies, lag of the lane's clock behind the tick
 *
 * @typedef {object} Score
 * @property {string} run digest, the first 16 digits @property {string} name of the file
 * @property {number} open event at which the player opens; 0: before the first event
 * @property {{what: Record<string, string>, file: string, run: string}|null} note why the file was written, in both languages, and two lines that differ
 * @property {Record<string, any>} scenario as in `hello`, texts by language
 * @property {any[]} lanes as in `hello`
 * @property {number} events
 * @property {number[]} [stops] ticks at which the cursor can be, as distances to the previous one; absent: every tick
 * @property {number[]} ticks with events, as distances to the previous one
 * @property {number[]} counts number of events of each of those ticks
 * @property {number[]} steps number of events of each step
 * @property {number[]} spent by event: cost of its lane since the lane's previous event in the tick
 * @property {number[]} missed flat pairs: seq, id; a trace identifies the timer of a miss by name only
 * @property {LaneCosts[]} costs by lane
 * @property {any[]} frames states, the first before all events: {seq, lanes [LANE]}
 * @property {(string|[string, number, number])[]} names by id: a name, or prefix, first number and count
 * @property {any} timeline as the message
 * @property {boolean} [recorded] the events are those of a trace that the program does not reproduce: costs are unknown
 */

/** @typedef {{score: Score, trace: Uint8Array, packed: Uint8Array}} Unpacked packed: the trace as .jsonl.gz */

/** Returns the contents of the file. @returns {Unpacked} */
export function unpacked() {
  return /** @type {any} */ (globalThis).wheelscopeFile;
}

/** Returns the names by id; ids start at 1. @param {Score["names"]} names @returns {string[]} */
export function namesOf(names) {
  const list = [""];
  for (const item of names) {
    if (typeof item === "string") list.push(item);
    else for (let k = 0; k < item[2]; k++) list.push(item[0] + (item[1] + k));
  }
  return list;
}
