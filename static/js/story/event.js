// @ts-check
/**
 * Pure functions that describe events in sentences: what happened, and by which formula. They take rows and
 * the data of the lanes, and return text. step.js creates the story of a step from these sentences.
 */
import { NO_LEVEL, cell } from "../core/protocol.js";
import { CODES, KIND } from "../state/kinds.js";
import { duration } from "../core/times.js";
import { formulas } from "./formulas.js";
import { placesOf } from "./why.js";
import { t } from "../core/texts.js";

/**
 * @typedef {object} Context the data, in addition to a row, that a sentence needs
 * @property {import("../state/store.js").LaneInfo[]} infos
 * @property {import("../state/lane-state.js").Lane[]} lanes
 * @property {(id: number) => string} name
 * @property {number} start absolute tick of the scenario's start
 * @property {string} length length of a base tick
 * @property {import("../state/activity.js").Activity[]|null} [activities] activity of the lanes, if the rows do not
 *   contain all of it
 * @property {number} [first] index of the lane to describe first; −1 or missing means the lane with the most
 *   important event
 * @property {number[]} [rows] all rows that are described together
 */

/** Returns the context of rows. @param {import("../state/store.js").Store} store @param {number[]} rows @returns {Context} */
export function contextOf(store, rows) {
  const { infos, lanes, start, length } = store;
  return { infos, lanes, start, length, rows, name: (id) => store.called(id) };
}

/**
 * Describes one event in a sentence.
 * @param {number[]} rows @param {number} at offset of the event's row @param {Context} context @returns {string}
 */
export function eventSentence(rows, at, context) {
  const kind = cell(rows, at, "kind");
  const name = context.name(cell(rows, at, "id"));
  const due = cell(rows, at, "due");
  const code = CODES[cell(rows, at, "code")];
  const { from, to } = placesOf(rows, at, context);
  switch (kind) {
    case KIND.schedule: {
      const run = cell(rows, at, "run");
      return run > 1 ? t("event.repeat", { name, run, due }) : t("event.schedule", { name, due });
    }
    case KIND.reject: return t(`event.reject.${code}`, { name, due });
    case KIND.miss: return t("event.miss", { op: t(`op.${code}`), name });
    case KIND.pend: return t("event.pend", { name });
    case KIND.place: return placeSentence(rows, at, context);
    case KIND.cascade: return cascadeSentence(rows, at, context);
    case KIND.move: return t("event.move", { name, from, to });
    case KIND.hand: {
      const count = cell(rows, at, "before");
      return t(count > 0 ? "event.hand" : "event.hand.none", { place: from, count });
    }
    case KIND.cancel: return t("event.cancel", { name, place: from });
    case KIND.mark: return t(context.infos[cell(rows, at, "lane")].shape === "heap" ? "event.mark.heap" : "event.mark", { name });
    case KIND.sweep: return t("event.sweep", { name });
    case KIND.rekey: return t("event.rekey", { name, due });
    case KIND.expire: return expireSentence(rows, at, context);
    case KIND.grow: return t("event.grow", { level: cell(rows, at, "fromLevel"), width: duration(cell(rows, at, "x"), context.length) });
    case KIND.enqueue: return t("event.enqueue", { place: from, due });
    case KIND.resize: return t("event.resize", { slots: cell(rows, at, "fromSlot"), width: duration(cell(rows, at, "x"), context.length) });
    case KIND.dequeue: return t("event.dequeue", { place: from });
    default: return t("event.finding", { code, expect: due, got: cell(rows, at, "x") });
  }
}

/** Describes a placement. @param {number[]} rows @param {number} at @param {Context} context */
function placeSentence(rows, at, context) {
  const lane = cell(rows, at, "lane");
  const name = context.name(cell(rows, at, "id"));
  const before = cell(rows, at, "before");
  if (context.infos[lane].shape === "list") {
    return before ? t("event.place.before", { name, before: context.name(before) }) : t("event.place.tail", { name });
  }
  const { to: place } = placesOf(rows, at, context);
  if (CODES[cell(rows, at, "code")] === "stale") return t("event.place.stale", { name, place, key: cell(rows, at, "x") });
  const why = formula(rows, at, context);
  const rounds = cell(rows, at, "x");
  if (!why) return t("event.place.plain", { name, place });
  return rounds > 0 ? t("event.place.rounds", { name, place, rounds, why }) : t("event.place", { name, place, why });
}

/** Describes a cascade. @param {number[]} rows @param {number} at @param {Context} context */
function cascadeSentence(rows, at, context) {
  const name = context.name(cell(rows, at, "id"));
  const due = cell(rows, at, "due");
  const why = formula(rows, at, context);
  const values = { name, due, why, ...placesOf(rows, at, context) };
  return t(why ? "event.cascade" : "event.cascade.plain", values);
}

/** Describes a timer that fires. @param {number[]} rows @param {number} at @param {Context} context */
function expireSentence(rows, at, context) {
  const name = context.name(cell(rows, at, "id"));
  const late = cell(rows, at, "tick") - cell(rows, at, "due");
  if (cell(rows, at, "fromLevel") === NO_LEVEL) return t("event.expire.once", { name });
  const key = late === 0 ? "event.expire" : late > 0 ? "event.expire.late" : "event.expire.early";
  return t(key, { name, place: placesOf(rows, at, context).from, late: duration(Math.abs(late), context.length) });
}

/**
 * Returns the formula of a timer's slot in short form, such as "4 mod 3 = 1". Returns "" if no formula
 * determines the slot, as in a side list, or if it depends on values that events do not contain.
 * @param {number[]} rows @param {number} at @param {Context} context
 */
function formula(rows, at, context) {
  const key = `${t("f.slot")} = `;
  const line = formulas(rows, at, context).find((one) => one.includes(key)) ?? "";
  return line.slice(line.indexOf(key) + key.length).split(" = ").slice(-2).join(" = ");
}
