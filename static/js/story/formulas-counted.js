// @ts-check
/**
 * Formulas of the wheels that count slots from their hand: xiaoxu, godis and lk668
 * place by the delay, not by the due tick. See formulas.js and ALGORITHMS in the docs
 * of each (wheel/xiaoxu.go, wheel/godis.go, wheel/lk668.go, wheel/riicarus.go).
 */
import { t } from "../texts.js";

/** @typedef {import("./facts.js").Facts} Facts */

/**
 * pos = (hand + delay div u) mod n, cycle = delay div (n·u). The hand is what the
 * position leaves, so the line is true wherever the hand stands.
 * @param {Facts} f @returns {string[]}
 */
export function counted(f) {
  const delay = f.due - f.now;
  if (delay < 0) return [];
  const ahead = Math.floor(delay / f.unit);
  const hand = (((f.slot - ahead) % f.slots) + f.slots) % f.slots;
  const rounds = Math.floor(delay / (f.slots * f.unit));
  const lines = [`${t("f.slot")} = (${t("f.hand")} + ⌊${delay} / ${f.unit}⌋) mod ${f.slots} = (${hand} + ${ahead}) mod ${f.slots} = ${f.slot}`];
  if (f.rounds === rounds) lines.push(`${t("f.rounds")} = ⌊${delay} / (${f.slots} · ${f.unit})⌋ = ${rounds}`);
  return lines;
}
