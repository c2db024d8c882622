// @ts-check
/**
 * Formulas of the structures that keep an order: lists and heaps. What a swap met
 * is not told by its event, so the heap is walked back from where it stands now.
 * Pure.
 */
import { KIND, ROW, cell } from "../protocol.js";
import { t } from "../texts.js";

/** @typedef {import("../narrate.js").Tale} Tale */

/** Why a timer stands where it does in a list or a heap. @param {number[]} rows @param {number} at @param {Tale} tale @returns {string[]} */
export function orderFormulas(rows, at, tale) {
  const lane = cell(rows, at, "lane");
  const kind = cell(rows, at, "kind");
  if (tale.infos[lane].shape === "heap") return kind === KIND.move ? [swapLine(rows, at, tale)].filter(Boolean) : parentLine(rows, at, tale);
  const before = cell(rows, at, "before");
  if (kind !== KIND.place || !before) return [];
  const due = dueOf(before, rows, tale);
  return due === null ? [] : [`${cell(rows, at, "due")} < ${due} (${tale.name(before)})`];
}

/** "parent of index 3 = ⌊(3 − 1) / 2⌋ = 1", where a new timer begins. @param {number[]} rows @param {number} at @param {Tale} tale */
function parentLine(rows, at, tale) {
  const slot = cell(rows, at, "toSlot");
  const { arity } = tale.infos[cell(rows, at, "lane")];
  if (cell(rows, at, "kind") !== KIND.place || slot === 0) return [];
  return [`${t("f.parent", { slot })} = ⌊(${slot} − 1) / ${arity}⌋ = ${Math.floor((slot - 1) / arity)}`];
}

/** "due 4 < due 9 (task3)": the comparison that made a swap. @param {number[]} rows @param {number} at @param {Tale} tale */
function swapLine(rows, at, tale) {
  const other = swappedWith(rows, at, tale);
  const mine = dueOf(cell(rows, at, "id"), rows, tale);
  const its = other ? dueOf(other, rows, tale) : null;
  if (!other || mine === null || its === null) return "";
  const sign = mine < its ? "<" : mine > its ? ">" : "=";
  return `${t("f.due")} ${mine} ${sign} ${t("f.due")} ${its} (${tale.name(other)})`;
}

/**
 * The timer that changed places with that of the move at `at`; 0 where none did or
 * the lane does not tell its timers.
 * @param {number[]} rows @param {number} at @param {Tale} tale
 */
export function swappedWith(rows, at, tale) {
  const index = cell(rows, at, "lane");
  const lane = tale.lanes[index];
  if (lane.mode !== "full") return 0;
  const holds = new Map([...lane.index.values()].filter((e) => e.place).map((e) => [e.place?.slot ?? 0, e.id]));
  for (let back = rows.length - ROW; back > at; back -= ROW) {
    if (cell(rows, back, "lane") === index) undo(holds, rows, back);
  }
  return holds.get(cell(rows, at, "fromSlot")) ?? 0; // after the swap the other stands where this one came from
}

/** Takes one event of a heap back. @param {Map<number, number>} holds index → id @param {number[]} rows @param {number} at */
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

/** @param {Map<number, number>} holds @param {number} slot @param {number|undefined} id */
function set(holds, slot, id) {
  if (id === undefined) holds.delete(slot);
  else holds.set(slot, id);
}

/** A timer's due tick: as it is armed in some lane, or as an event here tells it. @param {number} id @param {number[]} rows @param {Tale} tale @returns {number|null} */
export function dueOf(id, rows, tale) {
  for (const lane of tale.lanes) {
    const entry = lane.index.get(id);
    if (entry) return entry.due;
  }
  for (let at = 0; at < rows.length; at += ROW) {
    if (cell(rows, at, "id") === id && TELLS_DUE.has(cell(rows, at, "kind"))) return cell(rows, at, "due");
  }
  return null;
}

const TELLS_DUE = new Set([KIND.schedule, KIND.place, KIND.cascade, KIND.expire, KIND.reject, KIND.pend]);
