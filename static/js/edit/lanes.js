// @ts-check
/**
 * The lane editor: a list of the lanes, which the user can change, move and remove, and a form for adding a
 * lane. Every change is a command that creates a branch.
 */
import { button, byId, html, setDisabled, setText, svg } from "../core/dom.js";
import { t } from "../core/texts.js";
import { LaneForm } from "./lane-form.js";
import { request } from "../core/transport.js";

/** @typedef {import("./lane-form.js").Algorithm} Algorithm */

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
    if (this.#editing !== null && this.#editing !== "" && !infos.some((/** @type {any} */ l) => l.id === this.#editing)) this.#editing = null;
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
    const head = html("div", { class: "lane-row" }, name,
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
    return button({ "data-what": what, "aria-label": name, title: name, ...(off ? { disabled: "" } : {}) }, word, act);
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

  /** Opens the form of a lane below its item. @param {Element} item @param {import("./lane-form.js").LaneData} lane */
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
    const id = lane.id ?? lane.algorithm;
    const taken = new Set(this.app.store.infos.map((/** @type {any} */ l) => l.id));
    if (!lane.id && taken.has(id)) lane = { id: free(id, taken), ...lane };
    if (await this.#send({ add: lane }, "add", lane.id ?? id)) return;
    this.#focus = [lane.id ?? id, "edit"];
    this.#editing = null;
    this.begin();
  }

  /** Adds a copy of a lane, which the user can edit to compare two settings. @param {any} info */
  async #copy({ id, algorithm, params }) {
    const made = free(id, new Set(this.app.store.infos.map((/** @type {any} */ l) => l.id)));
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
    else setText(byId("lanes-error"), fault.path === "link" ? t("error.link") : t("error.at", { ...fault }));
    return fault;
  }
}

/**
 * Returns a lane name, such as "heap-2", that is not in use.
 * @param {string} id @param {Set<string>} taken
 */
function free(id, taken) {
  let n = 2;
  while (taken.has(`${id}-${n}`)) n++;
  return `${id}-${n}`;
}

/** Creates the sheet. @param {any} app @param {HTMLElement} box */
export const make = (app, box) => new LanesSheet(app, box);

/** Returns an icon of two overlapping sheets. It is drawn since few fonts contain it. */
function copyMark() {
  const look = { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", fill: "none", stroke: "currentColor", "stroke-width": 1.4 };
  return svg("svg", look, svg("path", { d: "M5.5 5.5V2.5h8v8h-3M2.5 5.5h8v8h-8z" }));
}
