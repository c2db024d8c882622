// @ts-check
/** Pure functions that describe one event in a sentence: what happened, and by which formula. step.js creates the story of a step from these sentences. */
import { NO_LEVEL } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";
import { duration } from "../core/times.js";
import { formulas } from "./formulas.js";
import { t } from "../core/texts.js";

/** @typedef {import("./event.js").StoryEvent} StoryEvent */

/** Describes an event in a sentence. @param {StoryEvent} e @returns {string} */
export function eventSentence(e) {
  const { kind, name, due, code, run, x } = e;
  switch (kind) {
    case KIND.schedule: return t(e.repeats ? "event.repeat" : "event.schedule", { name, run, due });
    case KIND.reject: return t(`event.reject.${code}`, { name, due });
    case KIND.miss: return t("event.miss", { op: t(`op.${code}`), name });
    case KIND.pend: return t("event.pend", { name });
    case KIND.place: return placeSentence(e);
    case KIND.cascade: return cascadeSentence(e);
    case KIND.move: return t("event.move", { name, from: e.from, to: e.to });
    case KIND.hand: return t(e.before > 0 ? "event.hand" : "event.hand.none", { place: e.from, count: e.before });
    case KIND.cancel: return t("event.cancel", { name, place: e.from });
    case KIND.mark: return t(e.info.shape === "heap" ? "event.mark.heap" : "event.mark", { name });
    case KIND.sweep: return t("event.sweep", { name });
    case KIND.rekey: return t("event.rekey", { name, due });
    case KIND.expire: return expireSentence(e);
    case KIND.grow: return t("event.grow", { level: e.fromLevel, width: duration(x, e.context.length) });
    case KIND.enqueue: return t("event.enqueue", { place: e.from, due });
    case KIND.resize: return t("event.resize", { slots: e.fromSlot, width: duration(x, e.context.length) });
    case KIND.dequeue: return t("event.dequeue", { place: e.from });
    default: return t("event.finding", { code, expect: due, got: x });
  }
}

/** Describes a placement. @param {StoryEvent} e */
function placeSentence(e) {
  const { name, before, x } = e;
  if (e.info.shape === "list") {
    return before ? t("event.place.before", { name, before: e.context.name(before) }) : t("event.place.tail", { name });
  }
  const place = e.to;
  if (e.code === "stale") return t("event.place.stale", { name, place, key: x });
  const why = formula(e);
  if (!why) return t("event.place.plain", { name, place });
  return x > 0 ? t("event.place.rounds", { name, place, rounds: x, why }) : t("event.place", { name, place, why });
}

/** Describes a cascade. @param {StoryEvent} e */
function cascadeSentence(e) {
  const why = formula(e);
  return t(why ? "event.cascade" : "event.cascade.plain", { name: e.name, due: e.due, why, from: e.from, to: e.to });
}

/** Describes a timer that fires. @param {StoryEvent} e */
function expireSentence(e) {
  const { name, left } = e;
  if (e.fromLevel === NO_LEVEL) return t("event.expire.once", { name });
  const key = left === 0 ? "event.expire" : left < 0 ? "event.expire.late" : "event.expire.early";
  return t(key, { name, place: e.from, late: duration(Math.abs(left), e.context.length) });
}

/**
 * Returns the formula of a timer's slot in short form, such as "4 mod 3 = 1". Returns "" if no formula
 * determines the slot, as in a side list, or if it depends on values that events do not contain.
 * @param {StoryEvent} e
 */
function formula(e) {
  const key = `${t("f.slot")} = `;
  const line = formulas(e).find((one) => one.includes(key)) ?? "";
  return line.slice(line.indexOf(key) + key.length).split(" = ").slice(-2).join(" = ");
}
