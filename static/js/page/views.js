// @ts-check
/**
 * A feature of the page: the views of the lanes. The layout is the stage, with one large lane and thumbnails
 * of the others, or the gallery, in which all lanes have the same size. The dials can turn under fixed hands,
 * and the tables can be folded. The server renders the same layout.
 */
import { STAGE_LANES } from "../core/limits.js";
import { byId, setAttr } from "../core/dom.js";
import { readStored, writeStored } from "../core/storage.js";

/** Key in the browser's storage for whether dials turn under fixed hands: "turns" or "fixed". */
const DIAL = "wheelscope.dial";
/** Key in the browser's storage for whether tables are open: "open" or "folded". */
const FOLDED = "wheelscope.tables";

export class Views {
  /** Id of the lane that is large on the stage. */
  #large = "";
  /** Whether the layout was chosen by the user or the URL. */
  #chosen = ["gallery", "stage"].includes(new URLSearchParams(location.search).get("view") ?? "");
  /** Whether the tables are open. */
  #open = false;

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.main = /** @type {HTMLElement} */ (app.main);
    this.box = byId("lanes");
    this.stage = this.main.dataset.layout === "stage";
    this.#large = /** @type {HTMLElement|null} */ (this.box.querySelector("section.large"))?.dataset.lane ?? "";
    this.box.addEventListener("click", (/** @type {MouseEvent} */ e) => this.#click(/** @type {Element} */ (e.target)));
    this.box.addEventListener("toggle", (/** @type {Event} */ e) => this.#fold(/** @type {HTMLDetailsElement} */ (e.target)), true);
    app.lanes.dial = readStored(DIAL) === "turns";
    this.#tables();
  }

  /**
   * The layout to write to the URL, or null if it is the default.
   * @returns {{view: string, lane: string}|null}
   */
  get inURL() {
    return this.#chosen ? { view: this.stage ? "stage" : "gallery", lane: this.stage ? this.#large : "" } : null;
  }

  /** Index of the lane that is large on the stage, or −1 if there is none. */
  get first() { return this.stage ? this.#sections().findIndex((s) => s.dataset.lane === this.#large) : -1; }

  begin() {
    const sections = this.#sections();
    if (!this.#chosen) this.stage = (sections.length >= STAGE_LANES || "staged" in this.main.dataset) && !document.body.classList.contains("embed");
    if (!sections.some((s) => s.dataset.lane === this.#large)) this.#large = sections[0]?.dataset.lane ?? "";
    this.#show();
  }

  /** Handles the keys of the views. @param {string} action */
  act(action) {
    const [what, which] = action.split(":");
    if (what === "dial") this.#turn();
    else if (what === "tables") this.#foldAll(!this.#open);
    else if (what === "layout") this.layOut(!this.stage);
    else if (what === "large") return this.#choose(which);
    else return false;
    return true;
  }

  /** Returns the sections of the lanes. @returns {HTMLElement[]} */
  #sections() { return [...this.box.querySelectorAll("section[data-lane]")]; }

  /** Makes another lane large. Returns false if there is no such lane. @param {string} which number of the lane, from 1, or "next" or "back" */
  #choose(which) {
    const sections = this.#sections();
    const way = { next: 1, back: -1 }[which];
    const at = way ? (this.first + way + sections.length) % sections.length : Number(which) - 1;
    const id = sections[at]?.dataset.lane;
    if (id === undefined) return false;
    this.layOut(true, id);
    return true;
  }

  /** Handles the buttons of a lane. @param {Element} target */
  #click(target) {
    const view = target.closest("[data-view]")?.getAttribute("data-view");
    const id = /** @type {HTMLElement|null} */ (target.closest("section[data-lane]"))?.dataset.lane;
    if (view === "large" && id !== undefined) this.layOut(!this.stage || id !== this.#large, id);
    else if (view === "dial") this.#turn();
  }

  /**
   * Shows the stage or the gallery. Called by features, too.
   * @param {boolean} stage @param {string} [id] id of the large lane; by default it does not change
   */
  layOut(stage, id = this.#large) {
    this.stage = stage;
    this.#large = id;
    this.#chosen = true;
    this.#show();
    this.app.layoutChanged();
  }

  #turn() {
    const { lanes } = this.app;
    lanes.dial = !lanes.dial;
    writeStored(DIAL, lanes.dial ? "turns" : "fixed");
    this.#show();
    lanes.stale = true;
    this.app.loop.request();
  }

  /** Applies the layout to the page. */
  #show() {
    const sections = this.#sections();
    setAttr(this.main, "data-layout", this.stage ? "stage" : "gallery");
    for (const section of sections) {
      const large = this.stage && section.dataset.lane === this.#large;
      section.classList.toggle("large", large);
      section.querySelector(".picture")?.toggleAttribute("data-stage-picture", large);
      section.querySelector("[data-view=large]")?.setAttribute("aria-pressed", String(large));
      section.querySelector("[data-view=dial]")?.setAttribute("aria-pressed", String(this.app.lanes.dial));
    }
    this.#tables();
  }

  /** Opens or folds the tables as the user chose. Without a choice, they are folded. */
  #tables() {
    const chosen = readStored(FOLDED);
    this.#open = chosen === "open";
    this.box.toggleAttribute("data-folded", !this.#open);
    for (const fold of /** @type {NodeListOf<HTMLDetailsElement>} */ (this.box.querySelectorAll(".fold"))) fold.open = this.#open;
  }

  /**
   * Folds or unfolds all tables after the user has folded or unfolded one of them.
   * @param {HTMLDetailsElement} fold element that contains the table
   */
  #fold(fold) {
    if (fold.matches?.(".fold") && fold.open !== this.#open) this.#foldAll(fold.open);
  }

  /** Folds or unfolds all tables, and stores the choice. @param {boolean} open */
  #foldAll(open) {
    writeStored(FOLDED, open ? "open" : "folded");
    this.#tables();
  }
}
