import{b as w,d as p}from"./chunk-PKIQTRAD.js";import{c as v}from"./chunk-2S2XVLXN.js";import"./chunk-3NWZFMGW.js";import{b as m}from"./chunk-OM6P7DR5.js";import"./chunk-S2RAXEAD.js";import{c as s,e as h}from"./chunk-O4TTH5WD.js";import{b as i}from"./chunk-N3M2KOBU.js";var u=o=>`
    // For the picture.
    layout() { return ${o}; },
    place(key) { return where.get(key); },
  };
}
`,c={simple:`// A simple wheel: one slot for each tick, for delays of less than one revolution.
function create(start, params) {
  const n = params.slots, slots = Array.from({length: n}, () => []);
  const where = new Map(); // pending timers by key
  let now = start;
  return {
    schedule(key, due) {
      // Which delays does the wheel have no slot for? Return false for them.
      const timer = {key, level: 0, slot: 0}; // which slot?
      slots[timer.slot].push(timer);
      where.set(key, timer);
      return true;
    },
    cancel(key) {
      const timer = where.get(key);
      if (!timer) return false;
      where.delete(key);
      slots[timer.slot] = slots[timer.slot].filter((other) => other !== timer);
      return true;
    },
    advance(to) {
      const fired = [];
      while (now < to) {
        now++;
        // The hand comes to a slot. Which timers fire, and what is left in it?
      }
      return fired;
    },
${u("[{slots: n, width: 1}]")}`,rounds:`// A wheel with rounds: one array of slots for any delay. Each timer counts the revolutions that it still waits.
function create(start, params) {
  const n = params.slots, slots = Array.from({length: n}, () => []);
  const where = new Map(); // pending timers by key
  let now = start;
  return {
    schedule(key, due) {
      const rounds = 0; // how many times does the hand pass over the timer before it fires?
      const timer = {key, level: 0, slot: due % n, rounds};
      slots[timer.slot].push(timer);
      where.set(key, timer);
      return true;
    },
    cancel(key) {
      const timer = where.get(key);
      if (!timer) return false;
      where.delete(key);
      slots[timer.slot] = slots[timer.slot].filter((other) => other !== timer);
      return true;
    },
    advance(to) {
      const fired = [];
      while (now < to) {
        now++;
        const slot = now % n, stay = [];
        for (const timer of slots[slot]) {
          // Does it fire, or does it stay and lose a round?
          fired.push(timer.key);
          where.delete(timer.key);
        }
        slots[slot] = stay;
      }
      return fired;
    },
${u("[{slots: n, width: 1}]")}`,hierarchical:`// A hierarchical wheel: a slot of a level covers a revolution of the level below it.
function create(start, params) {
  const n = params.slots, levels = params.levels;
  const slots = Array.from({length: levels}, () => Array.from({length: n}, () => []));
  const where = new Map(); // pending timers by key
  let now = start;
  const width = (level) => n ** level; // ticks of a slot

  // Puts a timer into its slot. It returns false if no level reaches that far.
  function put(timer) {
    for (let level = 0; level < levels; level++) {
      const ahead = Math.floor(timer.due / width(level)) - Math.floor(now / width(level)); // slots before the timer's
      if (ahead < n) {
        timer.level = level;
        timer.slot = Math.floor(timer.due / width(level)) % n;
        slots[level][timer.slot].push(timer);
        return true;
      }
    }
    return false;
  }

  return {
    schedule(key, due) {
      const timer = {key, due, level: 0, slot: 0};
      if (!put(timer)) return false;
      where.set(key, timer);
      return true;
    },
    cancel(key) {
      const timer = where.get(key);
      if (!timer) return false;
      where.delete(key);
      const list = slots[timer.level];
      list[timer.slot] = list[timer.slot].filter((other) => other !== timer);
      return true;
    },
    advance(to) {
      const fired = [];
      while (now < to) {
        now++;
        // When a slot of a coarse level begins, its timers are put again. When is that, and in which order of levels?
        const slot = now % n;
        for (const timer of slots[0][slot]) {
          fired.push(timer.key);
          where.delete(timer.key);
        }
        slots[0][slot] = [];
      }
      return fired;
    },
${u("Array.from({length: levels}, (_, level) => ({slots: n, width: width(level)}))")}`};var y="wheelscope.own",b="mine",f=class{#e=!1;#t="";constructor(e,t){this.app=e,this.box=t,this.source=s("textarea",{id:"own-source",class:"own-source",spellcheck:"false",autocomplete:"off",autocapitalize:"off",wrap:"off",maxlength:32768}),this.slots=k("own-slots",2,4096),this.levels=k("own-levels",1,8),this.skeleton=s("select",{id:"own-skeleton"},s("option",{value:""},i("own.skeleton.choose")),...Object.keys(c).map(l=>s("option",{value:l},i(`own.skeleton.${l}`)))),this.run=s("button",{class:"primary",type:"submit"},i("own.run")),this.error=s("p",{class:"error",role:"alert"}),this.verdict=s("div",{class:"own-verdict",role:"status"});let r=s("form",{class:"own-form",novalidate:""},s("p",{class:"hint"},i("own.hint")),s("div",{class:"fields"},d(this.skeleton,i("own.skeleton")),d(this.slots,i("own.slots")),d(this.levels,i("own.levels"))),s("label",{for:"own-source",class:"label"},i("own.source")),this.source,s("p",{class:"sheet-foot"},this.run),this.error,this.verdict);t.append(r),r.addEventListener("submit",l=>{l.preventDefault(),this.#l()}),this.skeleton.addEventListener("change",()=>this.#r(this.skeleton.value)),this.source.addEventListener("keydown",l=>this.#a(l)),this.source.addEventListener("input",()=>this.#o());let n=w(y);typeof n?.source=="string"?this.#s(n):this.#r("rounds")}open(){this.begin()}begin(){let e=this.app.store.infos.filter(r=>r.algorithm==="own"),t=e.find(r=>r.id===this.box.dataset.lane)??e[0];this.#t=t?.id??"",t&&!this.#e&&this.#s(t.params)}#r(e){c[e]&&(this.#s({source:c[e],slots:8,levels:e==="hierarchical"?3:1}),this.skeleton.value="")}#s({source:e,slots:t,levels:r}){this.source.value!==e&&(this.source.value=e),[this.slots.value,this.levels.value]=[String(t),String(r)],this.#o()}#o(){p(y,JSON.stringify(this.#i()))}#i(){return{source:this.source.value,slots:Number(this.slots.value),levels:Number(this.levels.value)}}#a(e){e.key==="Enter"&&(e.ctrlKey||e.metaKey)&&(e.preventDefault(),this.#l())}async#l(){if(this.#e)return;this.#e=!0,this.run.disabled=!0,h(this.error,""),this.verdict.replaceChildren(s("p",{},i("own.judging")));let e=this.#i(),t=m(`${this.app.base}/api/try?${new URLSearchParams({lang:this.app.lang})}`,{method:"POST",body:JSON.stringify(e)}).catch(()=>null);this.app.trackRequest(t);let r=await t;this.verdict.replaceChildren(),r?.ok?await this.#h(e,await r.json()):h(this.error,r?await v(r):i("error.link")),this.run.disabled=!1,this.#e=!1}async#h(e,t){this.verdict.replaceChildren(...$(t));let r={key:"branch.own",values:{}};if(t.run)return this.#n(await this.app.edit("load",{run:t.run,tick:t.tick},r));if(t.first>=0)return;let n={id:this.#t||b,algorithm:"own",...e},l=this.#t?{replace:this.#t,with:n}:{add:n};this.#n(await this.app.edit("lane",l,r))}#n(e){e&&h(this.error,e.path==="link"?i("error.link"):e.message)}};function $(o){let e=i("own.tried",{cases:o.groups.reduce((a,g)=>a+g.cases,0)});if(o.first<0)return[s("p",{class:"own-right"},i("own.right")),s("p",{class:"hint"},e)];let t=o.groups[o.first],r=[`create(${t.case?.start??0})`,...(t.case?.ops??[]).map(S)],n=o.run?[s("p",{},i("own.stands"))]:[],l=s("ul",{class:"own-groups"},...o.groups.map(a=>s("li",{},i("own.group",{name:i(`own.group.${a.name}`),verdict:a.fault?i(`own.kind.${a.fault.kind}`):i(a.cases?"own.kind.right":"own.kind.none")}))));return[s("p",{class:"own-wrong",lang:"en"},t.fault?.text??""),...n,s("pre",{class:"own-case"},r.join(`
`)),l,s("p",{class:"hint"},e)]}function S({do:o,key:e=0,due:t=0,to:r=0}){return o==="schedule"?`schedule(${e}, ${t})`:o==="cancel"?`cancel(${e})`:`advance(${r})`}function k(o,e,t){return s("input",{id:o,type:"number",min:e,max:t,autocomplete:"off"})}function d(o,e){return s("div",{class:"field"},s("label",{for:o.id},e),o)}var T=(o,e)=>new f(o,e);export{T as make};
