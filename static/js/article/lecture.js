// @ts-check
/** The chapters as a lecture: a stop for each picture, with the first sentences of its chapter as the note and all of them for the presenter. */
import { DROPPED, NOTE_MAX, SCRIPT_MAX } from "../core/lecture-text.js";
import { writeStored } from "../core/storage.js";

/** Returns the first characters of a text. @param {string} text @param {number} most */
const first = (text, most) => [...text].slice(0, most).join("");

/** Returns the sentences at the beginning of a text that fit into a note. @param {string} text @param {string} lang */
function note(text, lang) {
  let all = "";
  for (const { segment } of new Intl.Segmenter(lang, { granularity: "sentence" }).segment(text)) {
    if ([...(all + segment)].length > NOTE_MAX) break;
    all += segment;
  }
  return all.trim() || first(text, NOTE_MAX);
}

/** Returns the lecture of the chapters, as the file of one. @param {string} lang */
function ofChapters(lang) {
  /** @type {Record<string, any>} */
  const scenarios = {};
  const stops = [...document.querySelectorAll("section.chapter[id]")].map((chapter) => {
    const { run = "", scenario = "", now, timer, called } = /** @type {HTMLElement} */ (chapter.querySelector("figure")).dataset;
    scenarios[run] = JSON.parse(scenario);
    const words = [...chapter.querySelectorAll(":scope > p, .try > p, .ask > :is(p, details)")].map((e) => (e.textContent ?? "").replace(/\s+/g, " ").trim());
    const title = chapter.querySelector("h2")?.lastChild?.textContent?.trim();
    return { run, tick: Number(now), ...(timer !== "0" ? { follow: called } : {}), title, note: note(words[0], lang), script: first(words.join("\n\n"), SCRIPT_MAX) };
  });
  return JSON.stringify({ wheelscope: 1, kind: "lecture", title: document.querySelector("h1")?.textContent, scenarios, stops });
}

/** Connects the button that plays the chapters in the laboratory. @param {string} lang */
export function offerLecture(lang) {
  document.querySelector("[data-lecture]")?.addEventListener("click", () => {
    if (!writeStored(DROPPED, ofChapters(lang), "sessionStorage")) return;
    const lab = new URL(/** @type {HTMLAnchorElement} */ (document.querySelector("[data-lab]")).href);
    location.assign(`${lab.origin}${lab.pathname}?${new URLSearchParams({ view: "lab", lang, lecture: DROPPED })}`);
  });
}
