package api

import _ "github.com/wheelscope/wheelscope/wheel/redis/lane" // adds the algorithm redis to the catalogue
