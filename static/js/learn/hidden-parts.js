// @ts-check
/**
 * Hides the parts of the page that show the answer to an open question. The server names
 * them in the question; css/lessons.css hides them by main[data-hides].
 */
import { setText } from "../core/dom.js";
import { t } from "../core/texts.js";

const main = () => /** @type {HTMLElement} */ (document.querySelector("main"));

/** Hides parts and says so in a note. @param {string[]} parts of the question @param {Element} note */
export function hideParts(parts, note) {
  main().dataset.hides = parts.join(" ");
  setText(note, parts.length > 0 ? t("quiz.hidden", { parts: parts.map((part) => t(`quiz.hides.${part}`)).join(", ") }) : "");
}

/** Shows all parts again. */
export function showParts() {
  delete main().dataset.hides;
}
