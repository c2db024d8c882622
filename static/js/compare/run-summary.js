// @ts-check
/**
 * Shows the summary of /api/compare in the story when a run has been played to its end, until the cursor
 * moves.
 */
import { requestJSON } from "../core/requests.js";
import { byId, html, setText } from "../core/dom.js";

/**
 * Returns a summary as elements. Lane names are highlighted, since a name may be an ordinary word such as
 * "none".
 * @param {string[]} sentences @param {string[]} lanes
 */
export function summaryParts(sentences, lanes) {
  const names = [...lanes].sort((a, b) => b.length - a.length).map((id) => id.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const named = new RegExp(`(?<![\\p{L}\\p{N}-])(${names.join("|")})(?![\\p{L}\\p{N}-])(?! timer | run | more lane)`, "u");
  const code = (/** @type {string} */ part, /** @type {number} */ k) => (k % 2 ? html("code", {}, part) : document.createTextNode(part));
  return sentences.join(" ").split(/`([^`]+)`/).flatMap((part, k) => (k % 2 || names.length === 0 ? [code(part, k)] : part.split(named).map(code)));
}

class RunSummary {
  #playing = false;
  #shown = "";

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.box = byId("run-verdict");
    this.text = /** @type {Element} */ (this.box.querySelector("p"));
    byId("run-verdict-close").addEventListener("click", () => this.#hide());
    byId("run-verdict-more").addEventListener("click", () => {
      this.#hide();
      app.panes.open("compare");
    });
  }

  begin() { this.#hide(); }

  moved() { if (this.app.store.tick !== this.app.store.until) this.#hide(); }

  /** Handles a message from the server. Requests the summary when a `player` message reports the end of the run. @param {any} message */
  received(message) {
    if (message.kind !== "player") return;
    const ended = this.#playing && !message.playing && message.end;
    this.#playing = message.playing;
    if (ended && !this.app.panes?.isOpen("compare") && this.app.store.lanes.length > 0) this.#fetch();
  }

  async #fetch() {
    const { app } = this;
    const { run, until } = app.store;
    if (!app.served) return;
    const comparison = await requestJSON(app, "compare", { run }, { wanted: () => run === app.store.run && app.store.tick === until });
    if (typeof comparison === "string" || run !== app.store.run || app.store.tick !== until) return;
    this.text.replaceChildren(...summaryParts(comparison.verdict, comparison.rows.map((/** @type {any} */ row) => row.lane)));
    this.box.hidden = false;
    this.#shown = run;
  }

  #hide() {
    if (this.#shown) setText(this.text, "");
    this.#shown = "";
    this.box.toggleAttribute("hidden", true);
  }
}

/** Creates the feature. @param {any} app */
export const runSummary = (app) => new RunSummary(app);
