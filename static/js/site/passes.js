// @ts-check
/**
 * Shows long passes of the engine, and lets the user cancel them. A pass is the first computation of a run. The
 * engine announces a pass of so many timers or so much memory that the user must be asked. The user then
 * starts or cancels the pass, and is asked only once for each run.
 */
import { button, html } from "../core/dom.js";
import { t } from "../core/texts.js";

/**
 * @typedef {object} Pass
 * @property {number} number @property {"announced"|"running"|"ended"} state
 * @property {string} run digest of the run @property {string} name name of the scenario
 * @property {number} lanes @property {number} timers @property {string} memory maximum memory, with its unit
 */

export class Passes {
  /** The displayed lines, by number of the pass. @type {Map<number, HTMLElement>} */
  #lines = new Map();

  /**
   * @param {(number: number, start: boolean) => void} decide starts or cancels a pass
   * @param {Set<string>} agreed digests of the runs that the user has started; two engines share the set
   */
  constructor(decide, agreed) {
    this.decide = decide;
    this.agreed = agreed;
  }

  /** Handles a message of the engine about a pass. @param {Pass} pass */
  take(pass) {
    const { number, state } = pass;
    this.#lines.get(number)?.remove();
    this.#lines.delete(number);
    const problem = document.getElementById("problem"); // exists only on the lab's page; other pages open small scenarios
    if (state === "ended") return;
    if (state === "announced" && (!problem || this.agreed.has(pass.run))) return this.decide(number, true);
    if (!problem) return;
    const line = this.#line(pass);
    problem.after(line);
    this.#lines.set(number, line);
  }

  /** Returns the line of a pass. @param {Pass} pass */
  #line({ number, run, state, name, lanes, timers, memory }) {
    const words = html("span", {}, t(`site.pass.${state}`, { name: name || t("scenario.unnamed"), lanes, timers, memory }));
    const line = html("p", { class: "link pass", role: "status", "data-state": state }, words);
    if (state === "announced") line.append(this.#button(number, run, true));
    line.append(this.#button(number, run, false));
    return line;
  }

  /** Returns a button that starts or cancels the pass of a run. @param {number} number @param {string} run @param {boolean} start */
  #button(number, run, start) {
    return button({ class: start ? "primary" : "plain" }, t(start ? "site.pass.start" : "site.pass.cancel"), () => {
      this.agreed[start ? "add" : "delete"](run);
      this.decide(number, start);
    });
  }
}
