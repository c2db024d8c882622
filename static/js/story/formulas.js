// @ts-check
/**
 * Formats the formulas by which a lane chose the place of a timer, with the numbers of the event. The trait
 * `formula` of an algorithm selects the function. A formula is omitted if its result differs from the event, as
 * after a stall, because it does not apply then. The pages of the algorithms name the sources.
 */
import { COL, ROW, cell } from "../core/protocol.js";
import { t } from "../core/texts.js";
import { traitsOf } from "../state/traits.js";
import { KIND, WITH_DUE } from "../state/kinds.js";

/**
 * Functions that format the formulas, by the value of the trait. Empty lines are omitted.
 * @type {Record<string, (f: Placement) => string[]>}
 */
const FORMULAS = {
  rounds: (f) => (f.params.variant === "procinc" ? counted(f) : [ringSlot(f), roundsLine(f)]),
  hierarchical: (f) => [...hierarchicalLevel(f), ringSlot(f) || roundedSlot(f)],
  kafka: kafkaLines,
  netty: nettyLines,
  linux: (f) => [linuxLevel(f), ...linuxSlot(f)],
  "linux-classic": (f) => [classicLevel(f), classicSlot(f)],
  tokio: bitsLine,
  hand: counted, start: fromStart,
  floor: (f) => [floorSlot(f, f.due, shown(f, f.due))],
  own: (f) => [floorSlot(f, f.due - f.start, String(f.due - f.start))],
};

/** Values of the trait `formula` for which ringSlot does not apply, since the slot depends on the delay. */
const COUNTED = new Set(["hand", "start"]);

/**
 * Returns the formulas that determine the timer's place after an event, or none if there is no formula.
 * @param {StoryEvent} e @returns {string[]}
 */
export function formulas(e) {
  const f = placementOf(e);
  if (!f) return e.info.shape === "ring" ? [] : orderFormulas(e);
  const { formula = "" } = traitsOf(f.algorithm);
  const lines = FORMULAS[formula]?.(f).filter((line) => line) ?? [];
  return lines.length > 0 || COUNTED.has(formula) ? lines : [ringSlot(f)].filter((line) => line);
}

/**
 * Formats slot = ⌊due / width⌋ mod slots. Returns "" if that is not the slot of the event.
 * @param {Placement} f
 */
function ringSlot(f) {
  const e = dueIn(f);
  const wide = f.width / f.unit;
  if (Math.floor(e / wide) % f.slots !== f.slot) return "";
  const dividend = wide === 1 ? dueTicks(f) : `⌊${dueTicks(f)} / ${wide}⌋`;
  const whole = wide === 1 && f.unit === 1 && f.start === 0;
  return `${t("f.slot")} = ${whole ? `${t("f.due")} mod ${f.slots} = ` : ""}${dividend} mod ${f.slots} = ${f.slot}`;
}

/**
 * Formats slot = ⌊due / width⌋ mod slots of a wheel that rounds down. Returns "" if that is not the slot of the event.
 * @param {Placement} f @param {number} due @param {string} text due as the formula shows it
 */
function floorSlot(f, due, text) {
  if (Math.floor(due / f.unit) % f.slots !== f.slot) return "";
  return `${t("f.slot")} = ${f.unit === 1 ? text : `⌊${text} / ${f.unit}⌋`} mod ${f.slots} = ${f.slot}`;
}

/**
 * Formats rounds = (j − 1) div slots, where j is the delay in ticks. In the naive variant it is j div slots.
 * @param {Placement} f
 */
function roundsLine(f) {
  const j = dueIn(f) - clockIn(f);
  const naive = f.params.variant === "naive";
  if (Math.floor((naive ? j : j - 1) / f.slots) !== f.rounds) return "";
  const ahead = f.unit === 1 && f.start === 0 ? `${f.due} − ${f.now}` : String(j);
  return `${t("f.rounds")} = ${naive ? `(${ahead})` : `(${ahead} − 1)`} div ${f.slots} = ${f.rounds}`;
}

/**
 * Formats why the level of a hierarchical wheel was chosen, by the rule that the parameter `placement` selects.
 * @param {Placement} f @returns {string[]}
 */
function hierarchicalLevel(f) {
  if (f.levels.length < 2) return [];
  return f.params.placement === "digits" ? [digitsLine(f)] : [tooFar(f), reaches(f)];
}

/**
 * Returns the index of the slot that contains a tick, before it is reduced modulo the number of slots.
 * @param {Placement} f @param {number} ticks the tick, in wheel ticks
 * @param {number} width width of a slot, in base ticks
 */
