// @ts-check
/**
 * The trace in the file: an index of its ticks, steps and events, and its events as rows. The text is kept
 * unchanged, and its lines are parsed in chunks when they are needed.
 */
import { COL, ROW, cell } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";
import { atLeast, atMost, sums } from "../core/search.js";
import { namesOf } from "./file.js";
import { rowOf } from "../state/trace.js";

/** Number of events parsed together. */
const CHUNK = 2048;
/** Maximum number of cached chunks. */
const CHUNKS_MAX = 24;
/** Maximum number of events that are searched for the history of a timer. */
const LIFE_LOOK_MAX = 1 << 20;

const NEWLINE = 10;

export class Recording {
  /** Rows by chunk, the most recently used last. @type {Map<number, number[]>} */
  #chunks = new Map();
  #text = new TextDecoder();

  /** @param {import("./file.js").Unpacked} file */
  constructor({ score, trace }) {
    this.score = score;
    this.trace = trace;
    this.events = score.events;
    this.until = score.scenario.until;
    this.ticks = sums(score.ticks);
    this.ends = sums(score.counts);
    this.steps = sums(score.steps);
    this.names = namesOf(score.names);
    this.lines = lineStarts(trace, score.events);
    this.lanes = new Map(score.lanes.map((lane, index) => [lane.id, index]));
    this.missed = new Map();
    for (let k = 0; k + 1 < score.missed.length; k += 2) this.missed.set(score.missed[k], score.missed[k + 1]);
  }

  /** Returns the tick of an event, or 0 if seq is 0. @param {number} seq */
  tickOf(seq) { return seq > 0 ? this.ticks[atLeast(this.ends, seq)] : 0; }

  /**
   * Returns the number of the last event up to the end of a tick, or 0 if there is none.
   * @param {number} tick
   */
  seqAt(tick) { return this.ends[atMost(this.ticks, tick)] ?? 0; }

  /**
   * Returns the number of the last event of the step that contains the event after `seq`, or 0 if there is no
   * such event.
   * @param {number} seq
   */
  stepAfter(seq) { return this.steps[atLeast(this.steps, seq + 1)] ?? 0; }

  /**
   * Returns the last event of the last step that ends before an event, or 0 if there is none.
   * @param {number} seq
   */
  stepBefore(seq) { return this.steps[atLeast(this.steps, seq) - 1] ?? 0; }

  /** Returns the number of the step that contains an event, counted from 1, or 0 if seq is 0. @param {number} seq */
  stepNumber(seq) { return seq > 0 ? atLeast(this.steps, seq) + 1 : 0; }

  /** Returns the events in (from, to] that are the last of a step. @param {number} from @param {number} to */
  stepEnds(from, to) { return Array.from(this.steps.subarray(atLeast(this.steps, from + 1), atLeast(this.steps, to + 1))); }

  /** Returns the rows of the events in (from, to]. @param {number} from @param {number} to @returns {number[]} */
  rows(from, to) {
    /** @type {number[][]} */
    const parts = [];
    for (let seq = from + 1; seq <= to;) {
      const chunk = Math.floor((seq - 1) / CHUNK);
      const first = chunk * CHUNK + 1;
      const end = Math.min(to, first + CHUNK - 1);
      parts.push(this.#chunk(chunk).slice((seq - first) * ROW, (end - first + 1) * ROW));
      seq = end + 1;
    }
    return parts.length === 1 ? parts[0] : parts.flat();
  }

  /**
   * Calls the function `use` for each event in (from, to]. Its arguments are the rows of a chunk, and the
   * offset of the event's row in them.
   * @param {number} from @param {number} to @param {(rows: number[], at: number) => void} use
   */
  each(from, to, use) {
    for (let seq = from + 1; seq <= to; seq++) {
      use(this.#chunk(Math.floor((seq - 1) / CHUNK)), ((seq - 1) % CHUNK) * ROW);
    }
  }

  /**
   * Returns the names of the timers in rows, in the form of the field `names` of a message: a flat list of
   * triples [id, name, null].
   * @param {number[]} rows
   */
  namesIn(rows) {
    /** @type {Set<number>} */
    const ids = new Set();
    for (let at = 0; at < rows.length; at += ROW) {
      ids.add(cell(rows, at, "id"));
      if (cell(rows, at, "kind") !== KIND.hand) ids.add(cell(rows, at, "before"));
    }
    ids.delete(0);
    return [...ids].flatMap((id) => [id, this.names[id], null]);
  }

  /**
   * Returns the events of a timer, at most max, and the tick up to which the trace was searched. Only lines
   * that contain the id of the timer are parsed.
   * @param {number} id @param {number} max
   */
  lifeOf(id, max) {
    const mark = `"id":${id},`;
    /** @type {number[]} */
    const rows = [];
    const last = Math.min(this.events, LIFE_LOOK_MAX);
    for (let first = 1; first <= last; first += CHUNK) {
      const text = this.#between(first, Math.min(last, first + CHUNK - 1));
      for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
        const line = text.slice(text.lastIndexOf("\n", at) + 1, ends(text, at));
        const row = this.#row(JSON.parse(line));
        if (row[COL.id] !== id) continue; // the match was inside a name
        if (rows.length === max * ROW) return { rows, until: row[COL.tick], whole: false };
        rows.push(...row);
      }
    }
    return { rows, until: last < this.events ? this.tickOf(last) : this.until, whole: last === this.events };
  }

  /** Returns the lines of the events first … last as text. @param {number} first @param {number} last */
  #between(first, last) {
    return this.#text.decode(this.trace.subarray(this.lines[first], this.lines[last + 1] - 1));
  }

  /**
   * Returns the rows of a chunk, which is parsed unless it is cached.
   * @param {number} number number of the chunk
   */
  #chunk(number) {
    let rows = this.#chunks.get(number);
    if (rows) this.#chunks.delete(number);
    else rows = this.#parse(number);
    this.#chunks.set(number, rows);
    if (this.#chunks.size > CHUNKS_MAX) this.#chunks.delete(/** @type {number} */ (this.#chunks.keys().next().value));
    return rows;
  }

  /** Parses a chunk. @param {number} number @returns {number[]} */
  #parse(number) {
    const first = number * CHUNK + 1;
    const text = this.#between(first, Math.min(this.events, first + CHUNK - 1));
    return JSON.parse(`[${text.replaceAll("\n", ",")}]`).flatMap((/** @type {any} */ event) => this.#row(event));
  }

  /**
   * Converts an event to a row in the form of the field `events` of a message.
   * @param {any} event parsed line of the trace
   */
  #row(event) {
    const row = rowOf(event);
    row[COL.lane] = this.lanes.get(event.lane) ?? -1;
    row[COL.cost] = this.score.spent[event.seq - 1];
    if (row[COL.kind] === KIND.miss) row[COL.id] = this.missed.get(event.seq) ?? 0;
    return row;
  }
}

/**
 * Returns the index of the newline that ends the line at an index, or the length of the text if the line has no
 * newline.
 * @param {string} text @param {number} at index of a character in the line
 */
function ends(text, at) {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/**
 * Returns the offset of the start of every line. Element 0 is for the header, element n for event n, and the
 * last element for the end line. Throws an error if the trace is truncated.
 * @param {Uint8Array} trace @param {number} events number of events
 */
function lineStarts(trace, events) {
  const starts = new Float64Array(events + 2);
  for (let k = 1, at = 0; k < starts.length; k++) {
    at = trace.indexOf(NEWLINE, at) + 1;
    if (at === 0) throw new Error(`line ${k} of the trace does not end: the file is cut`);
    starts[k] = at;
  }
  return starts;
}

