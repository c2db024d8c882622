// @ts-check
/**
 * Handles files that the user chooses or drops on the page. A lecture is played. A scenario is opened directly, and the server
 * reports the line of an error in it. Any other file, such as a trace, a workload or a compressed file, is
 * passed to the importer.
 */
import { byId } from "../core/dom.js";
import { isLecture } from "../core/lecture-text.js";
import { IMPORT_BYTES_MAX } from "../core/limits.js";
import { t } from "../core/texts.js";

/** Maximum size of a scenario, in bytes, if the server has not sent its limits. */
const SCENARIO_MAX = 16 << 20;

/**
 * Passes on the files that the user chooses or drops.
 * @param {() => Record<string, number>|undefined} limits returns the limits of the server
 * @param {{open: (text: string, name: string) => void, play: (text: string) => void, importFile: (file: File) => void, refuse: (message: string) => void, say: (message: string) => void}} to
 *   open: called with the text of a scenario; play: called with that of a lecture; importFile: called with any other file; refuse: called with the
 *   reason why a file is refused; say: called with a message for the user
 */
export function listenForFiles(limits, to) {
  const take = (/** @type {File} */ file) => read(file, limits() ?? {}, to);
  const input = byId("file");
  byId("file-open").addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    byId("picker").close();
    if (input.files[0]) take(input.files[0]);
    input.value = "";
  });
  listenForDrops(take, to.say);
}

/**
 * Handles dropped files. Anything else, such as text or a link, can be dropped on a field and is ignored
 * elsewhere.
 * @param {(file: File) => void} take @param {(message: string) => void} say
 */
function listenForDrops(take, say) {
  /**
   * The element under the dragged files, or null if there is none. An element that is removed during the drag
   * gets no dragleave event.
   * @type {EventTarget|null}
   */
  let over = null;
  const hover = (/** @type {EventTarget|null} */ target) => {
    over = target;
    document.body.classList.toggle("dropping", over !== null);
  };
  const isOfFiles = (/** @type {DragEvent} */ e) => e.dataTransfer?.types.includes("Files") ?? false;
  const keep = (/** @type {DragEvent} */ e) => {
    if (isOfFiles(e) || !(e.target instanceof Element && e.target.closest("input, textarea"))) e.preventDefault();
  };
  document.body.dataset.drop = t("scenario.drop");
  addEventListener("dragenter", (e) => {
    keep(e);
    if (isOfFiles(e)) hover(e.target);
  });
  addEventListener("dragleave", (e) => { if (e.target === over) hover(null); });
  addEventListener("dragover", keep);
  addEventListener("drop", (e) => {
    keep(e);
    hover(null);
    const files = e.dataTransfer?.files ?? [];
    if (files.length > 0) take(files[0]);
    if (files.length > 1) say(t("scenario.drop.many", { file: files[0].name }));
  });
}

/** Number of leading bytes from which the kind of a file is detected. */
const LOOK_BYTES = 4096;

/** Matches the beginning of a JSON object that is not a scenario: a trace, a Chrome trace or a workload. */
const OTHER = /^\s*\{\s*"(wheelscope"\s*:\s*\d+\s*,\s*"kind|displayTimeUnit|metadata|traceEvents|at|op|id|timer|delay|every|times)"/;

/**
 * Detects the kind of a file from its beginning, and passes the file on.
 * @param {File} file @param {Record<string, number>} limits
 * @param {{open: (text: string, name: string) => void, play: (text: string) => void, importFile: (file: File) => void, refuse: (message: string) => void}} to
 */
async function read(file, { scenarioBytes = SCENARIO_MAX, importBytes = IMPORT_BYTES_MAX }, to) {
  const values = { file: file.name, size: file.size };
  try {
    const head = await file.slice(0, LOOK_BYTES).text();
    const scenario = /^\s*\{/.test(head) && !OTHER.test(head);
    const max = scenario ? scenarioBytes : importBytes;
    if (file.size > max) to.refuse(t("error.big", { ...values, max }));
    else if (isLecture(head)) to.play(await file.text());
    else if (scenario) to.open(await file.text(), file.name);
    else to.importFile(file);
  } catch {
    to.refuse(t("error.unreadable", values)); // a folder, or a file that was removed
  }
}
