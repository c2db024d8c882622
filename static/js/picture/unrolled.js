// @ts-check
/**
 * A wheel unrolled: x is the tick, y the slot, with a band for each level. A timer is a line that ends where the hand,
 * which is a saw-tooth, meets it. A list or a heap shows the position of each timer against time.
 */
import { ROW, cell } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";
import { fix, mod } from "./face.js";
import { originOf } from "./scene.js";

/** @typedef {import("./nodes.js").Node_} Node_ */
/** @typedef {import("./window.js").Window} Window */
/** @typedef {{id: number, level: number, slot: number, from: number, to: number, start: "start"|"drop", end: "fired"|"gone"|"drop"|"move"|"open", passes: number[], drop: {level: number, slot: number}|null}} Stay a timer in one place */

/** Number of timers above which timers that share a slot are one line. */
const LINES_MAX = 30;
/** Number of slots above which rows are not separated. */
const ROWS_MAX = 16;
/** Number of timers of a list or heap whose positions are followed. */
const FOLLOWED_MAX = 60;
/** Number of turns of a hand above which its line is not drawn. */
const TURNS_MAX = 120;

/** Returns the stays of the timers of a lane, and the ticks of its rejections. @param {Window} win @param {number} lane */
function staysOf(win, lane) {
  const { shape } = win.run.lanes[lane];
  const ordered = shape === "list" || shape === "heap";
  return ordered && win.names.size <= FOLLOWED_MAX ? positions(win, lane) : fromEvents(win, lane);
}

/** @param {Window} win @param {number} lane */
function fromEvents(win, lane) {
  const { rows } = win;
  /** @type {Stay[]} */
  const stays = [];
  /** @type {{id: number, tick: number}[]} */
  const rejected = [];
  /** @type {Map<number, Stay>} */
  const open = new Map();
  /** @type {Map<number, number>} */
  const rounds = new Map();
  if (win.from.tick >= 0) for (const { id, level, slot, rounds: left } of win.after(0)[lane].timers.values()) {
    const stay = { id, level, slot, from: win.from.tick, to: win.from.tick, start: /** @type {const} */ ("drop"), end: /** @type {const} */ ("open"), passes: [], drop: null };
    stays.push(stay);
    open.set(id, stay);
    rounds.set(id, left);
  }
  const close = (/** @type {number} */ id, /** @type {number} */ tick, /** @type {Stay["end"]} */ end) => {
    const stay = open.get(id);
    if (!stay) return null;
    Object.assign(stay, { to: tick, end });
    open.delete(id);
    return stay;
  };
  for (let i = 0; i < win.length; i++) {
    const at = i * ROW;
    if (cell(rows, at, "lane") !== lane) continue;
    const kind = cell(rows, at, "kind");
    const id = cell(rows, at, "id");
    const tick = cell(rows, at, "tick");
    if (kind === KIND.place || kind === KIND.cascade) {
      const [level, slot] = [cell(rows, at, "toLevel"), cell(rows, at, "toSlot")];
      const before = close(id, tick, kind === KIND.cascade ? "drop" : "move");
      if (before && kind === KIND.cascade) before.drop = { level, slot };
      const stay = { id, level, slot, from: tick, to: tick, start: /** @type {Stay["start"]} */ (kind === KIND.cascade ? "drop" : "start"), end: /** @type {const} */ ("open"), passes: [], drop: null };
      stays.push(stay);
      open.set(id, stay);
      if (kind === KIND.place) rounds.set(id, cell(rows, at, "x"));
    } else if (kind === KIND.hand && cell(rows, at, "before") > 0) {
      const [level, slot] = [cell(rows, at, "fromLevel"), cell(rows, at, "fromSlot")];
      for (const stay of open.values()) {
        if (stay.level !== level || stay.slot !== slot || !(/** @type {number} */ (rounds.get(stay.id)) > 0)) continue;
        stay.passes.push(tick);
        rounds.set(stay.id, /** @type {number} */ (rounds.get(stay.id)) - 1);
      }
    } else if (kind === KIND.expire) close(id, tick, "fired");
    else if (kind === KIND.cancel || kind === KIND.sweep) close(id, tick, "gone");
    else if (kind === KIND.reject) rejected.push({ id, tick });
    else if (kind === KIND.move) swap(open, stays, rows, at, tick);
  }
  for (const stay of open.values()) stay.to = win.last + 1;
  return { stays, rejected };
}

