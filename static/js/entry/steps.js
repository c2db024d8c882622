// @ts-check
/** Where a key leads: the rest frames of ticks, events, and steps, which are the events of one cause. */
import { ROW, cell } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";
import { REST, positionOf, timeOf } from "../picture/scene.js";

/** @typedef {import("../picture/window.js").Window} Window */
/** @typedef {import("../picture/scene.js").Pacing} Pacing */
/** @typedef {{T: number, pacing: Pacing}} Instant */

/** Reports whether row i begins a step: another tick, another position of a hand, or another operation. @param {Window} win @param {number} i */
function beginsStep(win, i) {
  if (i === 0) return true;
  const { rows } = win;
  const [at, before] = [i * ROW, (i - 1) * ROW];
  if (win.tickOf(i) !== win.tickOf(i - 1)) return true;
  const kind = cell(rows, at, "kind");
  if (kind === KIND.hand || kind === KIND.dequeue) return true;
  const [lane, last] = [cell(rows, at, "lane"), cell(rows, before, "lane")];
  if (lane === last && !(isOperation(rows, at) && !continues(win, i))) return false;
  return !inOperation(win, i) || !sameOperation(win, i);
}

/** Reports whether a row is that of a caller's operation. @param {number[]} rows @param {number} at */
function isOperation(rows, at) {
  const kind = cell(rows, at, "kind");
  return (kind === KIND.schedule && cell(rows, at, "run") <= 1) || kind === KIND.cancel || kind === KIND.mark || kind === KIND.miss;
}

/** Returns the row of the operation that row i belongs to, or −1 if it belongs to a visit. @param {Window} win @param {number} i */
function operationOf(win, i) {
  const lane = cell(win.rows, i * ROW, "lane");
  const tick = win.tickOf(i);
  for (let k = i; k >= 0 && win.tickOf(k) === tick && cell(win.rows, k * ROW, "lane") === lane; k--) {
    if (isOperation(win.rows, k * ROW)) return k;
    if (cell(win.rows, k * ROW, "kind") === KIND.hand) return -1;
  }
  return -1;
}

/** @param {Window} win @param {number} i */
const inOperation = (win, i) => operationOf(win, i) >= 0 && operationOf(win, i - 1) >= 0;

/** Reports whether row i belongs to the same operation as the row before it, which is in another lane or the same. @param {Window} win @param {number} i */
function sameOperation(win, i) {
  const [a, b] = [operationOf(win, i), operationOf(win, i - 1)];
  const [x, y] = [cell(win.rows, a * ROW, "id"), cell(win.rows, b * ROW, "id")];
  return cell(win.rows, i * ROW, "lane") >= cell(win.rows, (i - 1) * ROW, "lane") && (x === y || win.name(x) === win.name(y));
}

/** Reports whether the operation in row i continues that of the row before it, as the schedule of a reset does. @param {Window} win @param {number} i */
function continues(win, i) {
  const b = operationOf(win, i - 1);
  return b >= 0 && cell(win.rows, b * ROW, "kind") !== KIND.schedule && win.name(cell(win.rows, b * ROW, "id")) === win.name(cell(win.rows, i * ROW, "id"));
}

/**
 * Returns the instant that a movement leads to.
 * @param {Window} win @param {Instant} from @param {"tick"|"event"|"step"} by @param {1|-1} n @returns {Instant}
 */
export function after(win, from, by, n) {
  const { until } = win.run;
  if (by === "tick") {
    const k = Math.floor(from.T);
    const rest = k + REST;
    const to = n > 0 ? (from.T < rest - 1e-6 ? rest : rest + 1) : from.T > rest + 1e-6 ? rest : rest - 1;
    return { T: to < REST ? 0 : Math.min(to, until + REST), pacing: "tick" };
  }
  const { tick, seq } = positionOf(win, from.T, from.pacing);
  let i = win.upto(seq);
  if (n > 0) {
    if (i >= win.length) return { T: win.end ? until + REST : win.last + 1 + REST, pacing: "tick" };
    i++;
    if (by === "step") while (i < win.length && !beginsStep(win, i)) i++;
  } else {
    if (i === 0) return { T: win.from.tick < 0 ? 0 : win.from.tick - (tick > win.from.tick ? 0 : 1) + REST, pacing: "tick" };
    if (win.tickOf(i - 1) < tick && from.T >= tick) {
      return { T: timeOf(win, win.seqOf(i - 1)), pacing: "event" }; // from a tick without events to the last event
    }
    i--;
    if (by === "step") while (i > 0 && !beginsStep(win, i)) i--;
  }
  return i === 0 ? { T: win.range[0], pacing: "tick" } : { T: timeOf(win, win.seqOf(i - 1)), pacing: "event" };
}
