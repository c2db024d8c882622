// @ts-check
/** The controls in the sentences of a chapter: sliders and buttons. */
import { numeral } from "./facts.js";
import { setAttr, setText } from "../core/dom.js";

/**
 * The functions that the controls of a chapter call.
 * @typedef {object} Effects
 * @property {(path: string, value: number) => void} set sets a field of the scenario
 * @property {(kind: string) => void} find moves the cursor to the next event of a kind
 * @property {(path: string) => number} get returns a field of the scenario
 */

/** Connects the controls in a section. @param {Element} section @param {Effects} effects */
export function connect(section, effects) {
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (section.querySelectorAll("input[data-control]"))) slider(input, effects);
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (section.querySelectorAll("button[data-control]"))) {
    button.addEventListener("click", () => press(button, effects));
  }
}

/** @param {HTMLInputElement} input @param {Effects} effects */
function slider(input, { set }) {
  const values = input.dataset.values?.split(" ").map(Number); // without it, the position is the value
  const shown = /** @type {Element} */ (input.nextElementSibling);
  input.addEventListener("input", () => {
    const value = values ? values[Number(input.value)] : Number(input.value);
    setText(shown, numeral(value));
    setAttr(input, "aria-valuetext", numeral(value));
    set(input.dataset.path ?? "", value);
  });
}

/** @param {HTMLButtonElement} button @param {Effects} effects */
function press(button, { get, set, find }) {
  const { find: kind, path, add } = button.dataset;
  if (kind) return find(kind);
  if (!path) return;
  const added = button.ariaPressed === "true";
  button.ariaPressed = String(!added);
  set(path, get(path) + (added ? -Number(add) : Number(add)));
}

/** Returns the value at a path of an object, such as "lanes.0.slots". @param {any} object @param {string} path */
export function valueAt(object, path) {
  return path.split(".").reduce((at, name) => at[name], object);
}

/** Sets the value at a path of an object. @param {any} object @param {string} path @param {any} value */
export function setValue(object, path, value) {
  const names = path.split(".");
  const last = names.pop() ?? "";
  names.reduce((at, name) => at[name], object)[last] = value;
}
