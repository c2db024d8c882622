// @ts-check
/**
 * The script of an algorithm's page. The page contains the lab in a frame. When the cursor of the lab moves,
 * this script marks the lines of pseudo-code that the wheel executed in that movement.
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
 * Returns the indices of the lines of pseudo-code to which events belong.
 * @param {import("../story/code-lines.js").Line[]} code @param {number[]} rows rows of the events
 */
function linesOf(code, rows) {
  const ran = new Set();
  for (let at = 0; at + ROW <= rows.length; at += ROW) ran.add(lineOf(code, rows, at));
  return ran;
}

/**
 * Loads the pseudo-code, and then marks the executed lines each time the cursor in the frame moves.
 * @param {HTMLElement} box element with the lines @param {HTMLIFrameElement} live frame with the lab
 */
async function listen(box, live) {
  const { code } = await load(box.dataset.algorithm ?? "");
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== live.contentWindow || origin !== location.origin || data?.kind !== "moved") return;
    mark(box, linesOf(code, data.rows));
  });
}

const box = document.getElementById("code");
const live = document.getElementById("live");
if (box && live instanceof HTMLIFrameElement) listen(box, live);
