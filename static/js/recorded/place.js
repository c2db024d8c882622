// @ts-check
/**
 * The place in a recorded run, which is in the fragment of the URL, since a file has no query:
 * `#t=N&seq=N&lang=zh`, and `view=lab` for the laboratory of a file that opens in the entry view.
 */

/** Returns the parameters in a fragment. */
export const asked = (hash = location.hash) => new URLSearchParams(hash.slice(1));

/**
 * Returns the position that a URL names, or else that at which the recording opens; tick is −1 before the first event.
 * @param {import("./recording.js").Recording} recording @param {string} [hash]
 */
export function positionIn(recording, hash) {
  const { win, until } = recording;
  const query = new URLSearchParams(location.search);
  const [t, event] = ["t", "seq"].map((name) => Number(asked(hash).get(name) ?? query.get(name) ?? NaN));
  const seq = event >= 0 ? Math.min(event, recording.events) : t >= 0 ? win.lastSeq(t) : recording.data.open;
  const tick = recording.tickOf(seq);
  const later = Number.isNaN(event) ? t >= 0 : t > Math.max(0, tick); // an event and its tick: the end of a later tick without events
  return { seq, tick: later && seq === win.lastSeq(t) ? Math.min(t, until) : tick };
}

/** Turns the links to the other views and languages of the page into fragments, and removes links to a server. */
export function inFile() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('a[href^="/"]'))) {
    const [path, query] = (link.getAttribute("href") ?? "").split("?");
    const kept = new URLSearchParams([...new URLSearchParams(query)].filter(([name]) => ["t", "seq", "lang", "view"].includes(name)));
    if (!kept.has("t") && !kept.has("seq")) kept.set("seq", "0");
    if (path === "/") link.setAttribute("href", `#${kept}`);
    else link.removeAttribute("href");
  }
}

/**
 * Follows changes of the fragment by the user: calls the function `go` with a fragment that has a position, and loads the
 * page again for another language or view.
 * @param {(hash: string) => void} go
 */
export function listen(go) {
  const now = { lang: document.body.dataset.lang, view: document.body.classList.contains("entry") ? "entry" : "lab" };
  addEventListener("hashchange", ({ newURL }) => {
    const { hash } = new URL(newURL); // the page may have updated the URL since
    if (Object.entries(now).some(([name, value]) => (asked(hash).get(name) ?? value) !== value)) location.reload();
    else if (["seq", "t", "stop"].some((name) => asked(hash).has(name))) go(hash);
  });
}
