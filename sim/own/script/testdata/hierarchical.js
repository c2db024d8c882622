// A hierarchical wheel: timers of a coarse slot move to finer levels when the slot begins.
function create(start, params) {
  const n = params.slots, levels = params.levels, timers = new Map();
  const width = (level) => n ** level;
  const slots = Array.from({length: levels}, () => Array.from({length: n}, () => []));
  let now = start, work = 0;
  const put = (timer) => {
    let level = 0;
    while (Math.floor(timer.due / width(level)) - Math.floor(now / width(level)) >= n) level++;
    timer.level = level;
    timer.slot = Math.floor(timer.due / width(level)) % n;
    slots[level][timer.slot].push(timer);
    work++;
  };
  return {
    schedule(key, due) {
      if (Math.floor(due / width(levels - 1)) - Math.floor(now / width(levels - 1)) >= n) return false;
      const timer = {key, due};
      timers.set(key, timer);
      put(timer);
      return true;
    },
    cancel(key) {
      const timer = timers.get(key);
      if (!timer) return false;
      timers.delete(key);
      const slot = slots[timer.level][timer.slot];
      slot.splice(slot.indexOf(timer), 1);
      return true;
    },
    advance(to) {
      const fired = [];
      while (now < to) {
        now++;
        for (let level = levels - 1; level > 0; level--) {
          if (now % width(level) !== 0) continue;
          const slot = Math.floor(now / width(level)) % n, list = slots[level][slot];
          slots[level][slot] = [];
          for (const timer of list) put(timer);
        }
        for (const timer of slots[0][now % n]) {
          fired.push(timer.key);
          timers.delete(timer.key);
        }
        slots[0][now % n] = [];
        work++;
      }
      return fired;
    },
    layout() { return Array.from({length: levels}, (_, level) => ({slots: n, width: width(level)})); },
    place(key) { const timer = timers.get(key); return {level: timer.level, slot: timer.slot}; },
    cost() { return work; },
  };
}
