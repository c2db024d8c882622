// @ts-check
/**
 * The form fields of a lane's parameters, generated from the catalogue of algorithms. This module creates and
 * reads a control for each type of parameter. Invalid values are sent as typed, since the server's error
 * states what was expected, in the user's language.
 */
import { html } from "../core/dom.js";
import { t } from "../core/texts.js";
import { show } from "./fields.js";

/**
 * @typedef {object} Parameter a parameter of an algorithm, as in /api/algorithms
 * @property {string} name @property {"int"|"ints"|"tick"|"choice"|"names"} type @property {any} default
 * @property {number} min @property {number} max @property {string[]} [options] @property {{en: string, zh: string}} meaning
 */

/**
 * Returns the hint below a field: the meaning, the range and the default of the parameter.
 * @param {Parameter} q @param {string} lang
 */
export function hint(q, lang) {
  const parts = [q.meaning[/** @type {"en"|"zh"} */ (lang)] ?? q.meaning.en];
  if (["int", "ints", "tick"].includes(q.type)) parts.push(q.min === q.max ? String(q.min) : t("making.range", { min: q.min, max: q.max }));
  if (q.type === "ints") parts.push(t("making.ints"));
  if (q.type === "tick" && q.max > q.min) parts.push(t("making.tick"));
  if (q.type !== "names") parts.push(q.default === null || q.default === undefined ? t("making.absent") : t("making.default", { value: show(q.default) }));
  return parts.join(" · ");
}

/**
 * Creates the control of a parameter.
 * @param {Parameter} q @param {any} value value of the parameter, or undefined if it is omitted
 * @param {string} id id of the control
 */
export function control(q, value, id) {
  if (q.type === "choice") return select(q, value ?? q.default, id);
  if (q.type === "names") return checks(q, value ?? q.default ?? [], id);
  const input = /** @type {HTMLInputElement} */ (html("input", { id, name: q.name, autocomplete: "off", spellcheck: "false", maxlength: 200, inputmode: q.type === "int" ? "numeric" : "text" }));
  input.value = show(value);
  input.placeholder = show(q.default);
  return input;
}

/**
 * Creates the control of a parameter with a fixed set of values.
 * @param {Parameter} q @param {string} value @param {string} id
 */
function select(q, value, id) {
  const box = html("select", { id, name: q.name });
  for (const option of q.options ?? []) {
    const entry = /** @type {HTMLOptionElement} */ (html("option", { value: option }, option));
    entry.selected = option === value;
    box.append(entry);
  }
  return box;
}

/**
 * Creates the control of a parameter that is a list of names: a checkbox for each name.
 * @param {Parameter} q @param {string[]} value @param {string} id
 */
function checks(q, value, id) {
  const box = html("div", { id, class: "checks", role: "group", tabindex: "-1" });
  for (const option of q.options ?? []) {
    const input = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", name: q.name, value: option }));
    input.checked = value.includes(option);
    box.append(html("label", {}, input, ` ${option}`));
  }
  return box;
}

/** Returns the value of a control, or undefined if it is empty. @param {Parameter} q @param {any} box */
export function value(q, box) {
  if (q.type === "names") return [...box.querySelectorAll("input:checked")].map((/** @type {HTMLInputElement} */ i) => i.value);
  const text = box.value.trim();
  if (q.type === "choice") return text;
  if (text === "") return undefined;
  if (q.type === "ints" && /[,\s[\]]/.test(text)) return text.replace(/[[\]]/g, "").split(/[,\s]+/).filter(Boolean).map(number);
  return number(text);
}

/** Converts text to a number if it is an integer, and returns other text unchanged. @param {string} text */
export function number(text) {
  return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

/** Reports whether a value equals the parameter's default. @param {Parameter} q @param {any} given */
export function isDefault(q, given) {
  return given === undefined || show(given) === show(q.default ?? (q.type === "names" ? [] : undefined));
}
