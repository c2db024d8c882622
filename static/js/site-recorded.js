// @ts-check
/**
 * The entry point of a page of the static site that shows a recorded run, which is the run of a scenario with a
 * wheel on Redis. A browser can't compute such a run. internal/site has written the recording.
 */
import { start } from "./app.js";
import { ofSite, recordedFeatures } from "./recorded/feature.js";

const { recording = "" } = document.body.dataset; // URL of the folder with the recording
const data = await (await fetch(`${recording}data.json`)).json();
/** @type {any} */ (globalThis).wheelscopeRecorded = { ...data, trace: { href: () => `${recording}trace.jsonl`, name: `${data.run.name}.jsonl` } };
start([...recordedFeatures(), ofSite]);

export {};
