// @ts-check
/**
 * The panel's height beside the lanes: from where it stands to the player. It is
 * set by what is free in the window, never by what is told, so that nothing that
 * the story says moves a lane. What is free below the lanes' top while nothing is
 * scrolled is told to the styles as --free: a lane that is large fills it.
 */

/** The gap to the player, pixels. */
const GAP = 11;

/** Keeps the panel's height right. @param {HTMLElement} box the panel */
export function keepRoom(box) {
  const player = document.querySelector(".player");
  const beside = matchMedia("(min-width: 1101px)");
  let asked = false;
  const set = () => {
    asked = false;
    tellFree(player);
    if (!beside.matches) return box.style.removeProperty("height");
    const below = player ? player.getBoundingClientRect().height : 0;
    const top = Math.max(GAP, box.getBoundingClientRect().top);
    box.style.height = `${Math.round(innerHeight - below - top - GAP)}px`;
  };
  const ask = () => {
    if (!asked) requestAnimationFrame(set);
    asked = true;
  };
  addEventListener("scroll", ask, { passive: true });
  addEventListener("resize", ask);
  const around = new ResizeObserver(ask); // a lesson that is opened moves the lanes
  for (const box of document.querySelectorAll(".about, .guide, .player")) around.observe(box);
  ask();
}

let free = "";

/** @param {Element|null} player */
function tellFree(player) {
  const lanes = document.getElementById("lanes");
  const below = player ? player.getBoundingClientRect().height : 0;
  const now = `${Math.round(innerHeight - below - (lanes ? lanes.getBoundingClientRect().top + scrollY : 0) - GAP)}px`;
  if (now !== free) document.documentElement.style.setProperty("--free", now);
  free = now;
}
