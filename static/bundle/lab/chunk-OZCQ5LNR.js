import{c as e}from"./chunk-J6XI2HXJ.js";function n(t,c){let o=URL.createObjectURL(t);e("a",{href:o,download:c}).click(),setTimeout(()=>URL.revokeObjectURL(o),1e3)}export{n as a};
