// @ts-check
/** A recorded run: the events and their costs as a server would send them, and the steps and clocks, which do not follow from them. */
import { COL, ROW, cell } from "../core/protocol.js";
import { LIFE_EVENTS_MAX, NEXT_EVENTS_MAX, RECENT_EVENTS_MAX } from "../core/limits.js";
import { KIND } from "../state/kinds.js";
import { Window, prefixLength } from "../picture/window.js";

/**
 * @typedef {object} Run a recorded run, as internal/player writes it
 * @property {string} run first 16 digits of the run's digest @property {string} name name of the file
 * @property {number} open number of the event after which the page opens; 0 means before the first event
 * @property {{what: Record<string, string>, file: string, run: string}|null} note reason why the file was
 *   written, in both languages, and two lines that differ; null if there is none
 * @property {Record<string, any>} scenario the scenario as in `hello`, with texts by language
 * @property {any[]} lanes the lanes as in `hello`, each with its levels before the first event
 * @property {number[]} rows the rows of all events @property {number[]} costs as in an `events` message; empty if they are unknown
 * @property {boolean} costed whether the costs are known
 * @property {string[]} names names of the timers in the order of their ids, which begin at 1
 * @property {number[]} steps number of events of each step
 * @property {number[][]} clocks for each lane, flat triples: a tick from −1 on, the lane's clock there, and 1 if it
 *   moves with the ticks from there on
 * @property {any} timeline the message `timeline`
 */
/**
 * A run, the descriptions of its algorithms by id, and the address from which its trace is saved; or a lecture, and its runs by digest, of which `run` is that of the first stop.
 * @typedef {{run: Run, knowledge: Record<string, any>, trace?: {href: () => string, name: string}, runs?: Record<string, Run>, lecture?: import("../learn/lecture-file.js").Lecture}} Recorded
 */

/** Returns the run that the page shows, which its start script has unpacked. @returns {Recorded} */
export function recorded() { return /** @type {any} */ (globalThis).wheelscopeRecorded; }

export class Recording {
  /** @param {Run} data */
  constructor(data) {
    const { run, scenario, lanes, rows, names, costs } = data;
    this.data = data;
    this.until = scenario.until;
    this.win = new Window({ run, until: scenario.until, tick: scenario.tick, start: scenario.start, lanes }, rows, new Map(names.map((name, i) => [i + 1, name])), costs);
    this.events = this.win.length;
    this.steps = sums(data.steps);
  }

  /** Returns the tick of an event, or −1 if seq is 0. @param {number} seq */
  tickOf(seq) { return seq > 0 ? this.win.tickOf(seq - 1) : -1; }

  /** Returns the number of steps that end before an event. @param {number} seq */
  #stepsBefore(seq) { return prefixLength(this.steps.length, (i) => this.steps[i] < seq); }

