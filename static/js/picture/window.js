// @ts-check
/**
 * The events of a run around the cursor, and the states that follow from them. Everything that the page shows at
 * a position among them is computed here, without the server. A window has the whole run, or those of a long run from
 * the end of a tick, whose state it begins with. It is never changed: an edit or further events make another one.
 */
import { COST, COUNT, ROW, TICK_COST, cell } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";
import { applyRow } from "../state/fold.js";
import { emptyLane } from "../state/lane-state.js";
import { snapshot } from "./scene.js";
import { units } from "./work.js";

/** @typedef {import("../state/lane-state.js").Lane} Lane */
/** @typedef {import("./scene.js").LaneInfo} LaneInfo */
/** @typedef {{run: string, until: number, tick: string, start: number, lanes: LaneInfo[]}} Run the fixed properties of a run */
/** @typedef {import("./scene.js").Timer} Timer */
/** @typedef {import("./scene.js").Snapshot} Snapshot */
/** @typedef {import("./scene.js").Ended} Ended */
/** @typedef {import("./work.js").Work} Work */

/** @typedef {{tick: number, seq: number, lanes: Lane[], costs: {worst: number, at: number, total: number}[]}} Start the end of a tick, with the states and the costs so far */

/**
 * Least number of rows between two saved states, and least part of the rows. A state of many timers is saved after more rows, so that
 * all saved states together are not larger than the events.
 */
const SAVE = { rows: 512, part: 1 / 64, timers: 2 };
/** Number of integers of an element of costs. */
const COST_ROW = Object.keys(TICK_COST).length;
/** Number of computed snapshots that are kept. */
const KEPT = 24;

export class Window {
  /** @type {Map<number, Snapshot[]>} snapshots by number of applied rows */
  #kept = new Map();
  /** @type {Map<number, number>} due tick by id, when it was scheduled last */
  #dues = new Map();
  /** @type {{rows: number, lanes: Lane[]}[]} saved states, in order */
  #saved;
  /** @type {{rows: number, lanes: Lane[]}|null} the state that was computed last, from which a later one is computed in place */
  #folded = null;
  /** @type {{tick: number, end: number, work: Work, worst: number, at: number, total: number, most: number}[][]} work of the ticks from tick to end, per lane; and in the ticks before: the greatest work of a tick, the first tick with it, the sum, and the greatest of one kind */
  #works;

