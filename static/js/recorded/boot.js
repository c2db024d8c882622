// @ts-check
/**
 * Opens a page that is a single file. This classic script unpacks the page and its scripts, which are
 * one module, and runs them. internal/player writes the
 * blocks that it reads.
 */
(async () => {
  /** @type {(id: string) => any} */
  const part = (id) => document.getElementById(id);
  const status = part("boot");
  const unbase = (/** @type {string} */ text) => {
    const packed = atob(text.trim());
    const bytes = new Uint8Array(packed.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = packed.charCodeAt(i);
    return bytes;
  };
  const json = async (/** @type {string} */ id) => new Response(new Blob([unbase(part(id).textContent)]).stream().pipeThrough(new DecompressionStream("gzip"))).json();

  const parameters = new URLSearchParams(location.hash.slice(1));

  // The language in the URL, else the browser's.
  const language = (/** @type {Record<string, string>} */ pages) => {
    const lang = parameters.get("lang") ?? "";
    if (pages[lang]) return lang;
    return navigator.languages.find((one) => pages[one.slice(0, 2)])?.slice(0, 2) ?? "en";
  };

  // Renders the page as a server would initially send it; its scripts and style sheets are in the file.
  const show = (/** @type {string} */ page, /** @type {string} */ sheet) => {
    const sent = new DOMParser().parseFromString(page, "text/html");
    const root = document.documentElement;
    root.lang = sent.documentElement.lang;
    document.head.append(Object.assign(document.createElement("style"), { textContent: sheet }));
    document.head.append(/** @type {Element} */ (sent.getElementById("texts")));
    for (const { name, value } of sent.body.attributes) document.body.setAttribute(name, value);
    document.body.prepend(...sent.body.childNodes);
    for (const script of sent.head.querySelectorAll("script:not([type])")) {
      document.head.append(Object.assign(document.createElement("script"), { textContent: script.textContent }));
    }
  };

  try {
    const [kit, one] = await Promise.all([json("kit"), json(part("lecture") ? "lecture" : "run")]);
    const href = () => URL.createObjectURL(new Blob([unbase(part("trace").textContent)], { type: "application/gzip" }));
    const { lecture, runs } = one;
    /** @type {any} */ (globalThis).wheelscopeRecorded = lecture
      ? { run: runs[lecture.stops[0].run], runs, lecture, knowledge: kit.knowledge }
      : { run: one, knowledge: kit.knowledge, trace: { href, name: `${one.name}.jsonl.gz` } };
    const { pages, sheet, script } = parameters.get("view") === "lab" ? kit.views.lab : (kit.views.entry ?? kit.views.lab);
    show(pages[language(pages)], sheet);
    document.head.append(Object.assign(document.createElement("script"), { type: "module", textContent: script }));
    status.remove();
  } catch (error) {
    status.textContent = `${status.dataset.failed} ${error instanceof Error ? error.message : error}`;
  }
})();
