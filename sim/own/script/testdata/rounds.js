function create(start, params) {
  const n = params.slots, slots = Array.from({length: n}, () => []), where = new Map();
  let now = start, work = 0;
  return {
    schedule(key, due) {
      const timer = {key, slot: due % n, rounds: Math.floor((due - now - 1) / n)};
      slots[timer.slot].push(timer); where.set(key, timer); work++;
      return true;
    },
    cancel(key) {
      const timer = where.get(key);
      if (!timer) return false;
      where.delete(key);
      slots[timer.slot].splice(slots[timer.slot].indexOf(timer), 1);
      return true;
    },
    advance(to) {
      const fired = [];
      while (now < to) {
        const slot = ++now % n, stay = [];
        work++;
        for (const timer of slots[slot]) {
          work++;
          if (timer.rounds-- > 0) stay.push(timer);
          else { fired.push(timer.key); where.delete(timer.key); }
        }
        slots[slot] = stay;
      }
      return fired;
    },
    layout() { return [{slots: n, width: 1}]; },
    place(key) { return where.get(key); },
    cost() { return work; },
  };
}
