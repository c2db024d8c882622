// @ts-check
/**
 * The page of an algorithm: marks the lines of pseudo-code that the embedded wheel executed in the last
 * movement of its cursor.
 */
import { ROW } from "../core/protocol.js";
import { lineOf, load } from "../story/code-lines.js";

/**
 * Marks the lines in `box` whose indices are in `ran`, and unmarks all others.
 * @param {HTMLElement} box @param {Set<number>} ran
 */
function mark(box, ran) {
  for (const line of box.querySelectorAll("[data-line]")) {
    line.toggleAttribute("data-ran", ran.has(Number(line.getAttribute("data-line"))));
  }
}

/**
 * Returns the indices of the lines of code that were executed at the events in rows.
 * @param {import("../story/code-lines.js").Line[]} code @param {number[]} rows
 */
function linesOf(code, rows) {
  const ran = new Set();
  for (let at = 0; at + ROW <= rows.length; at += ROW) ran.add(lineOf(code, rows, at));
  return ran;
}

/**
 * Marks, after each movement of the cursor in the frame `live`, the lines in `box` that its wheel executed.
 * @param {HTMLElement} box @param {HTMLIFrameElement} live
 */
async function follow(box, live) {
  const { code } = await load(box.dataset.algorithm ?? "");
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== live.contentWindow || origin !== location.origin || data?.wheelscope !== "moved") return;
    mark(box, linesOf(code, data.rows));
  });
}

const box = document.getElementById("code");
const live = document.getElementById("live");
if (box && live instanceof HTMLIFrameElement) follow(box, live);
