// @ts-check
/**
 * The service worker of the static site. It stores all files of the site in the browser, so that the site
 * works without a network after the first visit. First it stores what the pages that are open need, so that they can soon be loaded
 * again without a network; the files in the list `later`, which has the other pages, are stored when a page sends a
 * message, which it does when it is idle. internal/site writes this script as sw.js, after a first line that
 * defines base, version, and the lists of files.
 */
(() => {
  /** Number of files that are requested together. */
  const BATCH = 16;
  const worker = /** @type {any} */ (globalThis);
  const { base, version, files, later } = worker.wheelscopeSite;
  /** What a page shows that is not stored when there is no network. */
  const missing = `<!DOCTYPE html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Wheelscope</title>
<p>There is no network, and this page is not stored yet. Load it again when there is one.</p><p lang="zh-Hans">没有网络，而且本页面尚未保存。请在有网络时重新加载。</p><p><a href="${base}/">Wheelscope</a></p>`;
  const prefix = `wheelscope${base} `;
  const name = prefix + version;

  worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil((async () => {
    // Browsers with addRoutes read these files from the cache without running this worker for each of about a hundred requests.
    await event.addRoutes?.({ condition: { urlPattern: { pathname: `${base}/static/*` } }, source: { cacheName: name } }).catch(() => {});
    const cache = await caches.open(name);
    const open = (await worker.clients.matchAll({ includeUncontrolled: true })).map((/** @type {any} */ page) => new URL(page.url).pathname);
    await cache.addAll([...files, ...later.filter((/** @type {string} */ file) => open.includes(file))]);
    await worker.skipWaiting();
  })()));

  worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil((async () => {
    for (const other of await caches.keys()) if (other.startsWith(prefix) && other !== name) await caches.delete(other);
    await worker.clients.claim();
  })()));

  worker.addEventListener("message", (/** @type {any} */ event) => event.waitUntil((async () => {
    const cache = await caches.open(name);
    for (let i = 0; i < later.length; i += BATCH) {
      /** @type {string[]} */
      const batch = later.slice(i, i + BATCH);
      const stored = await Promise.all(batch.map((file) => cache.match(file)));
      await cache.addAll(batch.filter((_, k) => !stored[k]));
    }
  })()));

  worker.addEventListener("fetch", (/** @type {any} */ event) => {
    const url = new URL(event.request.url);
    if (event.request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(`${base}/`)) return;
    event.respondWith((async () => {
      const cache = await caches.open(name);
      const path = url.pathname.replace(/index\.html$/, "");
      const found = (await cache.match(path)) ?? (await cache.match(`${path}/`));
      if (found || event.request.mode !== "navigate") return found ?? fetch(event.request);
      return fetch(event.request).catch(() => new Response(missing, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } }));
    })());
  });
})();
