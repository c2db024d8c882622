// @ts-check
/**
 * Pure functions for the formulas of sorted structures: lists and heaps. The event of a swap contains only one
 * of the two timers. The other one is found by undoing the later events of the heap from its current state.
 */
import { ROW, cell } from "../core/protocol.js";
import { KIND, WITH_DUE } from "../state/kinds.js";
import { t } from "../core/texts.js";

/** @typedef {import("./narrate.js").Context} Context */

/** Formats the reasons for a timer's place in a list or a heap. @param {number[]} rows @param {number} at @param {Context} context @returns {string[]} */
export function orderFormulas(rows, at, context) {
  const lane = cell(rows, at, "lane");
  const kind = cell(rows, at, "kind");
  if (context.infos[lane].shape === "heap") return kind === KIND.move ? [swapLine(rows, at, context)].filter(Boolean) : parentLine(rows, at, context);
  const before = cell(rows, at, "before");
  if (kind !== KIND.place || !before) return [];
  const due = dueOf(before, rows, context);
  return due === null ? [] : [`${cell(rows, at, "due")} < ${due} (${context.name(before)})`];
}

/**
 * Formats the parent of a new timer, such as "parent of index 3 = ⌊(3 − 1) / 2⌋ = 1".
 * @param {number[]} rows @param {number} at @param {Context} context
 */
function parentLine(rows, at, context) {
  const slot = cell(rows, at, "toSlot");
  const { arity } = context.infos[cell(rows, at, "lane")];
  if (cell(rows, at, "kind") !== KIND.place || slot === 0) return [];
  return [`${t("f.parent", { slot })} = ⌊(${slot} − 1) / ${arity}⌋ = ${Math.floor((slot - 1) / arity)}`];
}

/**
 * Formats the comparison that caused a swap, such as "due 4 < due 9 (task3)".
 * @param {number[]} rows @param {number} at @param {Context} context
 */
function swapLine(rows, at, context) {
  const other = swappedWith(rows, at, context);
  const mine = dueOf(cell(rows, at, "id"), rows, context);
  const its = other ? dueOf(other, rows, context) : null;
  if (!other || mine === null || its === null) return "";
  const sign = mine < its ? "<" : mine > its ? ">" : "=";
  return `${t("f.due")} ${mine} ${sign} ${t("f.due")} ${its} (${context.name(other)})`;
}

/**
 * Returns the id of the timer that swapped places with the timer of a move event. Returns 0 if there is none, or
 * if the lane's timers are not known.
 * @param {number[]} rows @param {number} at offset of the event's row @param {Context} context
 */
export function swappedWith(rows, at, context) {
  const index = cell(rows, at, "lane");
  const lane = context.lanes[index];
  if (lane.mode !== "full") return 0;
  const holds = new Map([...lane.index.values()].filter((e) => e.place).map((e) => [e.place?.slot ?? 0, e.id]));
  for (let back = rows.length - ROW; back > at; back -= ROW) {
    if (cell(rows, back, "lane") === index) undo(holds, rows, back);
  }
  return holds.get(cell(rows, at, "fromSlot")) ?? 0; // after the swap the other timer is in this one's previous place
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

/**
 * Returns the due tick of a timer, from a lane in which it is scheduled or from one of the events.
 * @param {number} id @param {number[]} rows @param {Context} context @returns {number|null}
 */
export function dueOf(id, rows, context) {
  for (const lane of context.lanes) {
    const entry = lane.index.get(id);
    if (entry) return entry.due;
  }
  for (let at = 0; at < rows.length; at += ROW) {
    if (cell(rows, at, "id") === id && WITH_DUE.has(cell(rows, at, "kind"))) return cell(rows, at, "due");
  }
  return null;
}
