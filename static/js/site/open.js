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
  const { base = "", path = "", lang: shown = "en", view: shownView = "", scenario: current = "", scenarios = "", entries = "" } = script.dataset;
  const query = new URLSearchParams(location.search);
  const given = query.get("lang") ?? "";
  const lang = given.startsWith("zh") ? "zh" : given ? "en" : shown;
  const name = query.get("scenario") ?? "";
  const known = scenarios.split(" ").includes(name);
  const to = known ? name : current;
  const view = shownView && viewFor();
  if (path === "" && query.get("view") === "race") {
    location.replace(`${base}/${lang === "en" ? "" : `${lang}/`}race/${location.search}`);
  } else if (lang !== shown || view !== shownView || (path === "" && to !== current)) {
    const folder = path || (view === "lab" ? `lab/${to && `${to}/`}` : to && `entry/${to}/`);
    location.replace(`${base}/${lang === "en" ? "" : `${lang}/`}${folder}${location.search}${location.hash}`);
  }
  /** Returns the view that the URL opens, as opensEntry in web/pages/entry.go does: "entry" or "lab". */
  function viewFor() {
    const given = query.get("view");
    if (query.has("remember")) remember(given !== "entry");
    if (["mine", "embed"].some((p) => query.has(p)) || /^#(share|lecture)=/.test(location.hash)) return "lab";
    if ((name && !known) || (to && !entries.split(" ").includes(to))) return "lab"; // which says that there is no such scenario
    if (given) return given === "entry" ? "entry" : "lab";
    if (shownView === "lab" || current) return shownView; // the address is that of a page in this view
    if (["session", "follow", "lane", "pane", "lecture"].some((p) => query.has(p))) return "lab";
    return ["scenario", "run", "t", "seq"].some((p) => query.has(p)) && remember() ? "lab" : "entry";
  }
  /** Stores that the laboratory was chosen, or returns whether it was. @param {boolean} [chosen] */
  function remember(chosen) {
    try {
      if (chosen === undefined) return localStorage.getItem("wheelscope.view") === "lab";
      if (chosen) localStorage.setItem("wheelscope.view", "lab");
      else localStorage.removeItem("wheelscope.view");
    } catch {
      // without storage nothing is remembered
    }
    return false;
  }
  if (query.get("embed") === "1") {
    addEventListener("DOMContentLoaded", () => document.body.classList.add("embed", ...(/^(0|none)$/.test(query.get("controls") ?? "") ? ["bare"] : [])));
  }
  /** Registers the service worker, and then asks it to store the remaining files. */
  const store = async () => {
    await navigator.serviceWorker?.register(`${base}/sw.js`);
    (await navigator.serviceWorker?.ready)?.active?.postMessage("later");
  };
  addEventListener("load", () => setTimeout(() => store().catch(() => {}), restAfter)); // without it the site needs a network
})();
