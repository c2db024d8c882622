// @ts-check
/**
 * The entry point of a page of the static site that shows a recorded run, which is the run of a scenario with a
 * wheel on Redis. A browser can't compute such a run. This module loads the recording, which internal/site has
 * written, and then starts the page.
 */
const { recording = "" } = document.body.dataset; // URL of the folder with the recording
const [data, trace] = await Promise.all(["data.json", "trace.jsonl"].map((name) => fetch(recording + name)));
const bytes = new Uint8Array(await trace.arrayBuffer());
const packing = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
const packed = new Uint8Array(await new Response(packing).arrayBuffer());
/** @type {any} */ (globalThis).wheelscopeFile = { ...await data.json(), trace: bytes, packed };
const [{ start }, { Connection }, { features }] = await Promise.all([import("./app.js"), import("./offline/link.js"), import("./site-features.js")]); // which read the recording
start(/** @type {any} */ (Connection), features);

export {};
