// @ts-check
/**
 * Files, chosen or dropped on the page. A scenario is opened by the session, which
 * tells what is wrong with its line; any other kind (a trace, a workload, packed or
 * not) is brought to the importer.
 */
import { byId } from "./dom.js";
import { t } from "./texts.js";

/** Bytes at most of a scenario, and of another file, where the server has not told its limits. */
const SCENARIO_MAX = 16 << 20;
const FILE_MAX = 1 << 30;

/**
 * Opens what the user chooses or drops.
 * @param {() => Record<string, number>|undefined} limits of the server
 * @param {{open: (text: string, name: string) => void, bring: (file: File) => void, refuse: (message: string) => void, say: (message: string) => void}} to
 *   a scenario's text, any other file, why neither, and what else is to be known
 */
export function listenForFiles(limits, to) {
  const take = (/** @type {File} */ file) => read(file, limits() ?? {}, to);
  const input = byId("file");
  byId("file-open").addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    if (input.files[0]) take(input.files[0]);
    input.value = "";
  });
  listenForDrops(take, to.say);
}

/**
 * What else is dragged (a text, a link) may be dropped in a field, and does nothing elsewhere.
 * @param {(file: File) => void} take @param {(message: string) => void} say
 */
function listenForDrops(take, say) {
  /** What files are dragged over. It may be drawn anew meanwhile, and tells then of no leaving. @type {EventTarget|null} */
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

/** Bytes in which a file shows of what kind it is. */
const LOOK_BYTES = 4096;

/** How files begin that are objects and no scenarios: traces, traces of Chrome, workloads. */
const OTHER = /^\s*\{\s*"(wheelscope"\s*:\s*\d+\s*,\s*"kind|displayTimeUnit|metadata|traceEvents|at|op|id|timer|delay|every|times)"/;

/**
 * @param {File} file @param {Record<string, number>} limits
 * @param {{open: (text: string, name: string) => void, bring: (file: File) => void, refuse: (message: string) => void}} to
 */
async function read(file, { scenarioBytes = SCENARIO_MAX, importBytes = FILE_MAX }, to) {
  const values = { file: file.name, size: file.size };
  try {
    const head = await file.slice(0, LOOK_BYTES).text();
    const scenario = /^\s*\{/.test(head) && !OTHER.test(head);
    const max = scenario ? scenarioBytes : importBytes;
    if (file.size > max) to.refuse(t("error.big", { ...values, max }));
    else if (scenario) to.open(await file.text(), file.name);
    else to.bring(file);
  } catch {
    to.refuse(t("error.unreadable", values)); // a folder, or a file that went away
  }
}
