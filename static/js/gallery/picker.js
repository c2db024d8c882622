// @ts-check
/**
 * The dialog for choosing a scenario in the lab. Its content is the list of the page /scenarios, which is
 * fetched when the dialog is first opened.
 */
import { Gallery } from "./gallery.js";
import { byId, setAttr, setText } from "../core/dom.js";
import { t } from "../core/texts.js";

class Picker {
  /** @type {Gallery|null} */
  #gallery = null;

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("picker"));
    this.body = byId("picker-body");
    this.body.addEventListener("click", (/** @type {MouseEvent} */ event) => this.#choose(event));
  }

  /** Shows the dialog. */
  async open() {
    this.dialog.showModal();
    if (!this.#gallery) await this.#fetch();
    const { search, box } = this.#gallery ?? {};
    for (const card of box?.querySelectorAll("[data-scenario]") ?? []) {
      if (card.getAttribute("data-scenario") === byId("scenario").dataset.scenario) setAttr(card, "aria-current", "true");
      else card.removeAttribute("aria-current");
    }
    search?.focus();
    search?.select();
  }

  /** Fetches the list. */
  async #fetch() {
    setText(this.body, t("gallery.loading"));
    const answer = await fetch(/** @type {HTMLAnchorElement} */ (byId("picker-page")).href).catch(() => null);
    const text = answer?.ok ? await answer.text().catch(() => "") : "";
    const list = new DOMParser().parseFromString(text, "text/html").getElementById("gallery");
    if (!list) return setText(this.body, t("gallery.failed"));
    this.body.replaceChildren(document.adoptNode(list));
    this.#gallery = new Gallery(list);
  }

  /**
   * Handles a click on a built-in scenario: opens it without leaving the page. A click with a modifier key
   * follows the link.
   * @param {MouseEvent} event
   */
  #choose(event) {
    const card = event.target instanceof Element ? event.target.closest("[data-scenario]") : null;
    if (!card || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    this.app.openScenario(card.getAttribute("data-scenario"));
  }
}

/** Creates the dialog. @param {any} app */
export const make = (app) => new Picker(app);
