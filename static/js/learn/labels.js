// @ts-check
/** Pure functions that return the texts of questions and their options. */
import { hasText, t } from "../core/texts.js";

/** @typedef {import("./question-form.js").Asked} Asked */

/** Values of options that are displayed as words, which are the texts `quiz.value.VALUE`. */
const WORDS = new Set(["reject", "now", "never"]);

/** Kinds of questions whose options are costs. */
const COSTS = new Set(["cost", "total", "worst"]);
/** Kinds of questions whose options are numbers of ticks. */
const DISTANCES = new Set(["late", "early"]);

/** Returns the text of an option. @param {Asked} ask @param {string} value */
export function optionLabel(ask, value) {
  if (WORDS.has(value)) return t(`quiz.value.${value}`);
  if (ask.kind === "slot") return placeLabel(ask, value);
  if (ask.kind === "when" || ask.kind === "worstat") return `t = ${value}`;
  if (COSTS.has(ask.kind)) return t("quiz.units", { n: Number(value).toLocaleString("en") });
  if (DISTANCES.has(ask.kind)) return t("quiz.distance", { n: Number(value).toLocaleString("en") });
  return /^\d+$/.test(value) && !ask.many ? Number(value).toLocaleString("en") : value;
}

/**
 * Returns the text of an option that is a slot. The text contains the level only if the question has options
 * above level 0.
 * @param {Asked} ask @param {string} value "level:slot"
 */
function placeLabel(ask, value) {
  const [level, slot] = value.split(":");
  const several = ask.options.some((other) => /^[1-9]/.test(other));
  return several ? t("quiz.place", { level, slot }) : t("quiz.slot", { slot });
}

/**
 * Returns the text of a question that was generated from a run.
 * @param {Asked} ask @param {string} unit unit of ticks, such as " ms", or "" if there is none
 */
export function questionWords(ask, unit) {
  const key = `quiz.ask.${ask.kind}`;
  const { lane, timer, at, op } = ask;
  const due = op ? op.at + op.delay : 0;
  if (!hasText(key)) return ask.kind;
  return t(key, { lane, timer, at, next: at + 1, start: op?.at ?? 0, delay: `${op?.delay ?? 0}${unit}`, due, unit });
}
