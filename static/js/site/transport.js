// @ts-check
/**
 * The transport of the static site. An engine in a Web Worker (worker.js) answers requests and serves
 * sockets. Its messages are the same as those of a server.
 */
import { button, download, html } from "../core/dom.js";
import { t } from "../core/texts.js";

/** @typedef {import("../core/transport.js").Transport} Transport */
/** @typedef {import("../core/transport.js").Socket} Socket */

/** States of a socket, as in WebSocket.readyState. */
const CONNECTING = 0, OPEN = 1, CLOSED = 3;
/** Close code for a socket whose engine has failed. */
const FAILED = 1011;

const utf8 = new TextDecoder();

class Engine {
  #last = 0;
  /** @type {Worker|null} */
  #worker = null;
  /**
   * The reason why the engine refused a socket, if the socket closed last was refused; null otherwise. A
   * request with the query parameter `why` returns it.
   * @type {{status: number, line: string, after: number}|null}
   */
  #refusal = null;
  /** @type {Map<number, (answer: Response) => void>} */
  #pending = new Map();
  /** @type {Map<number, EngineSocket>} */
  sockets = new Map();

  /**
   * The engine that can also render pictures and export runs as HTML; null until one of these is requested.
   * @type {Engine|null}
   */
  #full = null;

  /**
   * @param {DOMStringMap} page data attributes of the body: the base path, the language, and the URLs of the engine
   * @param {Set<string>} agreed large runs that the user has started
   */
  constructor(page, agreed = new Set()) {
    const { base = "", lang = "en", engine = "", engineOwn = "", engineStart = "" } = page;
    this.page = page;
    this.agreed = agreed;
    this.passes = new Passes((number, start) => this.worker.postMessage({ decide: { number, start } }), agreed);
    this.base = base;
    this.lang = lang;
    const [url, own, script] = [engine, engineOwn, engineStart].map((file) => new URL(file, location.href).href);
    this.start = { engine: url, own, script };
  }

  /**
   * Returns the worker. The first access starts it, since some pages never need it. See also
   * startAfterPaint.
   */
  get worker() {
    if (this.#worker) return this.#worker;
    this.#worker = new Worker(new URL("../../js/site/worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => this.#fail(event.message);
    this.#worker.postMessage({ start: this.start });
    return this.#worker;
  }

  /** @param {string} address @param {RequestInit} [init] @returns {Promise<Response>} */
  async request(address, init = {}) {
    const url = new URL(address, location.href);
    if (!url.pathname.startsWith(`${this.base}/`)) return fetch(address, init);
    if (url.searchParams.has("why") && this.#refusal) {
      const { line, status, after } = this.#refusal;
      return new Response(line, { status, headers: { "Retry-After": String(after) } });
    }
    const { engine, engineFull } = this.page;
    if (engine !== engineFull && (url.pathname === `${this.base}/picture` || url.searchParams.get("as") === "html")) return this.#drawn(url, init);
    const number = ++this.#last;
    const body = init.body ? new Uint8Array(await new Response(init.body).arrayBuffer()) : null;
    const { signal } = init;
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      this.#pending.set(number, resolve);
      signal?.addEventListener("abort", () => {
        this.worker.postMessage({ stop: number });
        this.#pending.delete(number);
        reject(signal.reason);
      });
      this.worker.postMessage({ request: { number, method: init.method ?? "GET", path: url.pathname.slice(this.base.length), query: url.search.slice(1), lang: this.lang, body } });
    });
  }

  /**
   * Requests a picture or a player from the full engine, which is loaded by the first such request. The full
   * engine receives the scenario and computes the run again.
   * @param {URL} url @param {RequestInit} init
   */
  async #drawn(url, init) {
    const scenario = await this.request(`${this.base}/scenario?run=${url.searchParams.get("run")}`, { signal: init.signal });
    if (!scenario.ok) return scenario;
    this.#full ??= new Engine({ ...this.page, engine: this.page.engineFull }, this.agreed);
    const imported = await this.#full.request(`${this.base}/api/import`, { method: "POST", body: await scenario.blob(), signal: init.signal });
    return imported.ok ? this.#full.request(url.href, init) : imported;
  }

  /**
   * Opens a socket to a session of the engine.
   * @param {string} address @param {string} [query] query to use instead of that of the address
   */
  open(address, query = queryOf(address)) {
    const socket = new EngineSocket(this, ++this.#last, address);
    this.sockets.set(socket.number, socket);
    this.worker.postMessage({ open: { number: socket.number, query, lang: this.lang } });
    return socket;
  }

  /** Handles a message of the worker. @param {any} data */
  #receive(data) {
    if (data.answer) {
      const { number, status, headers, body } = data.answer;
      const empty = status === 204;
      this.#pending.get(number)?.(new Response(empty ? null : body, { status, headers }));
      this.#pending.delete(number);
    } else if (data.pass) {
      this.passes.take(data.pass);
    } else if (data.failed) {
      this.#fail(data.failed);
    } else {
      if (data.closed) this.#refusal = data.closed.status ? data.closed : null;
      this.sockets.get(data.socket)?.take(data);
    }
  }

  /**
   * Closes all sockets and answers all pending requests with status 500, because the engine can't run. The next
   * request or socket loads it again.
   * @param {string} why
   */
  #fail(why) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#refusal = { status: 500, line: why, after: 0 };
    for (const resolve of this.#pending.values()) resolve(new Response(why, { status: 500 }));
    this.#pending.clear();
    for (const socket of [...this.sockets.values()]) socket.take({ closed: { code: FAILED, reason: why } });
  }
}

