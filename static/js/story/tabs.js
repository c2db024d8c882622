// @ts-check
/** The tabs of the panel: Story, Timer, Log and Rule. The name of the open tab is stored in the browser. */
import { byId } from "../core/dom.js";
import { readStored, writeStored } from "../core/storage.js";
import { roveFocus, stop } from "./roving-focus.js";

const KEY = "wheelscope.tab";

export class Tabs {
  open = "story";

  /** @param {(name: string) => void} opened */
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
    this.opened(name);
  }
}

/** Returns the name of a tab. @param {HTMLElement} tab */
function nameOf(tab) {
  return tab.id.slice("tab-".length);
}
