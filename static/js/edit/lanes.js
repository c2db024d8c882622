// @ts-check
/**
 * The lane editor: a list of the lanes, which the user can change, move and remove, and a form for adding a
 * lane. Every change is a command that creates a branch.
 */
import { button, byId, html, setDisabled, setText, signButton, svg } from "../core/dom.js";
import { faultText } from "../core/connection.js";
import { t } from "../core/texts.js";
import { request } from "../core/transport.js";
import { show } from "./fields.js";

/** @typedef {{id: string, title: Record<string, string>, summary: Record<string, string>, parameters: Parameter[]}} Algorithm an entry of the catalogue of algorithms */

class LanesSheet {
  /** @type {Algorithm[]} */
  #algorithms = [];
  /**
   * The lane whose form is open: its id, or "" for a new lane; null if no form is open.
   * @type {string|null}
   */
  #editing = null;
  /** @type {LaneForm|null} */
  #form = null;
  /**
   * The button that gets the focus when the list is rebuilt: the id of its lane, and the action of the
   * button.
   * @type {[string, string]|null}
   */
  #focus = null;

  /** @param {any} app @param {HTMLElement} box */
  constructor(app, box) {
    this.app = app;
    this.box = box;
    this.list = byId("lane-list");
    byId("lane-add").addEventListener("click", () => this.#edit(""));
  }

  async open() {
    if (this.#algorithms.length === 0) {
      const answer = await request(`${this.app.base}/api/algorithms`).catch(() => null);
      if (!answer?.ok) return setText(byId("lanes-error"), t("error.link"));
      this.#algorithms = await answer.json();
    }
    setText(byId("lanes-error"), "");
    this.begin();
  }

  /** Rebuilds the list from the lanes of the displayed run. Closes the form of a lane that no longer exists. */
  begin() {
    if (this.#algorithms.length === 0) return;
    const { infos } = this.app.store;
    if (this.#editing !== null && this.#editing !== "" && !this.#isTaken(this.#editing)) this.#editing = null;
    const most = this.app.store.hello?.limits.lanes ?? Infinity;
    setDisabled(byId("lane-add"), infos.length >= most);
    byId("lane-add").hidden = this.#editing === "";
    this.list.replaceChildren(...infos.map((/** @type {any} */ info, /** @type {number} */ i) => this.#item(info, i)));
    if (this.#editing === "") this.#showForm(this.list.appendChild(html("li", { class: "lane-item" })), this.#fresh());
    this.#refocus();
  }

  #refocus() {
    const [id, what] = this.#focus ?? ["", ""];
    this.#focus = null;
    const item = [...this.list.children].find((li) => /** @type {HTMLElement} */ (li).dataset.editLane === id);
    const found = /** @type {HTMLButtonElement|null} */ (item?.querySelector(`[data-what="${what}"]:not(:disabled)`) ?? item?.querySelector('[data-what="edit"]') ?? null);
    if (what) (found ?? byId("lane-add")).focus();
  }

  /** Returns the lane with which the form for a new lane is filled. It has no name yet. */
  #fresh() {
    return { id: "", algorithm: this.#algorithms[0].id, params: {} };
  }

  /** Returns the list item of lane i. @param {any} info @param {number} i */
  #item(info, i) {
    const name = html("p", { class: "lane-name" }, html("b", {}, info.id), html("span", { class: "hint" }, info.title[this.app.lang] ?? info.title.en));
    const { infos, hello } = this.app.store;
    const last = infos.length - 1;
    const head = html("div", { class: "wraps" }, name,
      this.#button("edit", t("making.edit"), t("making.edit.lane", info), () => this.#edit(info.id)),
      this.#button("up", "↑", t("making.up.lane", info), () => this.#move(info.id, i - 1, "up"), i === 0),
      this.#button("down", "↓", t("making.down.lane", info), () => this.#move(info.id, i + 1, "down"), i === last),
      this.#button("copy", copyMark(), t("making.copy.lane", info), () => this.#copy(info), infos.length >= (hello?.limits.lanes ?? Infinity)),
      this.#button("remove", "✕", t("making.remove.lane", info), () => this.#remove(info.id, i), last === 0));
    const item = html("li", { class: "lane-item", "data-edit-lane": info.id }, head);
    if (this.#editing === info.id) this.#showForm(item, { id: info.id, algorithm: info.algorithm, params: info.params });
    return item;
  }

  /**
   * Creates a button in the list item of a lane.
   * @param {string} what action of the button, as in #focus @param {string|Node} word content of the button
   * @param {string} name accessible name and tooltip @param {() => void} act click handler
   * @param {boolean} [off] whether the button is disabled
   */
  #button(what, word, name, act, off = false) {
    return signButton(word, name, act, { off, attributes: { "data-what": what } });
  }

  /** Opens or closes a lane's form. @param {string} id */
  #edit(id) {
    if (this.app.store.infos.some((/** @type {any} */ l) => l.id === id && l.algorithm === "own")) {
      byId("own-sheet").dataset.lane = id;
      return this.app.editor.open("own-sheet");
    }
    this.#editing = this.#editing === id ? null : id;
    this.#focus = this.#editing === null ? [id, "edit"] : null;
    this.begin();
    this.#form?.focus();
  }

  /** Opens the form of a lane below its item. @param {Element} item @param {LaneData} lane */
  #showForm(item, lane) {
    const adding = lane.id === "";
    this.#form = new LaneForm(this.#algorithms, this.app.lang, lane, {
      submit: t(adding ? "making.lane.do" : "making.apply"),
      done: (made) => (adding ? this.#add(made) : this.#replace(lane.id, made)),
      cancel: () => { this.#edit(lane.id); this.#form = null; },
    });
    item.append(this.#form.element);
  }

  /**
   * Adds a lane. The name of a lane without one is that of its algorithm or, if that is in use, a name such as
   * "heap-2".
   * @param {any} lane
   */
  async #add(lane) {
    const id = lane.id ?? (this.#isTaken(lane.algorithm) ? this.#free(lane.algorithm) : lane.algorithm);
    if (await this.#send({ add: id === lane.algorithm ? lane : { id, ...lane } }, "add", id)) return;
    this.#focus = [id, "edit"];
    this.#editing = null;
    this.begin();
  }

  /** Reports whether a lane has an id. @param {string} id */
  #isTaken(id) { return this.app.store.infos.some((/** @type {any} */ info) => info.id === id); }

  /** Returns a lane name, such as "heap-2", that is not in use. @param {string} id */
  #free(id) {
    let n = 2;
    while (this.#isTaken(`${id}-${n}`)) n++;
    return `${id}-${n}`;
  }

  /** Adds a copy of a lane, which the user can edit to compare two settings. @param {any} info */
  async #copy({ id, algorithm, params }) {
    const made = this.#free(id);
    if (await this.#send({ add: { id: made, algorithm, ...params } }, "add", made)) return;
    this.#edit(made);
  }

  /** Replaces the lane with an id. @param {string} id @param {any} lane */
  async #replace(id, lane) {
    this.#editing = lane.id ?? lane.algorithm; // the form stays open on the new lane
    if (await this.#send({ replace: id, with: lane }, "replace", id)) this.#editing = id;
    else this.#form?.focus();
  }

  /**
   * Moves a lane to another position in the list.
   * @param {string} id @param {number} to index of the new position, from 0
   * @param {string} what action of the button that gets the focus afterwards
   */
  #move(id, to, what) {
    this.#focus = [id, what];
    this.#send({ move: id, to }, "move", id);
  }

  /** Removes lane i. @param {string} id @param {number} i */
  #remove(id, i) {
    const { infos } = this.app.store;
    this.#focus = [(infos[i + 1] ?? infos[i - 1]).id, "remove"];
    this.#send({ remove: id }, "remove", id);
  }

  /**
   * Sends a `lane` command, and shows a message after success or the fault otherwise. Returns the fault, or
   * null after success.
   * @param {any} fields fields of the command @param {string} what "add", "replace", "move" or "remove"
   * @param {string} id ID of the lane, for the message
   */
  async #send(fields, what, id) {
    const values = { id };
    setText(byId("lanes-error"), "");
    setText(byId("lanes-done"), "");
    this.#form?.report(null);
    const fault = await this.app.edit("lane", fields, { key: `branch.lane.${what}`, values });
    if (!fault) setText(byId("lanes-done"), t(`branch.lane.${what}`, values));
    else if (this.#form && this.#editing !== null && (what === "add" || what === "replace")) this.#form.report(fault);
    else setText(byId("lanes-error"), faultText(fault));
    return fault;
  }
}

/** Creates the sheet. @param {any} app @param {HTMLElement} box */
export const make = (app, box) => new LanesSheet(app, box);

/** Returns an icon of two overlapping sheets. It is drawn since few fonts contain it. */
function copyMark() {
  const look = { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", fill: "none", stroke: "currentColor", "stroke-width": 1.4 };
  return svg("svg", look, svg("path", { d: "M5.5 5.5V2.5h8v8h-3M2.5 5.5h8v8h-8z" }));
}

/** @typedef {{id: string, algorithm: string, params: Record<string, any>}} LaneData a lane as shown in the form */

/** Number of forms created. It makes the IDs of their controls unique. */
let forms = 0;

class LaneForm {
  /** @type {Map<string, {box: HTMLElement, error: HTMLElement}>} controls by the name of the field, and the elements of their faults */
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
    const buttons = html("p", { class: "sheet-foot wraps" }, html("button", { class: "primary" }, use.submit), button({}, t("making.cancel"), use.cancel));
    this.element.append(this.fields, this.error, buttons);
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      use.done(this.read());
    });
    this.#fill(lane.algorithm, lane.params);
  }

  focus() { this.#box("id").focus(); }

  /** Returns the control of a field. @param {string} name @returns {any} */
  #box(name) { return this.#controls.get(name)?.box; }

  /** Returns an algorithm, or the first one if there is none with this id. @param {string} id */
  #algorithm(id) { return this.algorithms.find((a) => a.id === id) ?? this.algorithms[0]; }

  /**
   * Replaces the controls with those for an algorithm. The name in the form is kept.
   * @param {string} algorithm @param {Record<string, any>} params values of the algorithm's parameters
   */
  #fill(algorithm, params) {
    const name = this.#box("id")?.value ?? this.lane.id;
    this.#controls.clear();
    this.fields.replaceChildren();
    const id = /** @type {HTMLInputElement} */ (html("input", { name: "id", autocomplete: "off", spellcheck: "false", maxlength: 256 }));
    id.value = name;
    this.#add("id", t("making.lane.id"), t("making.lane.id.hint"), id);
    const choice = this.#choice(algorithm);
    const info = this.#algorithm(algorithm);
    this.#add("algorithm", t("making.lane.algorithm"), info.summary[this.lang] ?? info.summary.en, choice);
    for (const q of info.parameters) this.#add(q.name, q.name, hint(q, this.lang), control(q, params[q.name]));
  }

  /** Creates the control for choosing the algorithm. @param {string} algorithm */
  #choice(algorithm) {
    const choice = /** @type {HTMLSelectElement} */ (html("select", { name: "algorithm" }));
    for (const a of this.algorithms) choice.append(html("option", { value: a.id }, a.title[this.lang] ?? a.title.en));
    choice.value = algorithm;
    choice.addEventListener("change", () => {
      const kept = choice.value === this.lane.algorithm ? this.lane.params : {};
      const name = this.#box("id");
      if (this.algorithms.some((a) => a.id === name.value.trim())) name.value = ""; // the name of another algorithm
      this.#fill(choice.value, kept);
      this.#box("algorithm").focus();
    });
    return choice;
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
    const group = box.getAttribute("role") === "group";
    const label = html(group ? "span" : "label", group ? { id: `${id}-label`, class: "label" } : { for: id }, word);
    if (group) box.setAttribute("aria-labelledby", `${id}-label`);
    const error = html("p", { class: "error", id: `${id}-error` });
    this.fields.append(html("div", { class: "field" }, label, box, html("p", { class: "hint", id: `${id}-hint` }, help), error));
    this.#controls.set(name, { box, error });
  }

