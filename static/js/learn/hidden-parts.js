// @ts-check
/**
 * Hides the parts of the page that would show the answer to an open question. The question names these parts,
 * and css/lectures.css hides them according to main[data-hides].
 */
import { setText } from "../core/dom.js";
import { t } from "../core/texts.js";

const main = () => /** @type {HTMLElement} */ (document.querySelector("main"));

/**
 * Hides parts of the page, and lists them in a note.
 * @param {string[]} parts names of the parts, from the question @param {Element} note
 */
export function hideParts(parts, note) {
  main().dataset.hides = parts.join(" ");
  setText(note, parts.length > 0 ? t("quiz.hidden", { parts: parts.map((part) => t(`quiz.hides.${part}`)).join(", ") }) : "");
}

/** Shows all parts again. */
export function showParts() {
  delete main().dataset.hides;
}