/** A socket to a session of the engine. @implements {Socket} */
class EngineSocket {
  readyState = CONNECTING;
  /** @type {((event: any) => void)|null} */
  onopen = null;
  /** @type {((event: {data: any}) => void)|null} */
  onmessage = null;
  /** @type {((event: any) => void)|null} */
  onclose = null;

  /** @param {Engine} engine @param {number} number @param {string} url */
  constructor(engine, number, url) {
    this.engine = engine;
    this.number = number;
    this.url = url;
  }

  /** @param {string} text */
  send(text) { this.engine.worker.postMessage({ send: { number: this.number, text } }); }

  close() { if (this.readyState !== CLOSED) this.engine.worker.postMessage({ close: this.number }); }

  /** Handles a message of the worker. @param {any} data */
  take({ opened, message, closed }) {
    if (opened) {
      this.readyState = OPEN;
      this.onopen?.({});
    } else if (closed) {
      this.readyState = CLOSED;
      this.engine.sockets.delete(this.number);
      this.onclose?.(closed);
    } else {
      this.onmessage?.({ data: utf8.decode(message) });
    }
  }
}

let opened = false;

/**
 * Returns the query of a socket's address. If the socket is the page's first one, the query parameters for the
 * cursor (`t` and `seq`) are added from the page's URL, since the HTML file of the page shows only the start of
 * the scenario.
 * @param {string} address
 */
function queryOf(address) {
  const query = new URL(address).searchParams;
  const page = new URLSearchParams(location.search);
  if (!opened && !query.has("t") && !query.has("session") && !page.has("mine")) {
    for (const name of ["t", "seq"]) if (page.has(name)) query.set(name, page.get(name) ?? "");
  }
  opened = true;
  return query.toString();
}

/**
 * Makes a click on a link with the attribute download save a file from the engine instead of a server.
 * @param {Engine} engine
 */
function listenForDownloads(engine) {
  document.addEventListener("click", async (event) => {
    const link = /** @type {Element} */ (event.target).closest?.("a[download]");
    const address = link?.getAttribute("href") ?? "";
    if (!address.startsWith(`${engine.base}/`)) return;
    event.preventDefault();
    const answer = await engine.request(address);
    const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
    if (!name) return say((await answer.text()).trim());
    download(await answer.blob(), name);
  });
}

