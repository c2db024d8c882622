// @ts-check
/**
 * The entry point of a page of the static site that shows a recorded run, which is the run of a scenario with a
 * wheel on Redis. A browser can't compute such a run. This module loads the recording, which internal/site has
 * written, and then imports the module that starts the lab page. In these pages, the import map replaces
 * core/connection.js and features.js with modules for a recorded run.
 */
// recording: URL of the folder with the recording; script: path of the module that starts the page, relative to
// this module.
const { recording = "", script = "" } = document.body.dataset;
const [data, trace] = await Promise.all(["data.json", "trace.jsonl"].map((name) => fetch(recording + name)));
const bytes = new Uint8Array(await trace.arrayBuffer());
const packing = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
const packed = new Uint8Array(await new Response(packing).arrayBuffer());
/** @type {any} */ (globalThis).wheelscopeFile = { ...await data.json(), trace: bytes, packed };
await import(script);

export {};
