// @ts-check
/**
 * A feature of the page: the panel beside the lanes, with its tabs, the story, the log and the history of a
 * timer.
 */
import { Life } from "./life.js";
import { Log } from "./log.js";
import { Rule } from "./view.js";
import { byId, roveFocus, stop } from "../core/dom.js";
import { readStored, writeStored } from "../core/storage.js";

/** Creates the feature. @param {any} app @returns {import("../page/feature.js").Feature} */
export function panel(app) {
  const log = new Log(app);
  const life = new Life(app);
  const rule = new Rule(app);
  app.life = life; // for other displays of the followed timer
  app.tabs = new Tabs(() => { log.moved(); app.loop.request(); }); // an open log is requested again
  return {
    begin: () => { log.begin(); life.begin(); },
    moved: () => log.moved(),
    draw: () => { app.story.draw(); log.draw(); life.draw(); rule.draw(); },
  };
}

/** Key in the browser's storage for the open tab. */
const KEY = "wheelscope.tab";

class Tabs {
  open = "story";

  /** @param {() => void} opened */
  constructor(opened) {
    this.opened = opened;
    const list = /** @type {HTMLElement} */ (document.querySelector(".tabs"));
    this.tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=tab]")]);
    for (const tab of this.tabs) tab.addEventListener("click", () => this.show(nameOf(tab)));
    roveFocus(list, "[role=tab]", (tab) => this.show(nameOf(tab)));
    const kept = readStored(KEY, "sessionStorage") ?? "";
    if (this.tabs.some((tab) => nameOf(tab) === kept)) this.show(kept);
  }

  /** Opens a tab by name. @param {string} name */
  show(name) {
    this.open = name;
    for (const tab of this.tabs) {
      const mine = nameOf(tab) === name;
      tab.setAttribute("aria-selected", String(mine));
      byId(`panel-${nameOf(tab)}`).hidden = !mine;
      if (mine) stop(this.tabs, tab);
    }
    const box = /** @type {HTMLElement} */ (document.querySelector(".panel"));
    box.dataset.tab = name;
    writeStored(KEY, name, "sessionStorage");
    this.opened();
  }
}

/** Returns the name of a tab. @param {HTMLElement} tab */
function nameOf(tab) {
  return tab.id.slice("tab-".length);
}