/** Follows the exchange of two nodes of a heap. @param {Map<number, Stay>} open @param {Stay[]} stays @param {number[]} rows @param {number} at @param {number} tick */
function swap(open, stays, rows, at, tick) {
  const [level, from, to] = [cell(rows, at, "fromLevel"), cell(rows, at, "fromSlot"), cell(rows, at, "toSlot")];
  const [a, b] = [from, to].map((slot) => [...open.values()].find((s) => s.level === level && s.slot === slot));
  for (const [stay, slot] of /** @type {[Stay|undefined, number][]} */ ([[a, to], [b, from]])) {
    if (!stay) continue;
    Object.assign(stay, { to: tick, end: "move" });
    const next = { ...stay, slot, from: tick, to: tick, start: /** @type {const} */ ("start"), end: /** @type {const} */ ("open"), passes: [] };
    stays.push(next);
    open.set(stay.id, next);
  }
}

/** Follows the positions of the timers of a list or heap from tick to tick. @param {Window} win @param {number} lane */
function positions(win, lane) {
  const { rejected, stays: all } = fromEvents(win, lane);
  const heap = win.run.lanes[lane].shape === "heap";
  /** @type {Stay[]} */
  const stays = [];
  /** @type {Map<number, Stay>} */
  const open = new Map();
  let n = 0;
  while (n < win.length) {
    const tick = win.tickOf(n);
    n = win.through(tick);
    const { timers } = win.after(n)[lane];
    for (const [id, stay] of open) {
      const at = timers.get(id);
      const slot = at ? (heap ? at.slot : at.index) : -1;
      if (slot === stay.slot) continue;
      const ended = at ? null : all.findLast((s) => s.id === id);
      Object.assign(stay, { to: tick, end: at ? "move" : ended?.end ?? "gone" });
      open.delete(id);
    }
    for (const [id, at] of timers) {
      if (open.has(id)) continue;
      const stay = { id, level: 0, slot: heap ? at.slot : at.index, from: tick, to: tick, start: /** @type {const} */ ("start"), end: /** @type {const} */ ("open"), passes: [], drop: null };
      stays.push(stay);
      open.set(id, stay);
    }
  }
  for (const stay of open.values()) stay.to = win.last + 1;
  return { stays, rejected };
}

/** Returns the T at the left and at the right edge of a diagram. @param {Window} win @returns {[number, number]} */
const edges = (win) => [Math.max(0, win.from.tick), win.last + 1];
/** Returns the x of T in a diagram. @param {Window} win @param {number} wide @param {number} T */
function xOf(win, wide, T) {
  const [from, to] = edges(win);
  return ((T - from) / (to - from)) * wide;
}
/** Returns the T at x in a diagram. @param {Window} win @param {number} wide @param {number} x */
export function timeAt(win, wide, x) {
  const [from, to] = edges(win);
  return from + (x / wide) * (to - from);
}

/**
 * Draws the diagram of a lane, without the mark of the present. It does not depend on T.
 * @param {Window} win @param {number} lane @param {number} wide in pixels @param {number} high in pixels @param {number} hot first id of the timer that is lit, or 0
 * @returns {Node_[]}
 */
export function unrolled(win, lane, wide, high, hot) {
  const info = win.run.lanes[lane];
  const { stays, rejected } = staysOf(win, lane);
  const last = win.after(win.length)[lane].levels.filter(([l]) => l >= 0);
  const ordered = info.shape === "list" || info.shape === "heap";
  const used = Math.max(0, ...stays.map((s) => s.level));
  const bands = ordered ? [{ slots: Math.max(1, ...stays.map((s) => s.slot + 1)), width: 0 }] : last.slice(0, used + 1).map(([, slots, width]) => ({ slots, width }));
  if (bands.length === 0) return [];
  const [top, gap] = [12, 6];
  const tall = (high - top - 4 - gap * (bands.length - 1)) / bands.length;
  const bandTop = (/** @type {number} */ l) => top + (bands.length - 1 - l) * (tall + gap);
  const slotsOf = (/** @type {number} */ l) => (info.shape === "slices" ? 60 : bands[l].slots);
  const Y = (/** @type {number} */ l, /** @type {number} */ p) => fix(bandTop(l) + tall - ((p + 0.5) / slotsOf(l)) * tall);
  const X = (/** @type {number} */ T) => fix(xOf(win, wide, T));
  /** @type {Node_[]} */
  const nodes = [];
  const origin = originOf(win, lane);
  const [begin, finish] = edges(win);
  bands.forEach(({ slots, width }, l) => {
    nodes.push(["rect", { class: "band", x: 0, y: fix(bandTop(l)), width: wide, height: fix(tall), rx: 2 }]);
    if (!ordered && slots <= ROWS_MAX) for (let r = 1; r < slots; r++) nodes.push(["line", { class: "row", x1: 0, x2: wide, y1: fix(bandTop(l) + (r * tall) / slots), y2: fix(bandTop(l) + (r * tall) / slots) }]);
    const turn = slots * width;
    if (ordered || turn <= 0 || (finish - begin) / turn > TURNS_MAX || info.shape === "slices") return;
    let saw = "";
    for (let t = begin - mod(origin + begin, turn); t < finish; t += turn) {
      const [a, b] = [Math.max(t, begin), Math.min(t + turn, finish)];
      if (b > a) saw += `M${X(a)} ${Y(l, (a - t) / width - 0.5)}L${X(b)} ${Y(l, (b - t) / width - 0.5)}`;
    }
    nodes.push(["path", { class: "saw", d: saw }]);
  });
  nodes.push(...lines(win, stays, finish, X, (l, s) => Y(Math.min(Math.max(l, 0), bands.length - 1), info.shape === "slices" ? s % 60 : s), hot));
  for (const { id, tick } of rejected) nodes.push(["path", { class: lit(win, id, hot, "x"), d: cross(X(tick + 0.5), 6) }]);
  return nodes;
}

