// @ts-check
/**
 * Keeps the page of a wheel on Redis up to date: fetches the page repeatedly and replaces the parts that have
 * changed. It fetches nothing while the page is hidden.
 */

/** Interval between two updates, in milliseconds. */
const EVERY_MS = 2000;
/** Timeout of a request, in milliseconds. */
const WAIT_MS = 10_000;

const box = /** @type {Element} */ (document.getElementById("worker-now"));

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.href, { signal: AbortSignal.timeout(WAIT_MS) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = page.getElementById("worker-now");
    if (answer.ok && now && now.innerHTML !== box.innerHTML) box.replaceChildren(...now.childNodes);
    box.classList.toggle("stale", !answer.ok);
  } catch {
    box.classList.add("stale"); // the server is unreachable: the last content stays, in a pale colour
  }
}

async function watch() {
  for (;;) {
    await new Promise((done) => setTimeout(done, EVERY_MS));
    await look();
  }
}

watch();
