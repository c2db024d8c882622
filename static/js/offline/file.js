// @ts-check
/**
 * What the file holds: the trace's bytes and the score, which boot.js unpacked. The
 * score is what a trace does not tell: ticks, steps and costs by event, states to start
 * from, the timeline. internal/player writes both.
 */

/**
 * @typedef {object} LaneCosts what a lane spent, stop by stop
 * @property {number[]} tick cost of the tick at each stop
 * @property {number[]} [total] spent since the stop before, where stops are not every tick
 * @property {number[]} worst flat triples: from this stop on, the greatest cost of a tick, the tick that had it
 * @property {number[]} lag flat pairs: from this stop on, how far the lane's clock is behind the tick
 *
 * @typedef {object} Score
 * @property {string} run digest, the first 16 digits @property {string} name of the file
 * @property {number} open event at which the player opens; 0: before anything
 * @property {{what: Record<string, string>, file: string, run: string}|null} note why the file was written, in both languages, and two lines that differ
 * @property {Record<string, any>} scenario as in `hello`, texts by language
 * @property {any[]} lanes as in `hello`
 * @property {number} events
 * @property {number[]} [stops] ticks at which the cursor can stand, distance to the one before; absent: every tick
 * @property {number[]} ticks at which something happens: distance to the one before
 * @property {number[]} counts events of each of those ticks
 * @property {number[]} steps events of each step
 * @property {number[]} spent by event: what its lane spent since its event before in the tick
 * @property {number[]} missed flat pairs: seq, id; a trace tells a miss by name only
 * @property {LaneCosts[]} costs by lane
 * @property {any[]} frames states, the first before anything: {seq, lanes [LANE]}
 * @property {(string|[string, number, number])[]} names by id: a name, or prefix, first number and count
 * @property {any} timeline as the message
 * @property {boolean} [recorded] the events are those of a trace that the program does not reproduce: costs are not known
 */

/** @typedef {{score: Score, trace: Uint8Array, packed: Uint8Array}} Unpacked packed: the trace as .jsonl.gz */

/** @returns {Unpacked} */
export function unpacked() {
  return /** @type {any} */ (globalThis).wheelscopeFile;
}

/** Names by id, which counts from 1. @param {Score["names"]} names @returns {string[]} */
export function namesOf(names) {
  const list = [""];
  for (const item of names) {
    if (typeof item === "string") list.push(item);
    else for (let k = 0; k < item[2]; k++) list.push(item[0] + (item[1] + k));
  }
  return list;
}
