// @ts-check
/** Lectures as files: reading and checking them, and their texts. This module does not access the DOM. */
import { LECTURE_BYTES_MAX, NOTE_MAX, SCRIPT_MAX } from "../core/lecture-text.js";
import { AddressError, unpack } from "../core/pack.js";

/** Limits on a lecture, as in sim/lecture/lecture.go; core/lecture-text.js has those that other pages need. */
export const STOPS_MAX = 100;
export const SCENARIOS_MAX = 16;
export const TITLE_MAX = 120;

/** Beginning of the fragment of a URL that contains a lecture. */
export const IN_URL = "#lecture=";

/**
 * A text: one for all languages, or one for each.
 * @typedef {string|Record<string, string>} Words
 *
 * @typedef {object} Stop
 * @property {string} [scenario] @property {string} [run] @property {number} [tick] @property {number} [seq]
 * @property {any} [edit] @property {"gallery"|"stage"|"compare"} [view] @property {string} [lane]
 * @property {string[]} [lanes] @property {string} [follow]
 * @property {Words} title @property {Words} note @property {Words} [script]
 * @property {Record<string, any>} [facts] @property {Words} [question] @property {any} [ask] @property {string[]} [options] @property {Words} [why]
 * @property {Record<string, any>} [answers] in a lecture of a page that is a file: the answers about the stop, by language
 *
 * @typedef {{wheelscope: 1, kind: "lecture", title: Words, summary?: Words, scenarios?: Record<string, any>, stops: Stop[]}} Lecture
 */

/** Returns a text in a language, or in English if there is none. @param {Words|undefined} words @param {string} lang */
export const inLanguage = (words, lang) => (typeof words === "string" ? words : words?.[lang] ?? words?.en ?? "");

/** Returns a text with another text in a language. @param {Words|undefined} words @param {string} lang @param {string} text @returns {Words} */
export function withLanguage(words, lang, text) {
  return { ...(typeof words === "string" ? { en: words } : words), [lang]: text };
}

/**
 * Replaces each {NAME} in a text by the value of that name, and by "…" while the values are unknown.
 * @param {string} text @param {Record<string, string>|null} values
 */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => (values ? values[name] ?? whole : "…"));

/** A new lecture without stops. @param {string} lang @param {string} title @returns {Lecture} */
export const newLecture = (lang, title) => ({ wheelscope: 1, kind: "lecture", title: { [lang]: title }, stops: [] });

/**
 * Reads a lecture. Throws an AddressError with the reason if the text is none. `wheelscope lecture check` checks more, such as
 * whether each stop exists.
 * @param {string} text @returns {Lecture}
 */
export function readLecture(text) {
  if (text.length > LECTURE_BYTES_MAX) throw new AddressError("lecture.bad.long", { n: text.length, max: LECTURE_BYTES_MAX });
  /** @type {any} */
  let lecture = null;
  try {
    lecture = JSON.parse(text);
  } catch {
    throw new AddressError("lecture.bad.json");
  }
  if (lecture?.wheelscope !== 1 || lecture.kind !== "lecture") throw new AddressError("lecture.bad.kind");
  if (!Array.isArray(lecture.stops) || lecture.stops.length > STOPS_MAX) throw new AddressError("lecture.bad.stops", { max: STOPS_MAX });
  if (!isText(lecture.title, TITLE_MAX)) throw new AddressError("lecture.bad.field", { path: "title", max: TITLE_MAX });
  if (Object.keys(lecture.scenarios ?? {}).length > SCENARIOS_MAX) throw new AddressError("lecture.bad.scenarios", { max: SCENARIOS_MAX });
  lecture.stops.forEach((/** @type {any} */ stop, /** @type {number} */ k) => checkStop(stop, k, lecture.scenarios ?? {}));
  return lecture;
}

/** Checks the fields of a stop that the page uses. @param {any} stop @param {number} k @param {Record<string, any>} scenarios */
function checkStop(stop, k, scenarios) {
  /** @param {string} name @param {boolean} good @param {number} [max] */
  const need = (name, good, max = NOTE_MAX) => { if (!good) throw new AddressError("lecture.bad.field", { path: `stops[${k}].${name}`, max }); };
  need("", Boolean(stop) && typeof stop === "object");
  need("scenario", typeof stop.scenario === "string" ? stop.run === undefined : Object.hasOwn(scenarios, stop.run));
  for (const name of ["tick", "seq"]) need(name, stop[name] === undefined || (Number.isSafeInteger(stop[name]) && stop[name] >= 0));
  need("view", [undefined, "gallery", "stage", "compare"].includes(stop.view));
  need("lanes", stop.lanes === undefined || (Array.isArray(stop.lanes) && stop.lanes.every((/** @type {any} */ id) => typeof id === "string")));
  for (const name of ["lane", "follow"]) need(name, stop[name] === undefined || typeof stop[name] === "string");
  need("title", isText(stop.title, TITLE_MAX), TITLE_MAX);
  need("note", isText(stop.note, NOTE_MAX));
  for (const name of ["question", "why"]) need(name, stop[name] === undefined || isText(stop[name], NOTE_MAX));
  need("script", stop.script === undefined || isText(stop.script, SCRIPT_MAX), SCRIPT_MAX);
}

/** Reports whether a value is a text of at most max characters. @param {any} words @param {number} max */
function isText(words, max) {
  const texts = typeof words === "string" ? [words] : words && typeof words === "object" ? Object.values(words) : [];
  return texts.length > 0 && texts.every((text) => typeof text === "string" && [...text].length <= max);
}

/** Reads the lecture in the fragment of a URL. @param {string} hash */
export const lectureInURL = async (hash) => readLecture(await unpack(hash.slice(IN_URL.length), LECTURE_BYTES_MAX));

/** Returns the scenarios of a lecture that its stops use. @param {Lecture} lecture */
export function usedScenarios({ scenarios = {}, stops }) {
  const used = new Set(stops.map(({ run }) => run));
  return Object.fromEntries(Object.entries(scenarios).filter(([run]) => used.has(run)));
}

/** Moves a stop of a list. @template T @param {T[]} stops @param {number} from @param {number} to */
export function moved(stops, from, to) {
  const list = stops.filter((_, k) => k !== from);
  list.splice(to, 0, stops[from]);
  return list;
}
