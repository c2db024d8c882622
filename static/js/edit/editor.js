// @ts-check
/**
 * Editing: undo and redo, and the sheets in which the user edits the lanes and the workload, manages the
 * branches, plays and makes lectures, shares the run and imports files. The module of a sheet is imported when the sheet is first opened. At
 * most one sheet is open. It replaces the panel, so that the effect of an edit on the lanes is visible.
 */
import { byId, setDisabled, setText } from "../core/dom.js";
import { branchName } from "../core/branches.js";
import { t } from "../core/texts.js";

/** @typedef {import("../page/feature.js").LoadSheet} LoadSheet @typedef {import("../page/feature.js").Sheet} Sheet */

export class Editor {
  /** @type {Map<string, Sheet>} */
  #made = new Map();
  /** Id of the open sheet, or "" if there is none. */
  #open = "";
  /** Resolves when the last undo or redo has ended. @type {Promise<any>} */
  #turn = Promise.resolve();

  /** @param {any} app @param {Record<string, LoadSheet>} modules functions that import the modules, by the id of the sheet */
  constructor(app, modules) {
    this.app = app;
    this.modules = modules;
    app.branches.changed = () => this.#branched();
    for (const button of this.#buttons()) {
      button.addEventListener("click", () => this.toggle(button.dataset.sheet ?? ""));
    }
    for (const id of Object.keys(modules)) this.#listen(byId(id));
    byId("undo").addEventListener("click", () => this.act("undo"));
    byId("redo").addEventListener("click", () => this.act("redo"));
    listenForMenu(byId("menu-open"));
    this.#branched();
    const linked = `${location.hash.slice(1)}-sheet`; // such as #own, a link of another page
    if (Object.hasOwn(modules, linked)) this.open(linked);
  }

  /** Returns the buttons that open the sheets. @returns {NodeListOf<HTMLElement>} */
  #buttons() { return document.querySelectorAll("[data-sheet]"); }

  /** Installs the listeners of a sheet's dialog. @param {HTMLDialogElement} box */
  #listen(box) {
    box.querySelector("[data-close-sheet]")?.addEventListener("click", () => this.close());
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      event.stopPropagation();
      this.close();
    });
  }

  /** Opens a sheet, or closes it if it is open. @param {string} id */
  toggle(id) {
    if (this.#open === id) this.close();
    else this.open(id);
  }

  /** Opens a sheet in place of the open one. @param {string} id */
  async open(id) {
    this.close(false);
    const box = byId(id);
    this.#open = id;
    box.show();
    byId(`${id}-title`).focus();
    this.#mark();
    if (!this.#made.has(id)) {
      const module = await this.modules[id]().catch(() => null);
      if (!module) return setText(box.querySelector(".error"), t("error.link"));
      if (!this.#made.has(id)) this.#made.set(id, module.make(this.app, box));
    }
    if (this.#open === id) this.#made.get(id)?.open?.();
  }

  /** Closes the open sheet. @param {boolean} [back] whether to return the focus to the button */
  close(back = true) {
    if (!this.#open) return;
    const id = this.#open;
    this.#made.get(id)?.close?.();
    this.#open = "";
    byId(id).close();
    this.#mark();
    if (back) this.#buttons().forEach((b) => b.dataset.sheet === id && b.focus());
  }

  #mark() {
    for (const button of this.#buttons()) button.setAttribute("aria-expanded", String(button.dataset.sheet === this.#open));
    document.body.dataset.sheetOpen = this.#open;
  }

  get #sheet() { return this.#made.get(this.#open); }

  begin() { this.#sheet?.begin?.(); }

  /** Handles the keys of undo, redo and the sheets. @param {string} action */
  act(action) {
    if (action === "undo" || action === "redo") this.#turn = this.#turn.catch(() => {}).then(() => this.#go(action)); // one after another
    else if (Object.hasOwn(this.modules, action)) this.toggle(action);
    else return false;
    return true;
  }

  /**
   * Undoes or redoes an edit by displaying a branch at a cursor, and shows a message with the outcome.
   * @param {"undo"|"redo"} action
   */
  async #go(action) {
    const { branches } = this.app;
    const to = action === "undo" ? branches.before : branches.after;
    if (!to) return this.app.say(t("making.nothing"));
    const what = action === "undo" ? branches.find(branches.current) : to.branch;
    const fault = await this.app.goTo(to.branch, to.cursor);
    if (!fault) this.app.say(t(action === "undo" ? "making.undone" : "making.redone", { what: branchName(what) }));
    else this.app.say(fault.path === "link" ? t("error.link") : fault.message);
  }

  #branched() {
    const { branches } = this.app;
    setDisabled(byId("undo"), !branches.before);
    setDisabled(byId("redo"), !branches.after);
    const n = branches.list.length;
    this.#buttons().forEach((b) => b.dataset.sheet === "branches-sheet" && setText(b, n > 1 ? t("making.branches.n", { n }) : t("making.branches")));
    this.#sheet?.changed?.();
  }
}

/** Opens and closes the menu of a narrow window: on a click on its button, outside and on an item, and on Escape. @param {HTMLElement} button */
function listenForMenu(button) {
  const bar = /** @type {HTMLElement} */ (button.closest(".bar"));
  const show = (/** @type {boolean} */ open) => {
    bar.classList.toggle("menu-open", open);
    button.setAttribute("aria-expanded", String(open));
  };
  button.addEventListener("click", () => show(!bar.classList.contains("menu-open")));
  addEventListener("click", (event) => {
    if (event.target instanceof Element && !button.contains(event.target) && !event.target.closest("#theme, #theme-menu")) show(false);
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !bar.classList.contains("menu-open") || event.defaultPrevented) return;
    event.preventDefault();
    if (bar.contains(document.activeElement)) button.focus();
    show(false);
  });
}
