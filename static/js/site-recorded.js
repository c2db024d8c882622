// @ts-check
/**
 * The entry point of a page of the static site that shows a recorded run. These are runs of scenarios with a
 * wheel in Redis, which a browser can't run. internal/site writes the files that this module reads. It
 * replaces the connection and the features of the lab page by those for a recorded run.
 */
const { recording = "", script = "" } = document.body.dataset; // script: of the page, relative to this one
const [data, trace] = await Promise.all(["data.json", "trace.jsonl"].map((name) => fetch(recording + name)));
const bytes = new Uint8Array(await trace.arrayBuffer());
const packing = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
const packed = new Uint8Array(await new Response(packing).arrayBuffer());
/** @type {any} */ (globalThis).wheelscopeFile = { ...await data.json(), trace: bytes, packed };
await import(script);

export {};
