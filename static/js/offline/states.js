// @ts-check
/**
 * The state of every lane directly after an event, computed by folding from the last
 * computed state, or from the nearest state in the file.
 */
import { atMost } from "../core/search.js";
import { applyRow } from "../state/fold.js";
import { cell } from "../core/protocol.js";
import { laneOf } from "../state/lane-state.js";

/** @typedef {import("../state/lane-state.js").Lane} Lane */

/** Number of events folded, and thus parsed, at a time. */
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

  /** Returns the lanes after event seq. They are read-only, and valid until the next call. Throws if an event does not fit. @param {number} seq */
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
      for (const lane of this.#lanes) lane.touched.clear(); // these are never drawn
    }
    return this.#lanes;
  }
}

/** Returns an independent copy of a lane: folding changes its counts and queue in place. @param {any} lane a LANE @returns {Lane} */
function copyOf(lane) {
  return laneOf({ ...lane, counts: lane.counts.slice(), queue: lane.queue.slice() });
}
