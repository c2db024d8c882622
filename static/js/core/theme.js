// @ts-check
/**
 * The user's choice of colours and motion. It is stored in attributes of the root element, which the style
 * sheets (themes.css) use, and in the browser. A script in the head of the page applies it before the first
 * paint.
 */
import { byId } from "./dom.js";
import { forgetPalette, listenForColours } from "./colours.js";
import { writeStored } from "./storage.js";

/** The default value of each setting. @type {Record<string, string>} */
const NONE = { theme: "auto", motion: "" };
/** Maximum number of frames drawn before printing, in case the page always requests another one. */
const PRINT_FRAMES_MAX = 100;

class Themes {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.root = document.documentElement;
    this.menu = byId("theme-menu");
    this.menu.addEventListener("change", (/** @type {Event} */ event) => {
      const field = /** @type {HTMLInputElement} */ (event.target);
      this.choose(field.name, field.type === "checkbox" && !field.checked ? NONE[field.name] : field.value);
    });
    this.menu.addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
    listenForColours(() => this.#changed());
    addEventListener("beforeprint", () => this.#print());
    this.#showChoices();
  }

  /** Applies and stores a setting. @param {string} name @param {string} value */
  choose(name, value) {
    if (value === NONE[name]) delete this.root.dataset[name];
    else this.root.dataset[name] = value;
    writeStored(`wheelscope.${name}`, value === NONE[name] ? "" : value);
    this.#showChoices();
    this.#changed();
  }

  /** Marks the chosen values in the menu. */
  #showChoices() {
    for (const field of this.menu.querySelectorAll("input")) field.checked = (this.root.dataset[field.name] ?? NONE[field.name]) === field.value;
  }

  /** Redraws canvases. */
  #changed() {
    forgetPalette();
    this.app.lanes.stale = true;
    this.app.loop.request();
  }

  /** Prepares the page for printing. Since paper is white, canvases are drawn in the light theme, and restored after printing. */
  #print() {
    const { theme } = this.root.dataset;
    this.root.dataset.theme = "light";
    this.#changed();
    for (let n = 0; n < PRINT_FRAMES_MAX && this.app.loop.draw(); n++);
    addEventListener("afterprint", () => {
      if (theme) this.root.dataset.theme = theme;
      else delete this.root.dataset.theme;
      this.#changed();
    }, { once: true });
  }
}

/** Creates the feature. It implements no methods of Feature. @param {any} app @returns {{}} */
export const themes = (app) => new Themes(app);
