// @ts-check
/**
 * Computes the state of every lane directly after an event. It applies events to the last computed state or to
 * the nearest earlier state in the file.
 */
import { atMost } from "../core/search.js";
import { applyRow } from "../state/fold.js";
import { cell } from "../core/protocol.js";
import { laneOf } from "../state/lane-state.js";

/** @typedef {import("../state/lane-state.js").Lane} Lane */

/** Number of events that are applied at a time. */
const PART = 2048;

export class States {
  #seq = -1;
  /** @type {Lane[]} */
  #lanes = [];

  /** @param {import("./recording.js").Recording} recording */
  constructor(recording) {
    this.recording = recording;
    this.frames = recording.score.frames;
    this.starts = this.frames.map((frame) => frame.seq);
  }

  /**
   * Returns the lanes directly after an event. They must not be changed, and are valid until the next call.
   * Throws an error if an event does not fit the state.
   * @param {number} seq
   */
  at(seq) {
    const nearest = atMost(this.starts, seq);
    if (this.#seq > seq || this.#seq < this.starts[nearest]) {
      this.#lanes = this.frames[nearest].lanes.map(copyOf);
      this.#seq = this.starts[nearest];
    }
    while (this.#seq < seq) {
      const to = Math.min(seq, this.#seq + PART);
      this.recording.each(this.#seq, to, (rows, at) => applyRow(this.#lanes[cell(rows, at, "lane")], rows, at));
      this.#seq = to;
    }
    return this.#lanes;
  }
}

/**
 * Returns a copy of a lane. The copy is independent, since folding changes the counts and the queue in place.
 * @param {any} lane a LANE @returns {Lane}
 */
function copyOf(lane) {
  return laneOf({ ...lane, counts: lane.counts.slice(), queue: lane.queue.slice() });
}
