// @ts-check
/**
 * Colours, sizes and motion as the user wants them: attributes of the root element
 * that the style sheets go by (themes.css). Kept in the browser; set before the first
 * paint by the page's head.
 */
import { byId } from "./dom.js";
import { forgetPalette } from "./colours.js";

/** What can be chosen, and what stands for no choice. @type {Record<string, string>} */
const NONE = { theme: "auto", size: "", motion: "" };
/** Frames at most that are drawn for a print, at one go. */
const PRINT_FRAMES_MAX = 100;

export class Themes {
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
    for (const query of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"]) {
      matchMedia(query).addEventListener("change", () => this.#changed());
    }
    addEventListener("beforeprint", () => this.#print());
    this.#tell();
  }

  /** @param {string} name @param {string} value */
  choose(name, value) {
    if (value === NONE[name]) delete this.root.dataset[name];
    else this.root.dataset[name] = value;
    remember(name, value === NONE[name] ? "" : value);
    this.#tell();
    this.#changed();
  }

  /** @param {string} action */
  act(action) {
    if (action !== "projector") return false;
    this.choose("size", this.root.dataset.size === "projector" ? "" : "projector");
    return true;
  }

  /** Marks what is chosen in the menu. */
  #tell() {
    for (const field of this.menu.querySelectorAll("input")) field.checked = (this.root.dataset[field.name] ?? NONE[field.name]) === field.value;
  }

  /** Pictures on canvases are drawn anew. */
  #changed() {
    forgetPalette();
    this.app.desk.stale = true;
    this.app.loop.ask();
  }

  /** Paper is white, whatever the theme: what canvases hold is drawn for it at once, and as before when it is printed. */
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

/** @param {string} name @param {string} value "": nothing */
function remember(name, value) {
  try {
    if (value) localStorage.setItem(`wheelscope.${name}`, value);
    else localStorage.removeItem(`wheelscope.${name}`);
  } catch {
    // a browser that keeps nothing: the choice lasts as long as the page
  }
}

/** @param {any} app */
export const themes = (app) => new Themes(app);
