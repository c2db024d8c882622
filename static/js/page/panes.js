// @ts-check
/**
 * The panes that the user opens: the comparison and the questions. Each pane has a button and a
 * key, which open and close it. Its modules are imported when it is first opened. The attribute data-pane of
 * `main` lists the open panes for the style sheets.
 */
import { byId, setText } from "../core/dom.js";
import { t } from "../core/texts.js";

/**
 * @typedef {{open: (linked?: URLSearchParams) => void, close?: () => void, begin?: () => void, moved?: () => void, draw?: () => void, inURL?: Record<string, string>}} Pane
 *   linked: query of a URL that names the pane; the other functions are those of a feature, called while the pane is open
 * @typedef {(app: any, box: HTMLElement, panes: Panes) => Pane} MakePane
 * @typedef {() => Promise<{make: MakePane}>} LoadPane fetches a pane's module
 */


export class Panes {
  /** @type {Map<string, Pane>} */
  #made = new Map();
  /** @type {Set<string>} */
  #open = new Set();
  /** Query of the URL, which names a pane to open, until it is open. @type {URLSearchParams|null} */
  #requested = new URLSearchParams(location.search);

  /**
   * @param {any} app @param {Record<string, LoadPane>} modules functions that import the panes, by name. The name
   *   of a pane is also the id of its element and the action of its key.
   */
  constructor(app, modules) {
    this.app = app;
    this.modules = modules;
    for (const name of Object.keys(modules)) {
      byId(`${name}-open`).addEventListener("click", () => this.toggle(name));
    }
    document.addEventListener("click", (event) => {
      const close = event.target instanceof Element && event.target.closest("[data-close-pane]");
      if (close) this.close(/** @type {HTMLElement} */ (close).dataset.closePane ?? "");
    });
  }

  /** Returns the name of the open pane that the URL names, with what it adds to the URL. */
  get inURL() {
    const name = ["quiz", "compare"].find((one) => this.isOpen(one)) ?? "";
    return { name, more: this.#made.get(name)?.inURL ?? {} };
  }

  /** Reports whether a pane is open. @param {string} name */
  isOpen(name) { return this.#open.has(name); }

  /** Opens a pane, or closes it if it is open. @param {string} name */
  toggle(name) {
    if (this.#open.has(name)) this.close(name);
    else this.open(name);
  }

  /**
   * Opens a pane.
   * @param {string} name @param {URLSearchParams} [linked] query of the URL that names the pane
   */
  async open(name, linked) {
    const box = byId(name);
    this.#open.add(name);
    box.hidden = false;
    this.#show();
    if (!this.#made.has(name)) {
      const module = await this.modules[name]().catch(() => null);
      if (!module) return this.#failed(name, box);
      if (!this.#made.has(name)) this.#made.set(name, module.make(this.app, box, this));
    }
    if (this.#open.has(name)) this.#made.get(name)?.open(linked);
    this.app.loop.request();
  }

  /** Closes a pane. @param {string} name */
  close(name) {
    const box = byId(name);
    if (box.hidden) return;
    this.#open.delete(name); // already removed if its modules could not be fetched
    const inside = box.contains(document.activeElement);
    box.hidden = true;
    this.#made.get(name)?.close?.();
    this.#show();
    if (inside) byId(`${name}-open`).focus();
  }

  /** Handles a pane whose modules could not be fetched. @param {string} name @param {HTMLElement} box */
  #failed(name, box) {
    const line = box.querySelector("[data-problem]");
    if (line) setText(line, t("pane.failed"));
    else this.app.problem(t("pane.failed"));
    this.#open.delete(name); // so that the next press tries again; the message remains until then
    this.#show();
  }

  #show() {
    this.app.main.dataset.pane = [...this.#open].join(" ");
    this.app.url.request();
    for (const name of Object.keys(this.modules)) byId(`${name}-open`).setAttribute("aria-pressed", String(this.#open.has(name)));
  }

  begin() {
    const requested = this.#requested?.get("pane") ?? "";
    if (this.#requested && requested in this.modules) this.open(requested, this.#requested);
    this.#requested = null;
    this.#each((pane) => pane.begin?.());
  }

  moved() { this.#each((pane) => pane.moved?.()); }

  draw() { this.#each((pane) => pane.draw?.()); }

  /** Opens or closes the pane of a key action. @param {string} action */
  act(action) {
    if (!(action in this.modules)) return false;
    this.toggle(action);
    return true;
  }

  /** Calls the function `use` for each open pane. @param {(pane: Pane) => void} use */
  #each(use) {
    for (const name of this.#open) {
      const pane = this.#made.get(name);
      if (pane) use(pane);
    }
  }
}