function indexOn({ unit }, ticks, width) {
  return Math.floor(ticks / (width / unit));
}

/**
 * Formats why the range of the level below is too short, such as "level 0: 4 − 0 = 4 ≥ 3".
 * @param {Placement} f
 */
function tooFar(f) {
  const below = f.levels[f.level - 1];
  if (!below) return "";
  const apart = indexOn(f, dueIn(f), below[2]) - indexOn(f, clockIn(f), below[2]);
  return apart >= below[1] ? `${t("f.level", { level: below[0] })}: ${distance(f, below)} = ${apart} ≥ ${below[1]}` : "";
}

/**
 * Formats why the range of the level is sufficient, such as "level 1: ⌊4 / 3⌋ − ⌊0 / 3⌋ = 1 < 3".
 * @param {Placement} f
 */
function reaches(f) {
  const apart = indexOn(f, dueIn(f), f.width) - indexOn(f, clockIn(f), f.width);
  return apart >= 0 && apart < f.slots ? `${t("f.level", { level: f.level })}: ${distance(f, f.levels[f.level])} = ${apart} < ${f.slots}` : "";
}

/** Formats the distance from the clock to the due tick, in slots of a level. @param {Placement} f @param {number[]} level */
function distance(f, [, , width]) {
  const wide = width / f.unit;
  const c = f.unit === 1 ? shown(f, f.now) : String(clockIn(f));
  return wide === 1 ? `${dueTicks(f)} − ${c}` : `⌊${dueTicks(f)} / ${wide}⌋ − ⌊${c} / ${wide}⌋`;
}

/** Formats the highest digit that differs, such as "level 1: ⌊4 / 3⌋ = 1 ≠ ⌊2 / 3⌋ = 0". @param {Placement} f */
function digitsLine(f) {
  const [due, now] = [dueIn(f), clockIn(f)];
  const differ = (/** @type {number} */ width) => indexOn(f, due, width) !== indexOn(f, now, width);
  if (f.levels.some(([level, , width]) => level > f.level && differ(width)) || (f.level > 0 && !differ(f.width))) return "";
  if (f.level === 0) return "";
  const wide = f.width / f.unit;
  return `${t("f.level", { level: f.level })}: ⌊${dueTicks(f)} / ${wide}⌋ = ${indexOn(f, due, f.width)} ≠ ⌊${clockIn(f)} / ${wide}⌋ = ${indexOn(f, now, f.width)}`;
}

/**
 * Rounding functions of Nichols' variants, and their symbols.
 * @type {Record<string, {of: (x: number) => number, signs: [string, string]}>}
 */
const ROUNDING = {
  ceil: { of: Math.ceil, signs: ["⌈", "⌉"] },
  nearest: { of: (x) => Math.floor(x + 0.5), signs: ["[", "]"] },
};

/**
 * Formats slot = ⌈due / width⌉ mod slots, or the same with rounding to the nearest integer, as the parameter
 * `round` selects. Returns "" if that is not the slot of the event.
 * @param {Placement} f
 */
function roundedSlot(f) {
  const rule = ROUNDING[f.params.round];
  const wide = f.width / f.unit;
  const index = rule?.of(dueIn(f) / wide);
  if (!rule || index % f.slots !== f.slot) return "";
  return `${t("f.slot")} = ${rule.signs[0]}${dueTicks(f)} / ${wide}${rule.signs[1]} mod ${f.slots} = ${index} mod ${f.slots} = ${f.slot}`;
}

/** Formats v = due div width, the slot v mod n, and the tick of the bucket. @param {Placement} f @returns {string[]} */
function kafkaLines(f) {
  const v = Math.floor(f.due / f.width);
  if (v % f.slots !== f.slot) return [];
  return [
    kafkaLevel(f),
    `v = ⌊${shown(f, f.due)} / ${f.width}⌋ = ${v}, ${t("f.slot")} = ${v} mod ${f.slots} = ${f.slot}`,
    `${t("f.bucket")} = ${v} · ${f.width} = ${v * f.width}`,
  ];
}

/**
 * Formats the lowest level whose range, counted from the wheel's own clock, contains the due tick. That clock
 * is known only after a dequeue event.
 * @param {Placement} f
 */
function kafkaLevel(f) {
  const c = f.dequeued - (f.dequeued % f.width);
  const reach = c + f.width * f.slots;
  return f.dequeued >= 0 && f.due < reach ? `${t("f.level", { level: f.level })}: ${shown(f, f.due)} < ${c} + ${f.width} · ${f.slots} = ${reach}` : "";
}

