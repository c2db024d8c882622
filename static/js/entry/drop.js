// @ts-check
/** Files that are dropped on the entry view: a lecture is played in the laboratory, which reads it from the tab's storage. */
import { byId } from "../core/dom.js";
import { DROPPED, LECTURE_BYTES_MAX, isLecture } from "../core/lecture-text.js";
import { writeStored } from "../core/storage.js";
import { t } from "../core/texts.js";

/** Listens for dropped files. @param {(text: string) => void} say shows a line */
export function listenForDrops(say) {
  const isOfFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragover", (event) => { if (isOfFiles(event)) event.preventDefault(); });
  addEventListener("drop", async (event) => {
    if (!isOfFiles(event)) return;
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    const text = file && file.size <= LECTURE_BYTES_MAX ? await file.text().catch(() => "") : "";
    if (!isLecture(text) || !writeStored(DROPPED, text, "sessionStorage")) return say(t("entry.drop"));
    const lab = new URL(/** @type {HTMLAnchorElement} */ (byId("lab")).href);
    lab.searchParams.set("lecture", DROPPED);
    location.assign(lab);
  });
}
