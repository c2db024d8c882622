// @ts-check
/** Converts parsed events of a trace to rows, which fold.js applies. */
import { NO_LEVEL, ROW } from "../js/core/protocol.js";
import { CODES, KIND } from "../js/state/kinds.js";
import { FoldError } from "../js/state/fold.js";

/** Converts a trace event to a row. @param {any} e @returns {number[]} */
export function rowOf(e) {
  const row = new Array(ROW).fill(0);
  const kind = KIND[e.kind];
  if (!kind) throw new FoldError(`no event is of kind ${e.kind}`);
  const at = e.from ?? (FROM_HERE.has(kind) ? e : null);
  const to = e.to ?? (kind === KIND.place ? e : null);
  [row[0], row[1], row[3], row[4]] = [e.seq, e.tick, kind, e.id ?? 0];
  [row[5], row[6]] = at ? [at.level, at.slot ?? e.slots ?? 0] : [NO_LEVEL, 0];
  [row[7], row[8]] = to ? [to.level, to.slot] : [NO_LEVEL, 0];
  row[9] = kind === KIND.hand ? e.count : e.before ?? 0;
  row[10] = kind === KIND.grow || kind === KIND.resize ? e.width : e.got ?? e.key ?? e.rounds ?? -1;
  [row[11], row[12], row[13]] = [e.due ?? e.expect ?? 0, e.run ?? 1, Math.max(0, CODES.indexOf(e.reason ?? e.op ?? e.code ?? (e.key === undefined ? "" : "stale")))];
  return row;
}

/** Kinds of events whose level and slot in a trace become fromLevel and fromSlot of the row. */
const FROM_HERE = new Set([KIND.hand, KIND.grow, KIND.resize, KIND.enqueue, KIND.dequeue]);
