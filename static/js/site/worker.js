// @ts-check
/**
 * The worker of the static site. It loads the engine, which is Go code compiled for WebAssembly
 * (internal/site/engine), and passes messages between the engine and the page.
 */

const worker = /** @type {any} */ (globalThis);

/** Messages that arrived before the engine was ready; null when it is ready. @type {any[]|null} */
let early = [];

worker.onmessage = (/** @type {MessageEvent} */ { data }) => {
  if (data.start) start(data.start).catch((error) => worker.postMessage({ failed: String(error) }));
  else if (early) early.push(data);
  else take(data);
};

/**
 * Loads and starts the engine.
 * @param {{engine: string, script: string}} from URLs of the compressed engine and of the Go script that runs it
 */
async function start({ engine, script }) {
  const [packed] = await Promise.all([fetch(engine), import(script)]);
  if (!packed.ok || !packed.body) throw new Error(`${engine}: ${packed.status}`);
  const code = packed.body.pipeThrough(new DecompressionStream("gzip"));
  const go = new worker.Go();
  const { instance } = await WebAssembly.instantiateStreaming(new Response(code, { headers: { "Content-Type": "application/wasm" } }), go.importObject);
  worker.wheelscopePass = (/** @type {any} */ pass) => worker.postMessage({ pass });
  const ready = new Promise((done) => { worker.wheelscopeReady = done; });
  go.run(instance).then(() => worker.postMessage({ failed: "the engine has stopped; reload the page" }));
  await ready;
  const waiting = early ?? [];
  early = null;
  for (const data of waiting) take(data);
}

/** Passes a message of the page to the engine. @param {any} data */
function take({ ask, stop, open, send, close, decide }) {
  const engine = worker.wheelscope;
  if (open) {
    const socket = open.number;
    engine.open(socket, open.query, open.lang, {
      opened: () => worker.postMessage({ socket, opened: true }),
      message: (/** @type {string} */ message) => worker.postMessage({ socket, message }),
      closed: (/** @type {number} */ code, /** @type {string} */ reason, /** @type {number} */ status, /** @type {string} */ line, /** @type {number} */ after) =>
        worker.postMessage({ socket, closed: { code, reason, status, line, after } }),
    });
  } else if (send) {
    engine.send(send.number, send.text);
  } else if (close) {
    engine.close(close);
  } else if (stop) {
    engine.stop(stop);
  } else if (decide) {
    engine.decide(decide.number, decide.start);
  } else if (ask) {
    /** @type {Uint8Array<ArrayBuffer>[]} */
    const parts = [];
    engine.ask(ask.number, ask.method, ask.path, ask.query, ask.lang, ask.body, {
      part: (/** @type {Uint8Array<ArrayBuffer>} */ bytes) => parts.push(bytes),
      done: (/** @type {number} */ status, /** @type {any} */ headers) => worker.postMessage({ answer: { number: ask.number, status, headers, body: new Blob(parts) } }),
    });
  }
}
