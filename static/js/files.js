// @ts-check
/** Scenario files: chosen, or dropped on the page. Bounded, and checked to be JSON, before they are sent. */
import { byId } from "./dom.js";
import { t } from "./texts.js";

/** Bytes at most where the server has not told its limit. */
const BYTES_MAX = 16 << 20;

/**
 * Opens what the user chooses or drops.
 * @param {() => number|undefined} most bytes the server takes
 * @param {(scenario: any, name: string) => void} open
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

/** @param {File} file @param {number} max @param {(scenario: any, name: string) => void} open @param {(message: string) => void} refuse */
async function read(file, max, open, refuse) {
  if (file.size > max) return refuse(t("error.big", { file: file.name, size: file.size, max }));
  try {
    open(JSON.parse(await file.text()), file.name);
  } catch (error) {
    refuse(t("error.json", { file: file.name, message: error instanceof Error ? error.message : String(error) }));
  }
}
