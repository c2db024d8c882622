// @ts-check
/**
 * The URL of a page that is a single file. The page can change only the fragment, which stores its state:
 * `#seq=N&lang=zh`, and `view=lab` for the laboratory of a file that opens in the entry view.
 */

/** Returns the parameters in a fragment. */
export const asked = (hash = location.hash) => new URLSearchParams(hash.slice(1));

/** Returns the number of the event in a URL's fragment, or null if there is none. */
export function eventInURL(hash = location.hash) {
  const seq = Number(asked(hash).get("seq") ?? NaN);
  return Number.isInteger(seq) && seq >= 0 ? seq : null;
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
    else if (asked(hash).has("seq") || asked(hash).has("t")) go(hash);
  });
}
