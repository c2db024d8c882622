// @ts-check
/** Pure functions that return the texts of questions and their options. */
import { hasText, t } from "../core/texts.js";

/** @typedef {import("./question.js").Question} Question */

/** Values of options that are displayed as words, which are the texts `quiz.value.VALUE`. */
const WORDS = new Set(["reject", "now", "never"]);
/** Kinds of questions whose options are costs. */
const COSTS = new Set(["cost", "total", "worst"]);
/** Kinds of questions whose options are numbers of ticks. */
const DISTANCES = new Set(["late", "early"]);

/** Returns the text of an option. @param {string} kind @param {string} value @param {(level: number, slot: number) => string} [place] returns the name of a place */
export function optionLabel(kind, value, place = (level, slot) => t("quiz.place", { level, slot })) {
  if (WORDS.has(value)) return t(`quiz.value.${value}`);
  if (kind === "slot") {
    const [level, slot] = value.split(":").map(Number);
    return place(level, slot);
  }
  if (kind === "when" || kind === "worstat") return `t = ${value}`;
  if (COSTS.has(kind)) return t("quiz.units", { n: Number(value).toLocaleString("en") });
  if (DISTANCES.has(kind)) return t("quiz.distance", { n: Number(value).toLocaleString("en") });
  return /^\d+$/.test(value) ? Number(value).toLocaleString("en") : value;
}

/**
 * Returns the text of a question that was generated from a run.
 * @param {Question} question @param {string} unit unit of ticks, such as " ms", or "" if there is none
 */
export function questionWords({ kind, timer, at, op, from, targets }, unit) {
  const key = kind === "slot" && targets.length === 1 ? "quiz.ask.slot.one" : `quiz.ask.${kind}`;
  if (!hasText(key)) return kind;
  return t(key, { lane: targets[0].lane, timer, at, next: from.tick + 1, start: op?.at ?? 0, delay: `${op?.delay ?? 0}${unit}`, unit });
}
