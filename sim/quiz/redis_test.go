package quiz

import _ "github.com/wheelscope/wheelscope/wheel/rediswheel/lane" // adds the algorithm redis to the catalogue
