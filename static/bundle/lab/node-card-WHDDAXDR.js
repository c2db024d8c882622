import{a}from"./chunk-T7YAK5DR.js";import"./chunk-I7NH2VZ3.js";import"./chunk-APHTXGEH.js";import"./chunk-BYXBJQAS.js";import"./chunk-3MPHBIFB.js";export{a as NodeCard};