/** Formats calc, rounds and slot as computed by HashedWheelTimer in tick k. @param {Placement} f @returns {string[]} */
function nettyLines(f) {
  const calc = Math.trunc((f.due - f.start) / f.unit);
  const k = Math.floor((f.now - f.start) / f.unit) - 1;
  const slot = Math.max(calc, k) % f.slots;
  if (slot !== f.slot || Math.trunc((calc - k) / f.slots) !== f.rounds) return [];
  return [
    `calc = ⌊${f.due - f.start} / ${f.unit}⌋ = ${calc}`,
    `${t("f.rounds")} = (${calc} − ${k}) div ${f.slots} = ${f.rounds}`,
    `${t("f.slot")} = max(${calc}, ${k}) & ${f.slots - 1} = ${slot}`,
  ];
}

/**
 * Formats pos = (hand + delay div u) mod n and cycle = delay div (n·u). Since the hand moves after its slot
 * was processed, a repeat is scheduled while the hand is one slot behind.
 * @param {Placement} f @returns {string[]}
 */
function counted(f) {
  const delay = f.due - f.now;
  if (delay < 0) return [];
  const ahead = Math.floor(delay / f.unit);
  const worked = Math.floor((f.now - f.start) / f.unit);
  const hand = [worked, worked - 1].map((n) => ((n % f.slots) + f.slots) % f.slots).find((h) => (h + ahead) % f.slots === f.slot);
  if (hand === undefined) return [];
  const rounds = Math.floor(delay / (f.slots * f.unit));
  const lines = [`${t("f.slot")} = (${t("f.hand")} + ⌊${t("f.delay")} / ${f.unit}⌋) mod ${f.slots} = (${hand} + ⌊${delay} / ${f.unit}⌋) mod ${f.slots} = ${f.slot}`];
  if (f.rounds === rounds) lines.push(`${t("f.rounds")} = ⌊${delay} / (${f.slots} · ${f.unit})⌋ = ${rounds}`);
  return lines;
}

/**
 * Formats, for riicarus, bucket = (dfs mod span) div u and round = dfs div span. dfs is the distance of the
 * due tick from the scenario's start or, if the fault "delay-from-now" is enabled, from the current tick.
 * @param {Placement} f @returns {string[]}
 */
function fromStart(f) {
  const span = f.slots * f.unit;
  for (const [origin, from] of [[f.start, 0], [f.now, f.now - f.start]]) {
    const dfs = f.due - origin;
    if (Math.floor((dfs % span) / f.unit) !== f.slot || Math.floor(dfs / span) !== f.rounds) continue;
    const delay = `${f.due - f.start} − ${from}`;
    return [
      `${t("f.slot")} = ⌊((${delay}) mod ${span}) / ${f.unit}⌋ = ${f.slot}`,
      `${t("f.rounds")} = ⌊(${delay}) / ${span}⌋ = ${f.rounds}`,
    ];
  }
  return [];
}

/**
 * Returns the minimum delay, in ticks, for a level of the Linux wheel: 0, 63, 504, … (LVL_START).
 * @param {number} level
 */
function linuxStart(level) {
  return level === 0 ? 0 : 63 * 8 ** (level - 1);
}

/** Formats why the level was chosen, such as "level 2: 504 ≤ 640 − 0 = 640 < 4032". @param {Placement} f */
function linuxLevel(f) {
  return span(f, linuxStart(f.level), f.level === f.levels.length - 1 ? Infinity : linuxStart(f.level + 1));
}

/** Formats the slot, and the tick at which it is processed. @param {Placement} f @returns {string[]} */
function linuxSlot(f) {
  const q = Math.floor(f.due / f.width) + 1;
  if (q % f.slots !== f.slot) return [];
  const at = q * f.width;
  return [
    `${t("f.slot")} = (⌊${shown(f, f.due)} / ${f.width}⌋ + 1) & 63 = ${q} & 63 = ${f.slot}`,
    `${t("f.fires")} = ${q} · ${f.width} = ${at - f.start === at ? at : shown(f, at)}`,
  ];
}

/** Returns the minimum delay, in ticks, for a level of the classic Linux wheel: 0, 2^8, 2^14, 2^20, 2^26. @param {number} level */
function classicStart(level) {
  return level === 0 ? 0 : 2 ** (2 + 6 * level);
}