  /** Returns the lane as written in a scenario, without parameters that have the default value. */
  read() {
    /** @type {Record<string, any>} */
    const lane = {};
    const id = this.#box("id").value.trim();
    const algorithm = this.#algorithm(this.#box("algorithm").value);
    if (id !== "" && id !== algorithm.id) lane.id = id;
    lane.algorithm = algorithm.id;
    for (const q of algorithm.parameters) {
      const given = value(q, this.#box(q.name));
      if (!isDefault(q, given)) lane[q.name] = given;
    }
    return lane;
  }

  /**
   * Shows a fault next to its field. null removes all faults.
   * @param {import("../core/connection.js").Fault|null} fault
   */
  report(fault) {
    for (const { box, error } of this.#controls.values()) {
      box.removeAttribute("aria-invalid");
      setText(error, "");
    }
    setText(this.error, "");
    if (!fault) return;
    const found = this.#controls.get(/^(?:add|with|lanes\[\d+\])\.([^.[]+)/.exec(fault.path)?.[1] ?? "");
    if (!found) return setText(this.error, faultText(fault));
    setText(found.error, fault.message);
    found.box.setAttribute("aria-invalid", "true");
    found.box.focus();
  }
}

/**
 * @typedef {object} Parameter a parameter of an algorithm, as in /api/algorithms
 * @property {string} name @property {"int"|"ints"|"tick"|"choice"|"names"} type @property {any} default
 * @property {number} min @property {number} max @property {string[]} [options] @property {{en: string, zh: string}} meaning
 */

/**
 * Returns the hint below a field: the meaning, the range and the default of the parameter.
 * @param {Parameter} q @param {string} lang
 */
function hint(q, lang) {
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
 */
function control(q, value) {
  if (q.type === "choice") return select(q, value ?? q.default);
  if (q.type === "names") return checks(q, value ?? q.default ?? []);
  const input = /** @type {HTMLInputElement} */ (html("input", { name: q.name, autocomplete: "off", spellcheck: "false", maxlength: 200, inputmode: q.type === "int" ? "numeric" : "text" }));
  input.value = show(value);
  input.placeholder = show(q.default);
  return input;
}

/** Creates the control of a parameter with a fixed set of values. @param {Parameter} q @param {string} value */
function select(q, value) {
  const box = /** @type {HTMLSelectElement} */ (html("select", { name: q.name }, ...(q.options ?? []).map((option) => html("option", { value: option }, option))));
  box.value = value;
  return box;
}

/** Creates the control of a parameter that is a list of names: a checkbox for each name. @param {Parameter} q @param {string[]} value */
function checks(q, value) {
  const box = html("div", { class: "checks wraps", role: "group", tabindex: "-1" });
  for (const option of q.options ?? []) {
    const input = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", name: q.name, value: option }));
    input.checked = value.includes(option);
    box.append(html("label", {}, input, ` ${option}`));
  }
  return box;
}

/** Returns the value of a control, or undefined if it is empty. @param {Parameter} q @param {any} box */
function value(q, box) {
  if (q.type === "names") return [...box.querySelectorAll("input:checked")].map((/** @type {HTMLInputElement} */ i) => i.value);
  const text = box.value.trim();
  if (q.type === "choice") return text;
  if (text === "") return undefined;
  if (q.type === "ints" && /[,\s[\]]/.test(text)) return text.replace(/[[\]]/g, "").split(/[,\s]+/).filter(Boolean).map(number);
  return number(text);
}

/** Converts text to a number if it is an integer, and returns other text unchanged. @param {string} text */
function number(text) {
  return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

/** Reports whether a value equals the parameter's default. @param {Parameter} q @param {any} given */
function isDefault(q, given) {
  return given === undefined || show(given) === show(q.default ?? (q.type === "names" ? [] : undefined));
}
