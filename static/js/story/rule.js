// @ts-check
/** The tab with the rule of a lane's algorithm: the idea, the whole pseudo-code, and a link to the page about it. */
import { byId, html, setText } from "../core/dom.js";
import { codeLine, descriptionOf, procedureName } from "./code.js";

export class Rule {
  #shown = "";

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.page = /** @type {HTMLAnchorElement} */ (byId("rule-page"));
  }

  /** Shows the rule of the lane that the story is about, if the tab is open. */
  draw() {
    const { app } = this;
    const info = app.store.infos[app.story.lane];
    if (!info || app.tabs.open !== "rule" || this.#shown === info.algorithm) return;
    const found = descriptionOf(info.algorithm, () => app.loop.ask());
    setText(byId("rule-name"), info.title[app.lang] ?? info.title.en);
    if (this.page.hasAttribute("href")) this.page.href = `${app.base}/algorithms/${info.algorithm}?lang=${app.lang}`;
    if (!found) return;
    this.#shown = info.algorithm;
    setText(byId("rule-what"), found.idea[/** @type {"en"|"zh"} */ (app.lang)] ?? found.idea.en);
    const procedures = [...new Set(found.code.map(({ proc }) => proc))];
    byId("rule-code").replaceChildren(...procedures.map((proc) => html("figure", { class: "code" },
      html("figcaption", {}, procedureName(proc)),
      html("ol", {}, ...found.code.filter((line) => line.proc === proc).map((line) => codeLine(found.lines.textOf(line, app.lang)))))));
  }
}
