// @ts-check
/**
 * The service worker of the static site. It stores all files of the site in the browser, so that the site
 * works without a network after the first visit. The files in the list `later` are stored when a page sends a
 * message, which it does when it is idle. internal/site writes this script as sw.js, after a first line that
 * defines base, version, and the lists of files.
 */
(() => {
  const worker = /** @type {any} */ (globalThis);
  const { base, version, files, later } = worker.wheelscopeSite;
  const prefix = `wheelscope${base} `;
  const name = prefix + version;

  worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil((async () => {
    // Browsers with addRoutes read these files from the cache without running this worker for each of about a hundred requests.
    await event.addRoutes?.({ condition: { urlPattern: { pathname: `${base}/static/*` } }, source: { cacheName: name } }).catch(() => {});
    const cache = await caches.open(name);
    await cache.addAll(files);
    await worker.skipWaiting();
  })()));

  worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil((async () => {
    for (const other of await caches.keys()) if (other.startsWith(prefix) && other !== name) await caches.delete(other);
    await worker.clients.claim();
  })()));

  worker.addEventListener("message", (/** @type {any} */ event) => event.waitUntil((async () => {
    const cache = await caches.open(name);
    for (const file of later) if (!await cache.match(file)) await cache.add(file);
  })()));

  worker.addEventListener("fetch", (/** @type {any} */ event) => {
    const url = new URL(event.request.url);
    if (event.request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(`${base}/`)) return;
    event.respondWith((async () => {
      const cache = await caches.open(name);
      const path = url.pathname.replace(/index\.html$/, "");
      return (await cache.match(path)) ?? (await cache.match(`${path}/`)) ?? fetch(event.request);
    })());
  });
})();
