// @ts-check
/**
 * A classic script in the head of every page of the static site. A file server ignores the query of a URL.
 * Therefore this script reads the query and, if it names another scenario or another language than that of the
 * page, redirects to the page for them before anything is shown. Later the script registers the service
 * worker, with which the site works without a network.
 */
(() => {
  /**
   * Time, in milliseconds after loading, at which further files are stored. Until then only the page and the
   * engine use the processors and the network.
   */
  const restAfter = 2000;
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const { base = "", path = "", lang: shown = "en", scenario: current = "", scenarios = "" } = script.dataset;
  const query = new URLSearchParams(location.search);
  const asked = query.get("lang") ?? "";
  const lang = asked.startsWith("zh") ? "zh" : asked ? "en" : shown;
  const name = query.get("scenario") ?? "";
  const known = scenarios.split(" ").includes(name);
  if (lang !== shown || (path === "" && known && name !== current)) {
    const folder = path || (known ? `lab/${name}/` : current && `lab/${current}/`);
    location.replace(`${base}/${lang === "en" ? "" : `${lang}/`}${folder}${location.search}${location.hash}`);
  }
  if (query.get("embed") === "1") {
    addEventListener("DOMContentLoaded", () => document.body.classList.add("embed", ...(query.get("controls") === "0" ? ["bare"] : [])));
  }
  /** Registers the service worker, and then asks it to store the remaining files. */
  const store = async () => {
    await navigator.serviceWorker?.register(`${base}/sw.js`);
    (await navigator.serviceWorker?.ready)?.active?.postMessage("later");
  };
  addEventListener("load", () => setTimeout(() => store().catch(() => {}), restAfter)); // without it the site needs a network
})();
