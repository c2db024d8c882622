// @ts-check
/** Requests for results that may take longer to compute than one request can wait, and their refusals. */
import { t } from "./texts.js";
import { request } from "./transport.js";

/** Maximum number of attempts per request. */
export const TRIES_MAX = 30;
/** Longest Retry-After, in seconds, that leads to another attempt. An answer with a longer one is final. */
const AGAIN_MAX_S = 10;

/**
 * Fetches a URL. While the server answers 503, which means that the computation continues, it
 * retries after Retry-After. Returns null if the server is unreachable.
 * @param {string} address @param {RequestInit} [init]
 * @param {{wanted?: () => boolean, busy?: () => void}} [use] wanted: whether to ask again; busy: called if the answer is delayed
 * @returns {Promise<Response|null>}
 */
export async function askAgain(address, init, { wanted = () => true, busy = () => {} } = {}) {
  for (let tries = 1; ; tries++) {
    const answer = await request(address, init).catch(() => null);
    const after = Number(answer?.headers.get("Retry-After"));
    if (answer?.status !== 503 || tries === TRIES_MAX || !(after > 0 && after <= AGAIN_MAX_S) || !wanted()) return answer;
    busy();
    await new Promise((done) => setTimeout(done, after * 1000 * (1 + Math.random() / 2)));
    if (!wanted()) return answer;
  }
}

/** Returns the reason why the server refused a request, in the page's language. @param {Response} answer */
export async function refusalWords(answer) {
  if (answer.status === 404) return t("pane.gone");
  const line = (await answer.text().catch(() => "")).trim();
  return line || t(answer.status === 503 ? "pane.long" : "compare.offline");
}
