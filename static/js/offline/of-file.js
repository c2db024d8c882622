// @ts-check
/**
 * A feature of pages that are a single file: describes the file, saves the trace in it, switches the language
 * without a server, and removes links to a server.
 */
import { answer } from "./answers.js";
import { byId, html } from "../core/dom.js";
import { KEPT } from "../core/embedding.js";
import { asked, eventInURL, inFile, listen } from "./place.js";
import { t } from "../core/texts.js";
import { unpacked } from "./file.js";

/** Minimum interval between two URL updates, in milliseconds; browsers limit their rate. */
const ADDRESS_MS = 400;

/** Creates the feature. @param {any} app @returns {import("../page/feature.js").Feature} */
export function ofFile(app) {
  const { score } = unpacked();
  document.body.classList.toggle("as-recorded", score.recorded === true);
  describe(score, app.lang);
  listenToLinks(app);
  return { ...ofRecording(app), begin: inFile };
}

/**
 * Creates the part of the feature that is also used by pages of the static site that show a recorded run.
 * @param {any} app @returns {import("../page/feature.js").Feature}
 */
export function ofRecording(app) {
  const { score, packed } = unpacked();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  document.body.classList.add("offline");
  answer(/** @type {any} */ (globalThis).wheelscopeFile.knowledge);
  keepAddress();
  listen((hash) => app.send("seek", { seq: eventInURL(hash) ?? 0 }));
  refuseFiles();
  offer(score, packed);
  return {
    moved() {
      timer ??= setTimeout(() => {
        timer = undefined;
        history.replaceState(null, "", `#${position(app)}`);
      }, ADDRESS_MS);
    },
  };
}

/**
 * Prevents the page from updating its URL, since only a server could read the query. Changes of the fragment,
 * which place.js makes, remain possible.
 */
function keepAddress() {
  const replace = history.replaceState.bind(history);
  history.replaceState = (data, unused, url) => {
    if (String(url).startsWith("#")) replace(data, unused, url);
  };
}

/** Returns the parameters of the fragment. @param {any} app @param {URLSearchParams} [other] those that differ */
function position(app, other) {
  const kept = [...asked()].filter(([name]) => KEPT.includes(name));
  return new URLSearchParams({ ...Object.fromEntries(kept), seq: app.store.seq, lang: app.lang, view: "lab", ...Object.fromEntries(other ?? []) });
}

/** Makes the links to the other language and to the entry view open the file at the same position. @param {any} app */
function listenToLinks(app) {
  inFile();
  for (const link of /** @type {Iterable<HTMLAnchorElement>} */ (document.querySelectorAll("[data-lang-to], #simple"))) {
    link.addEventListener("click", (event) => {
      event.stopImmediatePropagation();
      const other = asked(link.hash);
      for (const name of ["t", "seq"]) other.delete(name);
      link.hash = String(position(app, other));
    }, { capture: true });
  }
}

/** Blocks drag and drop before the page handles it, since this page can't open files. */
function refuseFiles() {
  for (const kind of ["dragenter", "dragover", "drop"]) {
    addEventListener(kind, (event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
    }, { capture: true });
  }
}

/** Offers the file's trace for download, unchanged. @param {import("./file.js").Score} score @param {Uint8Array} packed */
function offer(score, packed) {
  const blob = new Blob([/** @type {any} */ (packed)], { type: "application/gzip" });
  const link = html("a", { class: "plain", href: URL.createObjectURL(blob), download: `${score.name}.jsonl.gz`, "data-offline": "" }, `↓ ${t("offline.trace")}`);
  byId("summary").after(html("p", {}, link));
}

/**
 * Shows what this page is and why the file was written.
 * @param {import("./file.js").Score} score @param {string} lang
 */
function describe(score, lang) {
  const { note } = score;
  const about = byId("summary").closest(".about");
  const limits = score.stops ? ` ${t("offline.stops")}` : "";
  about?.append(html("p", { class: "hint offline-what" }, t("offline.what", { events: score.events.toLocaleString("en"), run: score.run }) + limits));
  if (!note) return;
  const what = html("b", {}, note.what[lang] ?? note.what.en);
  about?.append(html("div", { class: "problem offline-note", role: "note" }, what, line("offline.note.file", note.file), line("offline.note.run", note.run)));
}

/**
 * Returns a paragraph that consists of a text in the page's language and a line of code.
 * @param {string} key key of the text @param {string} text the line of code
 */
function line(key, text) {
  return html("p", {}, `${t(key)} `, html("code", {}, text));
}
