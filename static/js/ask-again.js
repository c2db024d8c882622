// @ts-check
/** Requests whose answer may take the server longer than one request waits. */

/** How often one question is asked in all. */
export const TRIES_MAX = 30;
/** Longest Retry-After in seconds after which it is asked again; a longer one is final. */
const AGAIN_MAX_S = 10;

/**
 * Fetches, and again after Retry-After while the server answers 503: what it computes goes
 * on meanwhile. Null if the server is away.
 * @param {string} address @param {RequestInit} [init]
 * @param {{wanted?: () => boolean, busy?: () => void}} [use] wanted: whether to ask again; busy: the answer has to be waited for
 * @returns {Promise<Response|null>}
 */
export async function askAgain(address, init, { wanted = () => true, busy = () => {} } = {}) {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(address, init).catch(() => null);
    const after = Number(answer?.headers.get("Retry-After"));
    if (answer?.status !== 503 || tries === TRIES_MAX || !(after > 0 && after <= AGAIN_MAX_S) || !wanted()) return answer;
    busy();
    await new Promise((done) => setTimeout(done, after * 1000 * (1 + Math.random() / 2)));
    if (!wanted()) return answer;
  }
}