/** Shows a line in the page header. @param {string} line */
function say(line) {
  const box = document.getElementById("problem");
  if (!box?.lastElementChild) return;
  box.hidden = false;
  box.lastElementChild.textContent = line;
}

/**
 * Shows an error if the scenario in the page's URL does not exist, in which case the page shows another
 * scenario. The text of the error comes from the engine and is the same as that of a server.
 * @param {Engine} engine @param {DOMStringMap} page data of the body
 */
function explain(engine, { scenario = "" }) {
  const requested = new URLSearchParams(location.search).get("scenario");
  if (!scenario || !requested || requested === scenario) return;
  const socket = engine.open("", new URLSearchParams({ scenario: requested }).toString());
  socket.onopen = () => socket.close(); // the engine has the scenario
  socket.onclose = ({ line }) => { if (line) say(line); };
}

/**
 * Starts the engine of a page that will need it. It starts after the first paint, while the modules of the
 * page are loaded.
 * @param {Engine} engine
 */
function startAfterPaint(engine) {
  const start = () => setTimeout(() => engine.worker);
  if (document.hidden) start(); // nothing is painted
  else requestAnimationFrame(start);
}

/**
 * Returns a transport that uses an engine.
 * @param {DOMStringMap} page data of the body @returns {Transport}
 */
export function workerTransport(page) {
  const engine = new Engine(page);
  if (page.scenario) startAfterPaint(engine);
  listenForDownloads(engine);
  explain(engine, page);
  return {
    request: (address, init) => engine.request(address, init),
    socket: (address) => engine.open(address),
    upload(address, file) {
      const stop = new AbortController();
      const done = engine.request(address, { method: "POST", body: file, signal: stop.signal })
        .then(async (answer) => ({ status: answer.status, text: await answer.text() }), () => ({ status: 0, text: "" }));
      return { done, abort: () => stop.abort() };
    },
  };
}

/**
 * @typedef {object} Pass
 * @property {number} number @property {"announced"|"running"|"ended"} state
 * @property {string} run digest of the run @property {string} name name of the scenario
 * @property {number} lanes @property {number} timers @property {string} memory maximum memory, with its unit
 */

export class Passes {
  /** The displayed lines, by number of the pass. @type {Map<number, HTMLElement>} */
  #lines = new Map();

  /**
   * @param {(number: number, start: boolean) => void} decide starts or cancels a pass
   * @param {Set<string>} agreed digests of the runs that the user has started; two engines share the set
   */
  constructor(decide, agreed) {
    this.decide = decide;
    this.agreed = agreed;
  }

  /** Handles a message of the engine about a pass. @param {Pass} pass */
  take(pass) {
    const { number, state } = pass;
    this.#lines.get(number)?.remove();
    this.#lines.delete(number);
    const problem = document.getElementById("problem"); // exists only on the lab's page; other pages open small scenarios
    if (state === "ended") return;
    if (state === "announced" && (!problem || this.agreed.has(pass.run))) return this.decide(number, true);
    if (!problem) return;
    const line = this.#line(pass);
    problem.after(line);
    this.#lines.set(number, line);
  }

  /** Returns the line of a pass. @param {Pass} pass */
  #line({ number, run, state, name, lanes, timers, memory }) {
    const words = html("span", {}, t(`site.pass.${state}`, { name: name || t("scenario.unnamed"), lanes, timers, memory }));
    const line = html("p", { class: "link pass", role: "status", "data-state": state }, words);
    if (state === "announced") line.append(this.#button(number, run, true));
    line.append(this.#button(number, run, false));
    return line;
  }

  /** Returns a button that starts or cancels the pass of a run. @param {number} number @param {string} run @param {boolean} start */
  #button(number, run, start) {
    return button({ class: start ? "primary" : "plain" }, t(start ? "site.pass.start" : "site.pass.cancel"), () => {
      this.agreed[start ? "add" : "delete"](run);
      this.decide(number, start);
    });
  }
}
