// @ts-check
/**
 * Sentences about events: what happened, and the formula. Pure: takes rows and the lanes'
 * data, and returns text. step.js creates the story of a whole step.
 */
import { CODES, KIND, NO_LEVEL, cell } from "../core/protocol.js";
import { placeName } from "../state/words.js";
import { duration } from "../core/times.js";
import { formulas } from "./formulas.js";
import { t } from "../core/texts.js";

/**
 * @typedef {object} Tale what a sentence needs in addition to its row
 * @property {import("../state/store.js").LaneInfo[]} infos
 * @property {import("../state/lane-state.js").Lane[]} lanes
 * @property {(id: number) => string} name
 * @property {number} start absolute tick of the scenario's start
 * @property {string} length of a base tick
 * @property {import("../state/activity.js").Activity[]|null} [did] the lanes' activity, if rows do not contain all of it
 * @property {number[]} [rows] all rows described together
 */

/** Describes one event. @param {number[]} rows @param {number} at @param {Tale} tale @returns {string} */
export function sentence(rows, at, tale) {
  const kind = cell(rows, at, "kind");
  const name = tale.name(cell(rows, at, "id"));
  const due = cell(rows, at, "due");
  const code = CODES[cell(rows, at, "code")];
  switch (kind) {
    case KIND.schedule: {
      const run = cell(rows, at, "run");
      return run > 1 ? t("tell.repeat", { name, run, due }) : t("tell.schedule", { name, due });
    }
    case KIND.reject: return t(`tell.reject.${code}`, { name, due });
    case KIND.miss: return t("tell.miss", { op: t(`op.${code}`), name });
    case KIND.pend: return t("tell.pend", { name });
    case KIND.place: return placeSentence(rows, at, tale);
    case KIND.cascade: return cascadeSentence(rows, at, tale);
    case KIND.move: return t("tell.move", { name, from: from(rows, at, tale), to: to(rows, at, tale) });
    case KIND.hand: return handSentence(rows, at, tale);
    case KIND.cancel: return t("tell.cancel", { name, place: from(rows, at, tale) });
    case KIND.mark: return t("tell.mark", { name });
    case KIND.sweep: return t("tell.sweep", { name });
    case KIND.expire: return expireSentence(rows, at, tale);
    case KIND.grow: return t("tell.grow", { level: cell(rows, at, "fromLevel"), width: duration(cell(rows, at, "x"), tale.length) });
    case KIND.enqueue: return t("tell.enqueue", { place: from(rows, at, tale), due });
    case KIND.resize: return t("tell.resize", { slots: cell(rows, at, "fromSlot"), width: duration(cell(rows, at, "x"), tale.length) });
    case KIND.dequeue: return t("tell.dequeue", { place: from(rows, at, tale) });
    default: return t("tell.finding", { code, expect: due, got: cell(rows, at, "x") });
  }
}

/** @param {number[]} rows @param {number} at @param {Tale} tale */
function placeSentence(rows, at, tale) {
  const lane = cell(rows, at, "lane");
  const name = tale.name(cell(rows, at, "id"));
  const before = cell(rows, at, "before");
  if (tale.infos[lane].shape === "list") {
    return before ? t("tell.place.before", { name, before: tale.name(before) }) : t("tell.place.tail", { name });
  }
  const place = to(rows, at, tale);
  const why = formula(rows, at, tale);
  const rounds = cell(rows, at, "x");
  if (!why) return t("tell.place.plain", { name, place });
  return rounds > 0 ? t("tell.place.rounds", { name, place, rounds, why }) : t("tell.place", { name, place, why });
}

/** @param {number[]} rows @param {number} at @param {Tale} tale */
function cascadeSentence(rows, at, tale) {
  const name = tale.name(cell(rows, at, "id"));
  const due = cell(rows, at, "due");
  const why = formula(rows, at, tale);
  const values = { name, due, why, from: from(rows, at, tale), to: to(rows, at, tale) };
  return t(why ? "tell.cascade" : "tell.cascade.plain", values);
}

/** @param {number[]} rows @param {number} at @param {Tale} tale */
function handSentence(rows, at, tale) {
  const count = cell(rows, at, "before");
  return t(count > 0 ? "tell.hand" : "tell.hand.none", { place: from(rows, at, tale), count });
}

/** @param {number[]} rows @param {number} at @param {Tale} tale */
function expireSentence(rows, at, tale) {
  const name = tale.name(cell(rows, at, "id"));
  const late = cell(rows, at, "tick") - cell(rows, at, "due");
  if (cell(rows, at, "fromLevel") === NO_LEVEL) return t("tell.expire.once", { name });
  const key = late === 0 ? "tell.expire" : late > 0 ? "tell.expire.late" : "tell.expire.early";
  return t(key, { name, place: from(rows, at, tale), late: duration(Math.abs(late), tale.length) });
}

/** @param {number[]} rows @param {number} at @param {Tale} tale */
function from(rows, at, tale) {
  return named(rows, at, tale, cell(rows, at, "fromLevel"), cell(rows, at, "fromSlot"));
}

/** @param {number[]} rows @param {number} at @param {Tale} tale */
function to(rows, at, tale) {
  return named(rows, at, tale, cell(rows, at, "toLevel"), cell(rows, at, "toSlot"));
}

/** @param {number[]} rows @param {number} at @param {Tale} tale @param {number} level @param {number} slot */
function named(rows, at, tale, level, slot) {
  const lane = cell(rows, at, "lane");
  return placeName(tale.infos[lane], tale.lanes[lane].levels, level, slot);
}

/**
 * Returns the formula of a timer's slot in short form: "4 mod 3 = 1". Empty if the slot
 * does not follow from a formula (a side list, or values that no event contains).
 * @param {number[]} rows @param {number} at @param {Tale} tale
 */
function formula(rows, at, tale) {
  const key = `${t("f.slot")} = `;
  const line = formulas(rows, at, tale).find((one) => one.includes(key)) ?? "";
  return line.slice(line.indexOf(key) + key.length).split(" = ").slice(-2).join(" = ");
}
