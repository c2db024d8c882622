// @ts-check
/**
 * Views of the lanes: one of them large, a dial that turns under a fixed hand, folded
 * tables. A feature of the page (feature.js).
 */
import { byId } from "../core/dom.js";

/** Keys in the browser's storage. */
const DIAL = "wheelscope.dial";
const FOLDED = "wheelscope.tables";

/** Returns a stored choice; null if there is none. @param {string} key */
function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // no storage: the choice is kept while the page is open
  }
}

/** Stores a choice. @param {string} key @param {string} value */
function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // as above
  }
}

export class Views {
  /** Id of the large lane; "" if none. */
  #large = "";

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.box = byId("lanes");
    this.box.addEventListener("click", (/** @type {MouseEvent} */ e) => this.#click(/** @type {Element} */ (e.target)));
    this.box.addEventListener("toggle", (/** @type {Event} */ e) => this.#fold(/** @type {HTMLDetailsElement} */ (e.target)), true);
    addEventListener("keydown", (e) => {
      if (e.key === "Escape" && !e.defaultPrevented && !document.querySelector("dialog[open]")) this.#choose(0);
    });
    if (recall(FOLDED) === "folded") this.#foldAll(false);
    app.lanes.dial = recall(DIAL) === "turns";
  }

  begin() {
    if (!this.#sections().some((s) => s.dataset.lane === this.#large)) this.#large = "";
    if (recall(FOLDED) === "folded") this.#foldAll(false);
    this.#show();
  }

  /** Handles the keys of the views. @param {string} action */
  act(action) {
    const [what, number] = action.split(":");
    if (what === "dial") this.#turn();
    else if (what === "tables") this.#foldAll(!this.box.querySelector(".fold").open);
    else if (what === "large") return this.#choose(Number(number));
    else return false;
    return true;
  }

  /** Returns the sections of the lanes. @returns {HTMLElement[]} */
  #sections() { return [...this.box.querySelectorAll("section[data-lane]")]; }

  /** Makes the n-th lane large, or restores it if it is already; 0 restores all. @param {number} n */
  #choose(n) {
    const section = this.#sections()[n - 1];
    if (n > 0 ? !section : !this.#large) return false;
    this.#enlarge(section?.dataset.lane ?? "");
    return true;
  }

  /** Handles the buttons of a picture. @param {Element} target */
  #click(target) {
    const button = target.closest("[data-view]");
    const section = /** @type {HTMLElement|null} */ (target.closest("section[data-lane]"));
    if (!section) return;
    const view = button?.getAttribute("data-view");
    if (view === "large") this.#enlarge(section.dataset.lane ?? "");
    else if (view === "dial") this.#turn();
    else if (this.#large && section.dataset.lane !== this.#large && target.closest("header") && !target.closest("a")) this.#enlarge(section.dataset.lane ?? "");
  }

  /** Makes a lane large, or restores it if it is. @param {string} id */
  #enlarge(id) {
    this.#large = id === this.#large ? "" : id;
    this.#show();
    this.app.lanes.stale = true;
    this.app.loop.ask();
  }

  #turn() {
    const { lanes } = this.app;
    lanes.dial = !lanes.dial;
    remember(DIAL, lanes.dial ? "turns" : "fixed");
    this.#show();
    lanes.stale = true;
    this.app.loop.ask();
  }

  /** Applies the choice to the page. */
  #show() {
    const sections = this.#sections();
    this.box.dataset.lanes = String(sections.length);
    this.box.toggleAttribute("data-large", this.#large !== "");
    for (const section of sections) {
      const large = section.dataset.lane === this.#large;
      section.classList.toggle("large", large);
      section.querySelector("[data-view=large]")?.setAttribute("aria-pressed", String(large));
      section.querySelector("[data-view=dial]")?.setAttribute("aria-pressed", String(this.app.lanes.dial));
    }
  }

  /** Folds or unfolds all tables like this one, so that the cards remain alike. @param {HTMLDetailsElement} fold */
  #fold(fold) {
    if (fold.matches?.(".fold") && fold.open === (recall(FOLDED) === "folded")) this.#foldAll(fold.open);
  }

  /** Folds or unfolds all tables, and stores the choice. @param {boolean} open */
  #foldAll(open) {
    remember(FOLDED, open ? "open" : "folded");
    this.box.toggleAttribute("data-folded", !open);
    for (const fold of /** @type {NodeListOf<HTMLDetailsElement>} */ (this.box.querySelectorAll(".fold"))) fold.open = open;
  }
}
