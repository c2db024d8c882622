// @ts-check
/**
 * The list of scenarios on the page /scenarios and in the lab's dialog. It searches while the user types,
 * handles keys, and adds the user's own scenarios that are stored in this browser.
 */
import { html, setText } from "../core/dom.js";
import { savedRuns, readScenario } from "../core/saved-scenarios.js";
import { t } from "../core/texts.js";

export class Gallery {
  /** @param {HTMLElement} box the element #gallery */
  constructor(box) {
    this.box = box;
    this.search = /** @type {HTMLInputElement} */ (box.querySelector("#gallery-search"));
    this.count = /** @type {Element} */ (box.querySelector("#gallery-count"));
    this.none = /** @type {HTMLElement} */ (box.querySelector("#gallery-none"));
    this.#addOwn();
    this.search.addEventListener("input", () => this.#find());
    box.addEventListener("keydown", (event) => this.#key(event));
    this.#find();
  }

  /** Returns the links of all scenarios. */
  get #cards() {
    return /** @type {HTMLElement[]} */ ([...this.box.querySelectorAll(".scenario-card")]);
  }

  /** Adds the scenarios stored in this browser to the last group, the newest first. */
  #addOwn() {
    const list = /** @type {Element} */ (this.box.querySelector('[data-group="imported"] ul'));
    const { base = "", lang = "en" } = this.box.dataset;
    for (const run of [...savedRuns()].reverse()) {
      const own = described(readScenario(run), lang);
      if (!own) continue;
      const card = html("a", { class: "scenario-card card", href: `${base}/?${new URLSearchParams({ mine: run, lang })}`, "data-words": `${own.title} ${own.name} ${own.summary}`.toLowerCase() });
      const name = html("b", { class: "name" }, own.title || own.name || t("scenario.unnamed"));
      const size = html("small", { class: "size" }, t("gallery.lanes", { n: own.lanes }));
      const about = html("span", { class: "about-it" }, name, html("span", { class: "sentence" }, own.summary), size);
      card.append(html("span", { class: "thumb" }), about);
      list.append(html("li", {}, card));
    }
  }

  /** Shows only the scenarios that contain every word in the search field, and updates the number of results. */
  #find() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const cards = this.#cards;
    for (const card of cards) {
      const item = /** @type {HTMLElement} */ (card.parentElement);
      item.hidden = !words.every((word) => card.dataset.words?.includes(word));
    }
    for (const group of /** @type {NodeListOf<HTMLElement>} */ (this.box.querySelectorAll(".gallery-group"))) {
      group.hidden = words.length > 0 && !group.querySelector("li:not([hidden])");
    }
    const found = this.#found.length;
    this.none.hidden = found > 0;
    setText(this.count, t("gallery.count", { n: found, all: cards.length }));
  }

  /** Returns the links that are shown. */
  get #found() {
    return this.#cards.filter((card) => !card.parentElement?.hidden);
  }

  /**
   * Moves the focus with the arrow keys. In the search field, Enter opens the first scenario.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const found = this.#found;
    const at = found.indexOf(/** @type {HTMLElement} */ (event.target));
    const inSearch = event.target === this.search;
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && inSearch) found[0]?.click();
    else if (event.key === "ArrowDown") (found[at + 1] ?? this.search).focus();
    else if (event.key === "ArrowUp") (at === 0 || (inSearch && found.length === 0) ? this.search : found.at(inSearch ? -1 : at - 1))?.focus();
    else if (event.key.length === 1 && event.key !== " " && !inSearch) this.search.focus(); // the letter goes to the search
    else return;
    if (event.key.length > 1) event.preventDefault();
  }
}

/**
 * Returns the description of a stored scenario, or null if the scenario can't be read.
 * @param {string|null} text JSON @param {string} lang
 */
function described(text, lang) {
  try {
    const { name = "", title = "", summary = "", lanes = [] } = JSON.parse(text ?? "");
    const words = (/** @type {any} */ of) => String(typeof of === "string" ? of : of?.[lang] ?? of?.en ?? "");
    return { name: String(name), title: words(title), summary: words(summary), lanes: Array.isArray(lanes) ? lanes.length : 0 };
  } catch {
    return null;
  }
}
