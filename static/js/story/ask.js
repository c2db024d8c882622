// @ts-check
/**
 * Questions to the server about a run, over HTTP: docs/MESSAGES.md, "Questions". An
 * answer is forgotten when a newer question was asked; one that fails is as none.
 */

export class Ask {
  #asked = 0;
  #busy = false;
  /** @type {(() => void)|null} the newest question that waits for the one under way */
  #next = null;

  /** @param {any} app @param {string} what "step", "events" or "life" */
  constructor(app, what) {
    this.app = app;
    this.address = `${app.base}/api/${what}`;
  }

  /**
   * Asks; only the newest question is answered, and one is under way at a time. A server
   * that does not know the run is not asked: when it does, the page is told a state.
   * @param {Record<string, string|number>} query @param {(answer: any) => void} then
   */
  ask(query, then) {
    const mine = ++this.#asked;
    if (!this.app.served) return;
    const go = async () => {
      this.#busy = true;
      const answer = await fetchJSON(`${this.address}?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`);
      this.#busy = false;
      const next = this.#next;
      this.#next = null;
      if (next) next();
      if (answer && mine === this.#asked) then(answer);
    };
    if (this.#busy) this.#next = go;
    else go();
  }

  /** What is asked is no longer wanted. */
  forget() {
    this.#asked++;
    this.#next = null;
  }
}

/** @param {string} address */
async function fetchJSON(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null; // the server is away: the page's head says so
  }
}
