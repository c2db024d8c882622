package cursor

import _ "github.com/wheelscope/wheelscope/wheel/rediswheel/lane"
