// @ts-check
/**
 * The page of a wheel on Redis keeps itself up to date: it asks for itself again and
 * exchanges what changes. While nobody looks at it, it does not ask.
 */

/** Between two looks, ms. */
const EVERY_MS = 2000;
/** After which an answer is no longer waited for, ms. */
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
    box.classList.add("stale"); // the server is away: what was seen last stays, pale
  }
}

async function watch() {
  for (;;) {
    await new Promise((done) => setTimeout(done, EVERY_MS));
    await look();
  }
}

watch();
