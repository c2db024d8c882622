import{b as k}from"./chunk-R75EJ66F.js";import{b as g,d as y}from"./chunk-PKIQTRAD.js";import{b as v}from"./chunk-OM6P7DR5.js";import{c as o,f as c,n as i}from"./chunk-SO4T37UU.js";var f=s=>`
    // For the picture.
    layout() { return ${s}; },
    place(key) { return where.get(key); },
  };
}
`,h={simple:`// A simple wheel: one slot for each tick, for delays of less than one revolution.
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
${f("[{slots: n, width: 1}]")}`,rounds:`// A wheel with rounds: one array of slots for any delay. Each timer counts the revolutions that it still waits.
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
${f("[{slots: n, width: 1}]")}`,hierarchical:`// A hierarchical wheel: a slot of a level covers a revolution of the level below it.
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
${f("Array.from({length: levels}, (_, level) => ({slots: n, width: width(level)}))")}`};var b="wheelscope.own",S="mine",w=class{#e=!1;#s=()=>{};#t="";constructor(t,r){this.app=t,this.box=r,this.source=o("textarea",{id:"own-source",class:"own-source",spellcheck:"false",autocomplete:"off",autocapitalize:"off",wrap:"off",maxlength:32768}),this.slots=E("own-slots",2,4096),this.levels=E("own-levels",1,8),this.skeleton=o("select",{id:"own-skeleton"},o("option",{value:""},i("own.skeleton.choose")),...Object.keys(h).map(n=>o("option",{value:n},i(`own.skeleton.${n}`)))),this.run=o("button",{class:"primary",type:"submit"},i("own.run")),this.error=o("p",{class:"error",role:"alert"}),this.verdict=o("div",{class:"own-verdict",role:"status"});let e=o("form",{class:"own-form",novalidate:""},o("p",{class:"hint"},i("own.hint")),o("div",{class:"fields"},m(this.skeleton,i("own.skeleton")),m(this.slots,i("own.slots")),m(this.levels,i("own.levels"))),o("label",{for:"own-source",class:"label"},i("own.source")),o("div",{class:"own-box"},this.source),o("p",{class:"sheet-foot wraps"},this.run),this.error,this.verdict);r.append(e),e.addEventListener("submit",n=>{n.preventDefault(),this.#o()}),this.skeleton.addEventListener("change",()=>this.#i(this.skeleton.value)),this.source.addEventListener("keydown",n=>this.#c(n)),this.source.addEventListener("input",()=>{this.#s(),this.#n()});let l=g(b);typeof l?.source=="string"?this.#r(l):this.#i("rounds"),$(this.source,i("own.source"),()=>this.#o()).then(n=>{this.#s=n,n()},()=>{})}open(){this.begin()}begin(){let t=this.app.store.infos.filter(e=>e.algorithm==="own"),r=t.find(e=>e.id===this.box.dataset.lane)??t[0];this.#t=r?.id??"",r&&!this.#e&&this.#r(r.params)}#i(t){h[t]&&(this.#r({source:h[t],slots:8,levels:t==="hierarchical"?3:1}),this.skeleton.value="")}#r({source:t,slots:r,levels:e}){this.source.value!==t&&(this.source.value=t),this.#s(),[this.slots.value,this.levels.value]=[String(r),String(e)],this.#n()}#n(){y(b,JSON.stringify(this.#l()))}#l(){return{source:this.source.value,slots:Number(this.slots.value),levels:Number(this.levels.value)}}#c(t){t.key==="Enter"&&(t.ctrlKey||t.metaKey)&&(t.preventDefault(),this.#o())}async#o(){if(this.#e)return;this.#e=!0,this.run.disabled=!0,c(this.error,""),this.verdict.replaceChildren(o("p",{},i("own.judging")));let t=this.#l(),r=v(`${this.app.base}/api/try?${new URLSearchParams({lang:this.app.lang})}`,{method:"POST",body:JSON.stringify(t)}).catch(()=>null);this.app.trackRequest(r);let e=await r;this.verdict.replaceChildren(),e?.ok?await this.#h(t,await e.json()):c(this.error,e?await k(e):i("error.link")),this.run.disabled=!1,this.#e=!1}async#h(t,r){this.verdict.replaceChildren(...x(r));let e={key:"branch.own",values:{}};if(r.run)return this.#a(await this.app.edit("load",{run:r.run,tick:r.tick},e));if(r.first>=0)return;let l={id:this.#t||S,algorithm:"own",...t},n=this.#t?{replace:this.#t,with:l}:{add:l};this.#a(await this.app.edit("lane",n,e))}#a(t){t&&c(this.error,t.path==="link"?i("error.link"):t.message)}};function x(s){let t=i("own.tried",{cases:s.groups.reduce((a,u)=>a+u.cases,0)});if(s.first<0)return[o("p",{class:"own-right"},i("own.right")),o("p",{class:"hint"},t)];let r=s.groups[s.first],e=[`create(${r.case?.start??0})`,...(r.case?.ops??[]).map(L)],l=s.run?[o("p",{},i("own.stands"))]:[],n=o("ul",{class:"own-groups"},...s.groups.map(a=>o("li",{},i("own.group",{name:i(`own.group.${a.name}`),verdict:a.fault?i(`own.kind.${a.fault.kind}`):i(a.cases?"own.kind.right":"own.kind.none")}))));return[o("p",{class:"own-wrong"},r.fault?.text??""),...l,o("pre",{class:"own-case",tabindex:"0"},e.join(`
`)),n,o("p",{class:"hint"},t)]}function L({do:s,key:t=0,due:r=0,to:e=0}){return s==="schedule"?`schedule(${t}, ${r})`:s==="cancel"?`cancel(${t})`:`advance(${e})`}function E(s,t,r){return o("input",{id:s,type:"number",min:t,max:r,autocomplete:"off"})}function m(s,t){return o("div",{class:"field"},o("label",{for:s.id},t),s)}var T=(s,t)=>new w(s,t);async function $(s,t,r){let e=await import(new URL("../../js/vendor/codemirror/codemirror.js",import.meta.url).href),l=document.createElement("div");l.className="own-editor",s.before(l),s.hidden=!0;let n=l.attachShadow({mode:"open"}),a=e.HighlightStyle.define([{tag:[e.tags.keyword,e.tags.controlKeyword,e.tags.definitionKeyword],color:"var(--accent)",fontWeight:"600"},{tag:e.tags.comment,color:"var(--soft)",fontStyle:"italic"},{tag:[e.tags.number,e.tags.bool,e.tags.string],color:"var(--good)"}]),u=e.EditorView.theme({"&":{height:"100%",color:"var(--ink)",backgroundColor:"var(--sunk)",fontSize:".85rem"},".cm-scroller":{fontFamily:"var(--mono)",lineHeight:"1.5"},".cm-gutters":{backgroundColor:"var(--sunk)",color:"var(--soft)",borderRight:"1px solid var(--line)"},".cm-content":{caretColor:"var(--ink)"},".cm-cursor":{borderLeftColor:"var(--ink)"},"&.cm-focused":{outline:"none"},".cm-activeLine, .cm-activeLineGutter":{backgroundColor:"color-mix(in srgb, var(--accent) 8%, transparent)"},"&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":{backgroundColor:"color-mix(in srgb, var(--accent) 25%, transparent)"},".cm-matchingBracket":{outline:"1px solid var(--accent)"}}),d=new e.EditorView({root:n,parent:n,state:e.EditorState.create({doc:s.value,extensions:[e.keymap.of([{key:"Mod-Enter",run:()=>(r(),!0)},...e.defaultKeymap,...e.historyKeymap,e.indentWithTab]),e.lineNumbers(),e.history(),e.drawSelection(),e.highlightActiveLine(),e.indentOnInput(),e.bracketMatching(),e.indentUnit.of("  "),e.javascript(),e.syntaxHighlighting(a),u,e.EditorView.contentAttributes.of({"aria-label":t,tabindex:"0"}),e.EditorView.updateListener.of(p=>{p.docChanged&&(s.value=p.state.doc.toString(),s.dispatchEvent(new Event("input")))})]})});return()=>{d.state.doc.toString()!==s.value&&d.dispatch({changes:{from:0,to:d.state.doc.length,insert:s.value}})}}export{T as make};
