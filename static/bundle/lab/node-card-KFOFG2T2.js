import{a}from"./chunk-URTMA3T3.js";import"./chunk-DEEV464N.js";import"./chunk-YVAVLBZD.js";import"./chunk-BYXBJQAS.js";import"./chunk-SO4T37UU.js";export{a as NodeCard};
