// @ts-check
/** Colours: as the system, light, dark. Kept in the browser; set before the first paint by the page's head. */
import { byId } from "./dom.js";
import { t } from "./texts.js";

const KEY = "wheelscope.theme";
const THEMES = ["auto", "light", "dark"];

/** Listens for the switch. @param {() => void} changed */
export function listenForTheme(changed) {
  const button = byId("theme");
  const root = document.documentElement;
  const tell = () => {
    const words = t(`theme.${root.dataset.theme ?? "auto"}`);
    button.setAttribute("aria-label", words);
    button.title = words;
  };
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(root.dataset.theme ?? "auto") + 1) % THEMES.length];
    if (next === "auto") delete root.dataset.theme;
    else root.dataset.theme = next;
    remember(next);
    tell();
    changed();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
  tell();
}

/** @param {string} theme */
function remember(theme) {
  try {
    if (theme === "auto") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // a browser that keeps nothing: the choice lasts as long as the page
  }
}