/** @param {Window} win @param {number} id @param {number} hot @param {string} name */
const lit = (win, id, hot, name) => (hot === 0 ? name : win.first(id) === hot ? `${name} hot` : `${name} pale`);
/** @param {number} x @param {number} y */
const cross = (x, y) => `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`;

/** @param {Window} win @param {Stay[]} stays @param {number} finish T at the right edge @param {(T: number) => number} X @param {(level: number, slot: number) => number} Y @param {number} hot @returns {Node_[]} */
function lines(win, stays, finish, X, Y, hot) {
  const many = new Set(stays.map((s) => s.id)).size > LINES_MAX;
  /** @type {Node_[][]} */
  const layers = [[], [], [], []];
  /** @type {Map<string, {stay: Stay, count: number}>} */
  const groups = new Map();
  stays.forEach((stay, i) => {
    const key = many ? `${stay.level}/${stay.slot}/${stay.from}` : String(i);
    const group = groups.get(key);
    if (!group) groups.set(key, { stay: { ...stay }, count: 1 });
    else [group.count, group.stay.to] = [group.count + 1, Math.max(group.stay.to, stay.to)];
  });
  /** @type {Map<string, {off: number, from: number, to: number}[]>} */
  const taken = new Map();
  for (const { stay, count } of groups.values()) {
    const row = taken.get(`${stay.level}/${stay.slot}`) ?? [];
    taken.set(`${stay.level}/${stay.slot}`, row);
    let off = 0;
    while (!many && row.some((r) => r.off === off && r.from < stay.to && r.to > stay.from)) off++;
    row.push({ off, from: stay.from, to: stay.to });
    const y = fix(Y(stay.level, stay.slot) + (off ? (off % 2 ? 3.4 : -3.4) * Math.ceil(off / 2) : 0));
    const [x1, x2] = [X(stay.from + 0.5), X(Math.min(stay.to + 0.5, finish))];
    const colour = many && count > 1 ? "bunch" : `c${win.colour(stay.id)}`;
    const width = count > 1 ? fix(2 + Math.log2(count)) : undefined;
    layers[0].push(["line", { class: lit(win, stay.id, hot, "outline"), x1, y1: y, x2, y2: y, "stroke-width": width ? width + 1 : undefined }],
      ["line", { class: lit(win, stay.id, hot, `wait ${colour}`), x1, y1: y, x2, y2: y, "stroke-width": width, "data-count": count > 1 ? count : undefined, "data-id": count > 1 ? undefined : stay.id }]);
    if (stay.drop) {
      const to = Y(stay.drop.level, stay.drop.slot);
      layers[1].push(["line", { class: lit(win, stay.id, hot, "drop"), x1: x2, y1: y, x2, y2: to }], ["path", { class: lit(win, stay.id, hot, "drophead"), d: `M${x2} ${to - 3}l-4 -6h8z` }]);
    }
    for (const tick of stay.passes) layers[2].push(["line", { class: lit(win, stay.id, hot, "pass"), x1: X(tick + 0.5), x2: X(tick + 0.5), y1: y - 5, y2: y + 5 }]);
    if (many) continue;
    if (stay.start === "start") layers[3].push(["circle", { class: lit(win, stay.id, hot, `start ${colour}`), cx: x1, cy: y, r: 3.6 }]);
    if (stay.end === "fired") layers[3].push(["circle", { class: lit(win, stay.id, hot, "end"), cx: x2, cy: y, r: 4.2 }]);
    if (stay.end === "gone") layers[3].push(["path", { class: lit(win, stay.id, hot, "x"), d: cross(x2, y) }]);
  }
  return layers.flat();
}

/** Draws the present in a diagram. @param {Window} win @param {number} T @param {number} wide @param {number} high @returns {Node_[]} */
export function present(win, T, wide, high) {
  const x = fix(xOf(win, wide, T));
  return [["rect", { class: "future", x: fix(x + 6), y: 0, width: fix(Math.max(0, wide - x - 6)), height: high }], ["line", { class: "cursor", x1: x, x2: x, y1: 0, y2: high }]];
}
