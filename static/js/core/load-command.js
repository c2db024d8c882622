// @ts-check
/**
 * Opens a scenario. The server limits the size of a command. If the text of a scenario is too long for a
 * command, it is sent to /api/import, and its run is then opened by digest.
 */
import { lineOf, requestComputed } from "./requests.js";
import { VERSION } from "./protocol.js";
import { t } from "./texts.js";

/** Maximum size of a command in bytes, if the server has not sent its limit. */
const MESSAGE_MAX = 64 << 10;
/** Maximum number of attempts to send a text. */
const TRIES_MAX = 4;
/** Path of the fault of a command whose run needs an own wheel that is still running, and maximum number of attempts then, of up to 7 s each. */
const RUNNING = { path: "own", tries: 24 };
/** The longest possible id of a command, used to compute an upper bound of the size of the command. */
const ID = Number.MAX_SAFE_INTEGER;

/** @typedef {import("./connection.js").Fault} Fault */

/**
 * Sends a load command. Resolves to null on success, and otherwise to the fault.
 * @param {any} app @param {{text?: string|null, scenario?: string, run?: string, tick?: number}} fields
 * @param {{clamp?: boolean, sent?: (id: number) => void}} [how] sent: called with the id of each command; clamp: whether to send the command again without its
 *   tick if the server refuses the tick, such as one after the end of the scenario
 * @returns {Promise<Fault|null>}
 */
export async function load(app, fields, { clamp = false, sent: note = () => {} } = {}) {
  const sent = fits(app, fields) ? { fields } : await imported(app, fields);
  if (!sent.fields) return sent.fault ?? { path: "", message: t("error.link") };
  const send = (/** @type {any} */ what) => untilRecorded(app, () => {
    const sending = app.link.send("load", what);
    note(app.link.lastId);
    return sending;
  });
  const fault = await send(sent.fields);
  if (!clamp || fault?.path !== "tick") return fault;
  const { tick, ...rest } = sent.fields;
  return send(rest);
}

/**
 * Sends a command, and again while an own wheel of its run is running, which the page says.
 * @param {any} app @param {() => Promise<Fault|null>} send @returns {Promise<Fault|null>}
 */
export async function untilRecorded(app, send) {
  for (let tries = 1; ; tries++) {
    const fault = await send();
    if (fault?.path !== RUNNING.path || tries === RUNNING.tries) return fault;
    app.say(fault.message);
  }
}

/**
 * Reports whether a load command with these fields is within the size limit of a command.
 * @param {any} app @param {{text?: string|null}} fields
 */
function fits({ store }, fields) {
  if (!fields.text) return true;
  const max = store.hello?.limits.messageBytes ?? MESSAGE_MAX;
  const command = JSON.stringify({ v: VERSION, id: ID, do: "load", ...fields });
  return command.length <= max && new TextEncoder().encode(command).length <= max;
}

/**
 * Sends a scenario to the server over HTTP. Resolves to the fields of a load command with the digest of the
 * scenario's run, or to a fault.
 * @param {any} app @param {any} fields @returns {Promise<{fields?: any, fault?: Fault}>}
 */
async function imported(app, { text, ...rest }) {
  const answer = await sendText(app, "import", text, { from: app.store.run, own: "1" });
  if (!answer) return {};
  if (![200, 422].includes(answer.status)) return { fault: { path: "", message: await lineOf(answer) } };
  const whole = answer.json().catch(() => null); // the connection may break
  app.trackRequest(whole);
  const { run, fault, faults } = (await whole) ?? { faults: [t("error.link")] };
  return run ? { fields: { ...rest, run } } : { fault: fault ?? { path: "", message: faults?.[0] ?? "" } };
}

/**
 * Sends a scenario's text over HTTP, and retries while the server is busy. Returns null
 * if the server is unreachable.
 * @param {any} app @param {string} path path below /api/ @param {string} text @param {Record<string, string>} [query]
 * @returns {Promise<Response|null>}
 */
export function sendText(app, path, text, query = {}) {
  const address = `${app.base}/api/${path}?${new URLSearchParams({ lang: app.lang, ...query })}`;
  const sending = requestComputed(address, { method: "POST", body: text }, {
    tries: TRIES_MAX,
    busy: async (answer, pause) => app.say(t("link.busy", { why: await lineOf(answer), s: Math.round(pause) })),
  });
  app.trackRequest(sending);
  return sending;
}
