// @ts-check
/** The form of one lane: its name, its algorithm, and the parameters of the algorithm. */
import { button, html, setText } from "../core/dom.js";
import { t } from "../core/texts.js";
import { control, hint, isDefault, value } from "./parameters.js";

/** @typedef {{id: string, title: Record<string, string>, summary: Record<string, string>, parameters: import("./parameters.js").Parameter[]}} Algorithm an entry of the catalogue of algorithms */
/** @typedef {{id: string, algorithm: string, params: Record<string, any>}} LaneData a lane as shown in the form */

/** Number of forms created. It makes the IDs of their controls unique. */
let forms = 0;

export class LaneForm {
  /** @type {Map<string, HTMLElement>} controls by the name of the field */
  #controls = new Map();
  #prefix = `lane-form-${++forms}`;

  /**
   * @param {Algorithm[]} algorithms @param {string} lang @param {LaneData} lane
   * @param {{submit: string, done: (lane: any) => void, cancel: () => void}} use
   */
  constructor(algorithms, lang, lane, use) {
    this.algorithms = algorithms;
    this.lang = lang;
    this.lane = lane;
    this.element = /** @type {HTMLFormElement} */ (html("form", { class: "lane-form", novalidate: "" }));
    this.fields = html("div", { class: "fields" });
    this.error = html("p", { class: "error", role: "alert" });
    const buttons = html("p", { class: "sheet-foot" }, html("button", { class: "primary" }, use.submit), button({}, t("making.cancel"), use.cancel));
    this.element.append(this.fields, this.error, buttons);
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      use.done(this.read());
    });
    this.#fill(lane.algorithm, lane.params);
  }

  focus() { this.#controls.get("id")?.focus(); }

  get algorithm() {
    const id = /** @type {HTMLSelectElement} */ (this.#controls.get("algorithm"))?.value ?? this.lane.algorithm;
    return this.algorithms.find((a) => a.id === id) ?? this.algorithms[0];
  }

  /**
   * Replaces the controls with those for an algorithm. The name in the form is kept.
   * @param {string} algorithm @param {Record<string, any>} params values of the algorithm's parameters
   */
  #fill(algorithm, params) {
    const name = /** @type {HTMLInputElement} */ (this.#controls.get("id"))?.value ?? this.lane.id;
    this.#controls.clear();
    this.fields.replaceChildren();
    const id = /** @type {HTMLInputElement} */ (html("input", { name: "id", autocomplete: "off", spellcheck: "false", maxlength: 256 }));
    id.value = name;
    this.#add("id", t("making.lane.id"), t("making.lane.id.hint"), id);
    const choice = this.#choice(algorithm);
    const info = this.algorithms.find((a) => a.id === algorithm) ?? this.algorithms[0];
    this.#add("algorithm", t("making.lane.algorithm"), info.summary[this.lang] ?? info.summary.en, choice);
    for (const q of info.parameters) this.#add(q.name, q.name, hint(q, this.lang), control(q, params[q.name], `${this.#prefix}-${q.name}`));
  }

  /** Creates the control for choosing the algorithm. @param {string} algorithm */
  #choice(algorithm) {
    const choice = /** @type {HTMLSelectElement} */ (html("select", { name: "algorithm" }));
    for (const a of this.algorithms) choice.append(html("option", { value: a.id }, a.title[this.lang] ?? a.title.en));
    choice.value = algorithm;
    choice.addEventListener("change", () => {
      const kept = choice.value === this.lane.algorithm ? this.lane.params : {};
      if (!this.#named()) /** @type {HTMLInputElement} */ (this.#controls.get("id")).value = "";
      this.#fill(choice.value, kept);
      this.#controls.get("algorithm")?.focus();
    });
    return choice;
  }

  /**
   * Reports whether the lane has a name other than the ID of an algorithm. Such a name is kept when the user
   * chooses another algorithm.
   */
  #named() {
    const name = /** @type {HTMLInputElement} */ (this.#controls.get("id")).value.trim();
    return !this.algorithms.some((a) => a.id === name);
  }

  /**
   * Adds a control with its label, its hint and an element for its error.
   * @param {string} name name of the field @param {string} word label @param {string} help hint
   * @param {HTMLElement} box the control
   */
  #add(name, word, help, box) {
    const id = `${this.#prefix}-${name}`;
    box.id = id;
    box.setAttribute("aria-describedby", `${id}-hint ${id}-error`);
    const label = html(box.getAttribute("role") === "group" ? "span" : "label", box.getAttribute("role") === "group" ? { id: `${id}-label`, class: "label" } : { for: id }, word);
    if (box.getAttribute("role") === "group") box.setAttribute("aria-labelledby", `${id}-label`);
    const notes = [html("p", { class: "hint", id: `${id}-hint` }, help), html("p", { class: "error", id: `${id}-error` })];
    this.fields.append(html("div", { class: "field" }, label, box, ...notes));
    this.#controls.set(name, box);
  }

  /** Returns the lane as written in a scenario, without parameters that have the default value. */
  read() {
    /** @type {Record<string, any>} */
    const lane = {};
    const id = /** @type {HTMLInputElement} */ (this.#controls.get("id")).value.trim();
    const { algorithm } = this;
    if (id !== "" && id !== algorithm.id) lane.id = id;
    lane.algorithm = algorithm.id;
    for (const q of algorithm.parameters) {
      const given = value(q, this.#controls.get(q.name));
      if (!isDefault(q, given)) lane[q.name] = given;
    }
    return lane;
  }

  /**
   * Shows a fault next to its field. null removes all faults.
   * @param {import("../core/connection.js").Fault|null} fault
   */
  report(fault) {
    for (const [name, box] of this.#controls) {
      box.removeAttribute("aria-invalid");
      setText(/** @type {HTMLElement} */ (this.element.querySelector(`#${CSS.escape(`${this.#prefix}-${name}`)}-error`)), "");
    }
    setText(this.error, "");
    if (!fault) return;
    const name = /^(?:add|with|lanes\[\d+\])\.([^.[]+)/.exec(fault.path)?.[1] ?? "";
    const box = this.#controls.get(name);
    if (!box) return setText(this.error, fault.path === "link" ? t("error.link") : t("error.at", { ...fault }));
    setText(/** @type {HTMLElement} */ (this.element.querySelector(`#${CSS.escape(`${this.#prefix}-${name}`)}-error`)), fault.message);
    box.setAttribute("aria-invalid", "true");
    box.focus();
  }
}
