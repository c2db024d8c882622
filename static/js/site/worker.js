// @ts-check
/**
 * The worker of the static site. It loads the engine, which is Go code compiled for WebAssembly
 * (internal/site/engine), and passes messages between the engine and the page. A wheel in JavaScript runs in another
 * worker of this script, with the program of internal/site/own.
 */

const worker = /** @type {any} */ (globalThis);

/** Time in which a wheel in JavaScript is judged, and in which it runs in a lane, in milliseconds, after which its worker is ended. */
const OWN_MS = { exam: 60_000, lane: 150_000 };
/** Time that one call of a wheel in JavaScript may take, in milliseconds: five times that of a server. */
const CALL_MS = 5000;

/** Messages that arrived before the engine was ready; null when it is ready. @type {any[]|null} */
let early = [];

worker.onmessage = (/** @type {MessageEvent} */ { data }) => {
  if (data.start) start(data.start).catch((error) => worker.postMessage({ failed: String(error) }));
  else if (early) early.push(data);
  else take(data);
};

/**
 * Loads and starts the engine.
 * @param {{engine: string, own: string, script: string}} from URLs of the compressed programs and of the Go script that runs them
 */
async function start({ engine, own, script }) {
  const [packed] = await Promise.all([fetch(engine), import(script)]);
  if (!packed.ok || !packed.body) throw new Error(`${engine}: ${packed.status}`);
  const code = packed.body.pipeThrough(new DecompressionStream("gzip"));
  const go = new worker.Go();
  const { instance } = await WebAssembly.instantiateStreaming(new Response(code, { headers: { "Content-Type": "application/wasm" } }), go.importObject);
  worker.wheelscopePass = (/** @type {any} */ pass) => worker.postMessage({ pass });
  worker.wheelscopeBegun = () => worker.postMessage({ begun: true });
  worker.wheelscopeOwn = (/** @type {"exam"|"lane"} */ what, /** @type {Uint8Array} */ body, /** @type {(answer: Uint8Array|string) => void} */ done) => runOwn({ engine: own, own, script }, { what, body }, done);
  const ready = new Promise((done) => { worker.wheelscopeReady = done; });
  go.run(instance).then(() => worker.postMessage({ failed: "the engine has stopped; reload the page" }));
  await ready;
  worker.postMessage({ ready: true });
  const waiting = early ?? [];
  early = null;
  for (const data of waiting) take(data);
}

/**
 * Runs a wheel in JavaScript in a worker, and calls `done` with the answer, or with the reason why there is none. Returns a
 * function that ends it. The time counts from when the worker is ready.
 * @param {{engine: string, own: string, script: string}} from @param {{what: "exam"|"lane", body: Uint8Array}} request
 * @param {(answer: Uint8Array|string) => void} done
 */
function runOwn(from, request, done) {
  const child = new Worker(import.meta.url, { type: "module" });
  let timer = 0, call = 0;
  const end = () => {
    clearTimeout(timer);
    clearTimeout(call);
    child.terminate();
  };
  const answer = (/** @type {Uint8Array|string} */ told) => {
    end();
    done(told);
  };
  child.onmessage = ({ data }) => {
    if (data.ready) timer = setTimeout(answer, OWN_MS[request.what], "long");
    else if (data.begun) {
      clearTimeout(call);
      call = setTimeout(answer, CALL_MS, "slow");
    } else answer(data.told ?? (timer ? "stopped" : data.failed));
  };
  child.onerror = (event) => answer(event.message);
  child.postMessage({ start: from });
  child.postMessage({ run: request });
  return end;
}

/** Passes a message of the page to the engine. @param {any} data */
function take({ run, request, stop, open, send, close, decide }) {
  const engine = worker.wheelscope;
  if (open) {
    const socket = open.number;
    engine.open(socket, open.query, open.lang, {
      opened: () => worker.postMessage({ socket, opened: true }),
      message: (/** @type {Uint8Array} */ message) => worker.postMessage({ socket, message }, [message.buffer]),
      closed: (/** @type {number} */ code, /** @type {string} */ reason, /** @type {number} */ status, /** @type {string} */ line, /** @type {number} */ after) =>
        worker.postMessage({ socket, closed: { code, reason, status, line, after } }),
    });
  } else if (run) {
    engine.own(run.what, run.body, (/** @type {Uint8Array|string} */ told) => worker.postMessage({ told }));
  } else if (send) {
    engine.send(send.number, send.text);
  } else if (close) {
    engine.close(close);
  } else if (stop) {
    engine.stop(stop);
  } else if (decide) {
    engine.decide(decide.number, decide.start);
  } else if (request) {
    /** @type {Uint8Array<ArrayBuffer>[]} */
    const parts = [];
    engine.request(request.number, request.method, request.path, request.query, request.lang, request.body, {
      part: (/** @type {Uint8Array<ArrayBuffer>} */ bytes) => parts.push(bytes),
      done: (/** @type {number} */ status, /** @type {any} */ headers) => worker.postMessage({ answer: { number: request.number, status, headers, body: new Blob(parts) } }),
    });
  }
}
