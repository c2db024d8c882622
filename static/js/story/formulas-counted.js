// @ts-check
/**
 * Formulas of wheels that compute the slot of a timer from its delay, counted from the hand or from the
 * start: xiaoxu, godis, lk668 and riicarus. See formulas.js. The packages below wheel/port name the sources.
 */
import { t } from "../core/texts.js";

/** @typedef {import("./facts.js").Facts} Facts */

/**
 * Formats pos = (hand + delay div u) mod n and cycle = delay div (n·u). Since the hand moves after its slot
 * was processed, a repeat is scheduled while the hand is one slot behind.
 * @param {Facts} f @returns {string[]}
 */
export function counted(f) {
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
 * @param {Facts} f @returns {string[]}
 */
export function fromStart(f) {
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