/** Formats why the level was chosen, such as "level 1: 256 ≤ 640 − 0 = 640 < 16384". @param {Placement} f */
function classicLevel(f) {
  return span(f, classicStart(f.level), f.level === 4 ? Infinity : classicStart(f.level + 1));
}

/** Formats the slot in the classic Linux wheel: slot = (due >> shift) & mask. @param {Placement} f */
function classicSlot(f) {
  const shift = Math.log2(f.width);
  if (Math.floor(f.due / f.width) % f.slots !== f.slot) return "";
  return `${t("f.slot")} = (${shown(f, f.due)} >> ${shift}) & ${f.slots - 1} = ${f.slot}`;
}

/**
 * Formats the inequality by which the level was chosen, such as "level 2: 504 ≤ 640 − 0 = 640 < 4032". Returns ""
 * if it does not hold.
 * @param {Placement} f @param {number} least minimum delay @param {number} past the delay must be less; may be Infinity
 */
function span(f, least, past) {
  const d = f.due - f.now;
  if (d < least || d >= past) return "";
  const upper = past === Infinity ? "" : ` < ${past}`;
  return `${t("f.level", { level: f.level })}: ${least} ≤ ${f.due - f.start} − ${f.now - f.start} = ${d}${upper}`;
}

/**
 * Formats, for tokio, the level, which is the highest six-bit digit in which the due tick and the clock differ,
 * and the slot.
 * @param {Placement} f @returns {string[]}
 */
function bitsLine(f) {
  const shift = 6 * f.level;
  if (Math.floor(f.due / f.width) % 64 !== f.slot) return [];
  return [bitsLevel(f), `${t("f.slot")} = (${shown(f, f.due)} >> ${shift}) & 63 = ${f.slot}`];
}

/** Formats, for tokio, the level: the highest bit in which the due tick and the clock differ, div 6. @param {Placement} f */
function bitsLevel(f) {
  const differ = BigInt(f.now) ^ BigInt(f.due); // BigInt, since ^ on numbers would truncate to 32 bits
  const top = (differ | 63n).toString(2).length - 1;
  if (Math.floor(top / 6) !== f.level) return "";
  return `${t("f.level.is")} = ${t("f.topbit")}((${shown(f, f.now)} xor ${shown(f, f.due)}) | 63) div 6 = ${top} div 6 = ${f.level}`;
}

/**
 * @typedef {import("./event.js").StoryEvent} StoryEvent
 *
 * @typedef {object} Placement
 * @property {string} algorithm @property {Record<string, any>} params
 * @property {number} kind
 * @property {number} start absolute tick of the scenario's start
 * @property {number} now absolute tick of the event
 * @property {number} due absolute due tick @property {number} unit length of a wheel tick, in base ticks
 * @property {number} level level of the timer's new place @property {number} slot slot of that place
 * @property {number} slots number of slots of that level @property {number} width width of its slots, in base ticks
 * @property {number} rounds rounds of the timer, or −1 if there are none
 * @property {number[][]} levels [level, slots, width], finest first
 * @property {number} dequeued absolute due tick of the bucket that was last taken from the delay queue; −1 if
 *   there is none
 */

/** Returns the placement by an event, or null if the event does not put a timer into a ring. @param {StoryEvent} e @returns {Placement|null} */
function placementOf(e) {
  const { kind, levels, context: { start }, info: { shape, algorithm, params = {} } } = e;
  const [level, slots, width] = levels.find(([n]) => n === e.toLevel) ?? [-1, 0, 0];
  if (shape !== "ring" || level < 0) return null;
  return {
    algorithm, params, kind, start, now: start + e.tick, due: start + e.due, unit: Number(params.width ?? 1),
    level, slot: e.toSlot, slots, width, rounds: kind === KIND.place ? e.x : -1,
    levels: levels.filter(([n]) => n >= 0), dequeued: dequeued(e),
  };
}

/**
 * Returns the absolute due tick of the bucket in the previous dequeue event of the same lane, or −1 if there
 * is none.
 * @param {StoryEvent} e
 */
function dequeued({ rows, at, lane, context }) {
  for (let back = at - ROW; back >= 0; back -= ROW) {
    if (rows[back + COL.lane] === lane && rows[back + COL.kind] === KIND.dequeue) return context.start + rows[back + COL.due];
  }
  return -1;
}

/**
 * Formats an absolute tick as "(start + offset)", or as a number if the start is 0.
 * @param {Placement} f @param {number} absolute
 */
function shown({ start }, absolute) {
  return start === 0 ? String(absolute) : `(${start} + ${absolute - start})`;
}