  /** Returns the number of the last event of the step after an event, or 0 if there is none. @param {number} seq */
  stepAfter(seq) { return this.steps[this.#stepsBefore(seq + 1)] ?? 0; }

  /** Returns the last event of the last step that ends before an event, or 0 if there is none. @param {number} seq */
  stepBefore(seq) { return this.steps[this.#stepsBefore(seq) - 1] ?? 0; }

  /** Returns the number of the step that contains an event, counted from 1, or 0 if seq is 0. @param {number} seq */
  stepNumber(seq) { return seq > 0 ? this.#stepsBefore(seq) + 1 : 0; }

  /** Returns the events in (from, to] that are the last of a step. @param {number} from @param {number} to */
  stepEnds(from, to) { return Array.from(this.steps.subarray(this.#stepsBefore(from + 1), this.#stepsBefore(to + 1))); }

  /** Returns the rows of the events in (from, to]. @param {number} from @param {number} to */
  rows(from, to) { return this.win.rows.slice(from * ROW, to * ROW); }

  /** Returns the clock of a lane at the end of a tick. @param {number} lane @param {number} tick −1 for the position before the first event */
  clock(lane, tick) {
    const list = this.data.clocks[lane];
    const at = 3 * (prefixLength(list.length / 3, (i) => list[3 * i] <= tick) - 1); // the first triple is of tick −1
    const [from, clock, moves] = list.slice(at, at + 3);
    return clock + moves * (tick - from);
  }

  /** Returns the names of the timers in rows as in a message. @param {number[]} rows */
  namesIn(rows) {
    const ids = new Set();
    for (let at = 0; at < rows.length; at += ROW) {
      ids.add(cell(rows, at, "id"));
      if (cell(rows, at, "kind") !== KIND.hand) ids.add(cell(rows, at, "before"));
    }
    ids.delete(0);
    return [...ids].flatMap((id) => [id, this.win.name(id), null]);
  }

  /**
   * Answers a request of the page for the run: the questions in docs/MESSAGES.md. Returns
   * undefined if there is no answer.
   * @param {string} what @param {Record<string, number>} query @returns {any}
   */
  answer(what, { seq, n, id }) {
    const answer = (/** @type {number} */ first, /** @type {number} */ last) => {
      const events = this.rows(first, last);
      return { events, names: this.namesIn(events) };
    };
    switch (what) {
      case "step": return answer(seq, Math.min(this.stepAfter(seq) || seq, seq + NEXT_EVENTS_MAX));
      case "events": return answer(Math.max(0, seq - Math.min(n, RECENT_EVENTS_MAX)), seq);
      case "life": return this.#life(id);
    }
  }

  /** Returns the events of a timer. @param {number} id */
  #life(id) {
    const all = this.win.rows;
    /** @type {number[]} */
    const events = [];
    for (let at = 0; at < all.length; at += ROW) {
      if (all[at + COL.id] !== id) continue;
      if (events.length === LIFE_EVENTS_MAX * ROW) return { id, events, names: this.namesIn(events), until: all[at + COL.tick], whole: false };
      for (let k = at; k < at + ROW; k++) events.push(all[k]);
    }
    return { id, events, names: this.namesIn(events), until: this.until, whole: true };
  }
}

/** Returns the prefix sums of steps: element k is the sum of steps 0 to k. @param {number[]} steps */
function sums(steps) {
  const out = new Float64Array(steps.length);
  let sum = 0;
  for (let k = 0; k < steps.length; k++) out[k] = sum += steps[k];
  return out;
}

/** Returns the parameters in a fragment. */
export const parametersIn = (hash = location.hash) => new URLSearchParams(hash.slice(1));

/**
 * Returns the position that a URL names, or else that at which the recording opens; tick is −1 before the first event.
 * @param {Recording} recording @param {string} [hash]
 */
export function positionIn(recording, hash) {
  const { win, until } = recording;
  const query = new URLSearchParams(location.search);
  const [t, event] = ["t", "seq"].map((name) => Number(parametersIn(hash).get(name) ?? query.get(name) ?? NaN));
  const seq = event >= 0 ? Math.min(event, recording.events) : t >= 0 ? win.lastSeq(t) : recording.data.open;
  const tick = recording.tickOf(seq);
  const later = Number.isNaN(event) ? t >= 0 : t > Math.max(0, tick); // an event and its tick: the end of a later tick without events
  return { seq, tick: later && seq === win.lastSeq(t) ? Math.min(t, until) : tick };
}

/** Turns the links to the other views and languages of the page into fragments, and removes links to a server. */
export function inFile() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('a[href^="/"]'))) {
    const [path, query] = (link.getAttribute("href") ?? "").split("?");
    const kept = new URLSearchParams([...new URLSearchParams(query)].filter(([name]) => ["t", "seq", "lang", "view"].includes(name)));
    if (!kept.has("t") && !kept.has("seq")) kept.set("seq", "0");
    if (path === "/") link.setAttribute("href", `#${kept}`);
    else link.removeAttribute("href");
  }
}

/**
 * Follows changes of the fragment by the user: calls the function `go` with a fragment that has a position, and loads the
 * page again for another language or view.
 * @param {(hash: string) => void} go
 */
export function listen(go) {
  const now = { lang: document.body.dataset.lang, view: document.body.classList.contains("entry") ? "entry" : "lab" };
  addEventListener("hashchange", ({ newURL }) => {
    const { hash } = new URL(newURL); // the page may have updated the URL since
    if (Object.entries(now).some(([name, value]) => (parametersIn(hash).get(name) ?? value) !== value)) location.reload();
    else if (["seq", "t", "stop"].some((name) => parametersIn(hash).has(name))) go(hash);
  });
}
