// @ts-check
/**
 * Scenario files: chosen, or dropped on the page. Their size and kind are looked at
 * before they are read whole; what is wrong inside, the server says with its line.
 * Of a trace the scenario in its first line is opened.
 */
import { byId } from "./dom.js";
import { t } from "./texts.js";

/** Bytes at most where the server has not told its limit. */
const BYTES_MAX = 16 << 20;

/**
 * Opens what the user chooses or drops.
 * @param {() => number|undefined} most bytes the server takes
 * @param {(text: string, name: string) => void} open
 * @param {(message: string) => void} refuse
 */
export function listenForFiles(most, open, refuse) {
  const input = byId("file");
  byId("file-open").addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    if (input.files[0]) read(input.files[0], most() ?? BYTES_MAX, open, refuse);
    input.value = "";
  });
  listenForDrops((file) => read(file, most() ?? BYTES_MAX, open, refuse));
}

/** @param {(file: File) => void} take */
function listenForDrops(take) {
  let depth = 0;
  const show = () => document.body.classList.toggle("dropping", depth > 0);
  document.body.dataset.drop = t("scenario.drop");
  addEventListener("dragenter", (e) => { e.preventDefault(); depth++; show(); });
  addEventListener("dragleave", () => { depth = Math.max(0, depth - 1); show(); });
  addEventListener("dragover", (e) => e.preventDefault());
  addEventListener("drop", (e) => {
    e.preventDefault();
    depth = 0;
    show();
    const file = e.dataTransfer?.files[0];
    if (file) take(file);
  });
}

/** Bytes in which a file shows of what kind it is. */
const LOOK_BYTES = 4096;

/** @param {File} file @param {number} max @param {(text: string, name: string) => void} open @param {(message: string) => void} refuse */
async function read(file, max, open, refuse) {
  const values = { file: file.name, size: file.size, max };
  try {
    const first = new Uint8Array(await file.slice(0, LOOK_BYTES).arrayBuffer());
    if (first[0] === 0x1f && first[1] === 0x8b) return refuse(t("error.packed", values));
    if (first.includes(0)) return refuse(t("error.binary", values));
    const trace = await scenarioOfTrace(file, max);
    if (trace !== null) return open(trace, file.name);
    if (file.size > max) return refuse(t("error.big", values));
    open(await file.text(), file.name);
  } catch {
    refuse(t("error.unreadable", values)); // a folder, or a file that went away
  }
}

/** How a trace begins; what follows is its scenario, up to the end of the line. */
const TRACE_HEAD = '{"wheelscope":1,"kind":"trace","scenario":';

/** The scenario in a trace's first line; null where the file is no trace. @param {File} file @param {number} max */
async function scenarioOfTrace(file, max) {
  if (await file.slice(0, TRACE_HEAD.length).text() !== TRACE_HEAD) return null;
  const line = (await file.slice(0, max + TRACE_HEAD.length).text()).split("\n", 1)[0].trimEnd();
  return line.slice(TRACE_HEAD.length, -1);
}