/** Formats the computation of the due tick in wheel ticks, such as "4" or "⌈25 / 10⌉". @param {Placement} f */
function dueTicks(f) {
  if (f.unit === 1) return shown(f, f.due);
  return f.params.rounding === "floor" ? `⌊${shown(f, f.due)} / ${f.unit}⌋` : `⌈${shown(f, f.due)} / ${f.unit}⌉`;
}

/** Returns the due tick, in wheel ticks. @param {Placement} f */
function dueIn({ due, unit, params }) {
  return params.rounding === "floor" ? Math.floor(due / unit) : Math.ceil(due / unit);
}

/** Returns the clock of the wheel, in wheel ticks. @param {Placement} f */
function clockIn({ now, unit }) {
  return Math.floor(now / unit);
}

/** Formats the reasons for a timer's place in a list or a heap. @param {StoryEvent} e @returns {string[]} */
function orderFormulas(e) {
  const { kind, before, due } = e;
  if (e.info.shape === "heap") return kind === KIND.move ? [swapLine(e)].filter(Boolean) : parentLine(e);
  const next = kind === KIND.place && before ? dueOf(e, before) : null;
  return next === null ? [] : [`${due} < ${next} (${e.context.name(before)})`];
}

/** Formats the parent of a new timer, such as "parent of index 3 = ⌊(3 − 1) / 2⌋ = 1". @param {StoryEvent} e */
function parentLine({ kind, toSlot: slot, info: { arity } }) {
  if (kind !== KIND.place || slot === 0) return [];
  return [`${t("f.parent", { slot })} = ⌊(${slot} − 1) / ${arity}⌋ = ${Math.floor((slot - 1) / arity)}`];
}

/** Formats the comparison that caused a swap, such as "due 4 < due 9 (task3)". @param {StoryEvent} e */
function swapLine(e) {
  const other = swappedWith(e);
  const mine = dueOf(e, e.id);
  const its = other ? dueOf(e, other) : null;
  if (!other || mine === null || its === null) return "";
  const sign = mine < its ? "<" : mine > its ? ">" : "=";
  return `${t("f.due")} ${mine} ${sign} ${t("f.due")} ${its} (${e.context.name(other)})`;
}

/**
 * Returns the id of the timer that swapped places with the timer of a move event. Returns 0 if there is none, or
 * if the lane's timers are not known.
 * @param {StoryEvent} e
 */
export function swappedWith({ rows, at, lane: index, fromSlot, context }) {
  const lane = context.lanes[index];
  if (lane.mode !== "full") return 0;
  const holds = new Map([...lane.index.values()].filter((e) => e.place).map((e) => [e.place?.slot ?? 0, e.id]));
  for (let back = rows.length - ROW; back > at; back -= ROW) {
    if (cell(rows, back, "lane") === index) undo(holds, rows, back);
  }
  return holds.get(fromSlot) ?? 0; // after the swap the other timer is in this one's previous place
}

/**
 * Undoes one event of a heap.
 * @param {Map<number, number>} holds ids of the timers, by index @param {number[]} rows @param {number} at
 */
function undo(holds, rows, at) {
  const [from, to, id] = [cell(rows, at, "fromSlot"), cell(rows, at, "toSlot"), cell(rows, at, "id")];
  switch (cell(rows, at, "kind")) {
    case KIND.move: {
      const [a, b] = [holds.get(from), holds.get(to)];
      set(holds, from, b);
      set(holds, to, a);
      return;
    }
    case KIND.place: holds.delete(to); return;
    case KIND.expire: case KIND.cancel: case KIND.sweep: holds.set(from, id);
  }
}

/**
 * Sets the timer at an index of the heap, or removes it if id is undefined.
 * @param {Map<number, number>} holds @param {number} slot @param {number|undefined} id
 */
function set(holds, slot, id) {
  if (id === undefined) holds.delete(slot);
  else holds.set(slot, id);
}

/** Returns the due tick of a timer, from a lane in which it is scheduled or from one of the events of the story. @param {StoryEvent} e @param {number} id @returns {number|null} */
export function dueOf({ rows, context }, id) {
  for (const lane of context.lanes) {
    const entry = lane.index.get(id);
    if (entry) return entry.due;
  }
  for (let at = 0; at < rows.length; at += ROW) {
    if (cell(rows, at, "id") === id && WITH_DUE.has(cell(rows, at, "kind"))) return cell(rows, at, "due");
  }
  return null;
}
