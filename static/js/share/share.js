// @ts-check
/**
 * A feature of the page: handles shared URLs, and imports files
 * that are not plain scenarios. The modules for these are imported when they are needed.
 */
import { byId, setAttr, setText } from "../core/dom.js";
import { SHARED, requestedRun } from "../core/saved-scenarios.js";
import { t } from "../core/texts.js";

/** Display time of a success message, in milliseconds. */
const GOOD_MS = 10_000;

export class Share {
  /** The shared URL that is being processed. @type {import("./arrival.js").Arrival|null} */
  #arrival = null;
  /** Whether a run was displayed before. */
  #begun = false;
  /**
   * Digest of the run that the URL of the page requests, or "" for a shared URL, which contains the scenario.
   */
  #requested = location.hash.startsWith(SHARED) ? "" : requestedRun();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer = undefined;

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    app.share = this;
    this.box = byId("arrival");
    byId("arrival-close").addEventListener("click", () => this.hide());
    addEventListener("hashchange", (event) => this.#arrive(new URL(event.newURL))); // location may have changed meanwhile
    this.#arrive(new URL(location.href)); // at once: the URL is rewritten as soon as there is a state
  }

  begin() {
    const first = !this.#begun;
    this.#begun = true;
    if (this.#arrival) this.#arrival.begin();
    else if (first && this.#requested && this.#requested !== this.app.store.run) this.show("bad", t("share.elsewhere"));
  }

  moved() { this.#arrival?.moved(); }

  /** Opens a file that is not a plain scenario. @param {File} file */
  async importFile(file) { (await this.#module(() => import("./import-sheet.js")))?.importFile(this.app, file); }

  /**
   * Imports a module. Shows an error and returns null if that fails.
   * @template T @param {() => Promise<T>} load @returns {Promise<T|null>}
   */
  async #module(load) {
    const module = await load().catch(() => null);
    if (!module) this.app.say(t("error.link"));
    return module;
  }

  /** Processes a shared URL. @param {URL} address */
  async #arrive(address) {
    if (!address.hash.startsWith(SHARED)) return;
    const module = await this.#module(() => import("./arrival.js"));
    const arrival = await module?.arrivalOf(this, address);
    if (!arrival) return;
    this.#arrival = arrival;
    if (this.#begun) arrival.begin();
  }

  /**
   * Shows the outcome of opening a shared URL in the page header.
   * @param {"good"|"bad"} how @param {string} message
   */
  show(how, message) {
    clearTimeout(this.#timer);
    this.box.hidden = false;
    setAttr(this.box, "data-how", how);
    setText(byId("arrival-text"), message);
    if (how === "good") this.#timer = setTimeout(() => this.hide(), GOOD_MS);
  }

  hide() { this.box.hidden = true; }
}