  /**
   * @param {Run} run
   * @param {number[]} rows the events in order, from `first` on
   * @param {Map<number, string>} names names of timers by id
   * @param {number[]} costs work per tick: lane, first tick, number of ticks and the four counters of each element, in order of ticks
   * @param {Start|null} from where the rows begin; null if it is the start of the run
   * @param {boolean} end whether the rows end with the run
   */
  constructor(run, rows, names, costs, from = null, end = true) {
    this.run = run;
    this.from = from ?? { tick: -1, seq: 0, lanes: run.lanes.map((lane) => emptyLane(lane.levels)), costs: run.lanes.map(() => ({ worst: 0, at: 0, total: 0 })) };
    this.end = end;
    this.rows = rows;
    this.names = names;
    this.costs = costs;
    this.#saved = [{ rows: 0, lanes: this.from.lanes.map(copyLane) }];
    this.#saved[0].lanes.forEach((lane, i) => { lane.cost[COST.total] = this.from.costs[i].total; });
    this.#works = run.lanes.map(() => []);
    const sums = this.from.costs.map((cost) => ({ ...cost, most: 0 }));
    for (let i = 0; i < costs.length; i += COST_ROW) {
      const at = (/** @type {keyof typeof TICK_COST} */ column) => costs[i + TICK_COST[column]];
      const tick = Math.max(at("tick"), this.from.tick + 1);
      const end = at("tick") + at("ticks");
      if (tick >= end || !this.#works[at("lane")]) continue;
      /** @type {Work} */
      const work = [at("slots"), at("touched"), at("compared"), at("moved")];
      const sum = sums[at("lane")];
      this.#works[at("lane")].push({ tick, end, work, ...sum });
      sum.total += units(work) * (end - tick);
      if (units(work) > sum.worst) [sum.worst, sum.at] = [units(work), tick];
      sum.most = Math.max(sum.most, ...work);
    }
    /** Number of rows. */
    this.length = rows.length / ROW;
    /** Last tick whose events are all known. */
    this.last = end ? run.until : Math.max(this.from.tick, this.length > 0 ? this.tickOf(this.length - 1) - 1 : -1);
    /** @type {Ended[][]} timers that have ended, per lane, in order */
    this.ended = run.lanes.map(() => []);
    /** @type {Map<string, number>} the first id of each name, which determines the colour */
    this.firsts = new Map();
    for (const [id, name] of names) this.firsts.set(name, Math.min(id, this.firsts.get(name) ?? id));
    /** @type {number[]} number of levels of each lane at the end of the events */
    this.levels = this.from.lanes.map((lane) => lane.levels.filter(([l]) => l >= 0).length);
    /** @type {boolean[]} whether each lane has a clock of its own, which is that of a delay queue */
    this.queued = this.from.lanes.map((lane) => this.from.tick >= 0 && lane.now !== this.from.tick);
    this.#scan();
  }

  /** Returns the due tick of a timer when it was scheduled last; 0 if it is not known. @param {number} id */
  dueOf(id) { return this.#dues.get(id) ?? 0; }

  /** Collects the timers that have ended and the levels that grow. */
  #scan() {
    /** @type {Map<number, number>[]} due tick by id */
    const due = this.run.lanes.map(() => new Map());
    for (let at = 0; at < this.rows.length; at += ROW) {
      const lane = cell(this.rows, at, "lane");
      const kind = cell(this.rows, at, "kind");
      const id = cell(this.rows, at, "id");
      if (kind === KIND.schedule) {
        due[lane].set(id, cell(this.rows, at, "due"));
        this.#dues.set(id, cell(this.rows, at, "due"));
      }
      if (kind === KIND.dequeue) this.queued[lane] = true;
      if (kind === KIND.grow) this.levels[lane] = Math.max(this.levels[lane], cell(this.rows, at, "fromLevel") + 1);
      const how = kind === KIND.expire ? "fired" : kind === KIND.reject ? "rejected" : kind === KIND.cancel || kind === KIND.mark ? "cancelled" : null;
      if (how) this.ended[lane].push({ id, due: due[lane].get(id) ?? cell(this.rows, at, "due"), run: cell(this.rows, at, "run") || 1, how, seq: cell(this.rows, at, "seq"), tick: cell(this.rows, at, "tick") });
    }
  }

  /** Reports whether the window has the whole run. */
  get whole() { return this.end && this.from.tick < 0; }
  /** Returns the least and the greatest T that the window can show. @returns {[number, number]} */
  get range() { return [this.from.tick < 0 ? 0 : this.from.tick + 0.5, Math.max(0, this.last + 0.5)]; }
  /** Reports whether the window can show T. @param {number} T */
  covers(T) { return T >= this.range[0] && T <= this.range[1]; }

  /** Returns the tick of row i. @param {number} i */
  tickOf(i) { return cell(this.rows, i * ROW, "tick"); }
  /** Returns the number of the event in row i. @param {number} i */
  seqOf(i) { return cell(this.rows, i * ROW, "seq"); }

  /** Returns the number of rows whose tick is at most `tick`. @param {number} tick */
  through(tick) { return prefixLength(this.length, (i) => this.tickOf(i) <= tick); }

  /** Returns the number of rows whose event number is at most `seq`. @param {number} seq */
  upto(seq) { return prefixLength(this.length, (i) => this.seqOf(i) <= seq); }

  /** Returns the number of the last of the first n events. @param {number} n */
  seqAfter(n) { return n > 0 ? this.seqOf(n - 1) : this.from.seq; }

  /** Returns the number of the last event up to the end of a tick; 0 if there is none. @param {number} tick */
  lastSeq(tick) { return this.seqAfter(this.through(tick)); }

  /** Returns the indexes of the rows of a tick: the first, and the one after the last. @param {number} tick @returns {[number, number]} */
  rowsOf(tick) { return [this.through(tick - 1), this.through(tick)]; }

  /**
   * Returns the states of all lanes after the first n rows. `now` of a lane without a clock of its own is not set by
   * events; see clockOf.
   * @param {number} n @returns {Snapshot[]}
   */
  after(n) {
    const old = this.#kept.get(n);
    if (old) return old;
    const made = this.lanesAfter(n).map(snapshot);
    if (this.#kept.size >= KEPT) this.#kept.delete(/** @type {number} */ (this.#kept.keys().next().value));
    this.#kept.set(n, made);
    return made;
  }

  /** Returns the lanes after the first n rows, which are valid until the next call. @param {number} n @returns {Lane[]} */
  lanesAfter(n) {
    const saved = this.#saved.findLast((s) => s.rows <= n) ?? this.#saved[0];
    let folded = this.#folded;
    if (!folded || folded.rows > n || folded.rows < saved.rows) folded = { rows: saved.rows, lanes: saved.lanes.map(copyLane) };
    this.#folded = null; // a row that does not fit leaves no state
    const { lanes } = folded;
    for (let i = folded.rows; i < n; i++) {
      const lane = lanes[cell(this.rows, i * ROW, "lane")];
      applyRow(lane, this.rows, i * ROW);
      lane.cost[COST.total] += cell(this.rows, i * ROW, "cost");
      const since = i + 1 - this.#saved[this.#saved.length - 1].rows;
      if (since < SAVE.rows || since < this.length * SAVE.part || since < SAVE.timers * lanes.reduce((sum, { counts }) => sum + counts[COUNT.live], 0)) continue;
      this.#saved.push({ rows: i + 1, lanes: lanes.map(copyLane) });
    }
    this.#folded = { rows: n, lanes };
    return lanes;
  }

  /** Returns the last element of #works that begins up to a tick. @param {number} lane @param {number} tick */
  #workAt(lane, tick) {
    const all = this.#works[lane];
    return all[prefixLength(all.length, (i) => all[i].tick <= tick) - 1];
  }

  /** Returns the work of a lane in a tick. @param {number} lane @param {number} tick @returns {Work} */
  work(lane, tick) {
    const found = this.#workAt(lane, tick);
    return found && tick < found.end ? found.work : [0, 0, 0, 0];
  }

  /** Returns the greatest work of a lane in a tick up to `tick`, the first tick with it, and the sum of all. @param {number} lane @param {number} tick */
  workUpTo(lane, tick) {
    const found = this.#workAt(lane, tick);
    if (!found) return this.from.costs[lane];
    const sum = units(found.work);
    const total = found.total + sum * (Math.min(found.end, tick + 1) - found.tick);
    return sum > found.worst ? { worst: sum, at: found.tick, total } : { worst: found.worst, at: found.at, total };
  }

  /** Returns the greatest work of one kind in a tick up to `tick`. @param {number} lane @param {number} tick */
  mostOfKind(lane, tick) {
    const found = this.#workAt(lane, tick);
    return found ? Math.max(found.most, ...found.work) : 0;
  }

  /**
   * Returns the cost of a lane at a position: that of its tick so far, the greatest of a tick so far, the first tick with it, and the sum.
   * @param {number} lane @param {{tick: number, seq: number}} at tick is 0 or −1 before the first event
   */
  costAt(lane, { tick, seq }) {
    if (seq === this.lastSeq(tick) && (seq > 0 || tick > 0)) return { tick: units(this.work(lane, tick)), ...this.workUpTo(lane, tick) };
    const { worst, at, total: before } = this.workUpTo(lane, tick - 1);
    const total = Math.max(before, this.lanesAfter(this.upto(seq))[lane].cost[COST.total]);
    const now = total - before;
    return { tick: now, total, ...(now > worst ? { worst: now, at: tick } : { worst, at }) };
  }

  /** Returns the lane's clock at the end of a tick: the tick, unless the lane has a clock of its own. @param {number} lane @param {number} tick */
  clock(lane, tick) { return this.queued[lane] ? this.after(this.through(tick))[lane].now : tick; }

  /** Returns the name of a timer. @param {number} id */
  name(id) { return this.names.get(id) ?? `#${id}`; }

  /** Returns the id that determines the colour of a timer, which is that of the first timer of its name. @param {number} id */
  first(id) { return this.firsts.get(this.name(id)) ?? id; }

  /** Returns the number of the style class of a timer's colour. @param {number} id */
  colour(id) { return (this.first(id) - 1) % 6; }

  /**
   * Returns the events of a run that agrees with this one up to event `seq`.
   * @param {Run} run @param {number} seq @param {{rows: number[], names: any[], costs: number[], end: boolean}} answer the events after it
   */
  fork(run, seq, { rows, names, costs, end }) {
    const known = new Map(this.names);
    learn(known, names);
    return new Window(run, [...this.rows.slice(0, this.upto(seq) * ROW), ...rows], known, joinCosts(this.costs, costs), this.from, end);
  }

  /** Returns the window without the events up to the end of a tick. @param {number} tick */
  without(tick) {
    const n = this.through(tick);
    const lanes = this.lanesAfter(n).map(copyLane);
    lanes.forEach((lane, i) => { lane.now = this.clock(i, tick); });
    const from = { tick, seq: this.seqAfter(n), lanes, costs: this.run.lanes.map((_, lane) => this.workUpTo(lane, tick)) };
    return new Window(this.run, this.rows.slice(n * ROW), this.names, this.costs, from, this.end);
  }
}

/** Returns the number of indices at the beginning for which `holds` is true, of those below `length`. @param {number} length @param {(i: number) => boolean} holds */
export function prefixLength(length, holds) {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns costs followed by later ones, which begin with the last tick of the others or before it. @param {number[]} costs @param {number[]} later @returns {number[]} */
export function joinCosts(costs, later) {
  let tick = Infinity;
  for (let i = 0; i < later.length; i += COST_ROW) tick = Math.min(tick, later[i + TICK_COST.tick]);
  /** @type {number[]} */
  const joined = [];
  for (let i = 0; i < costs.length; i += COST_ROW) {
    const first = costs[i + TICK_COST.tick];
    if (first >= tick) continue;
    const row = costs.slice(i, i + COST_ROW);
    row[TICK_COST.ticks] = Math.min(row[TICK_COST.ticks], tick - first);
    joined.push(...row);
  }
  return [...joined, ...later];
}

/** Stores names. @param {Map<number, string>} known @param {any[]} names id, name and due tick of each timer */
export function learn(known, names) {
  for (let i = 0; i + 2 < names.length; i += 3) known.set(names[i], names[i + 1]);
}

/** Copies a lane, so that the fold can change it. @param {Lane} lane @returns {Lane} */
function copyLane(lane) {
  const copy = { ...lane, places: new Map(), index: new Map(), queue: lane.queue.map((b) => [...b]), counts: [...lane.counts], cost: [...lane.cost] };
  for (const [key, place] of lane.places) {
    const made = { ...place, entries: /** @type {import("../state/lane-state.js").Entry[]} */ ([]) };
    made.entries = place.entries.map((e) => ({ ...e, place: made }));
    for (const e of made.entries) copy.index.set(e.id, e);
    copy.places.set(key, made);
  }
  copy.arming = lane.arming ? { ...lane.arming } : null;
  if (copy.arming) copy.index.set(copy.arming.id, copy.arming);
  return copy;
}
