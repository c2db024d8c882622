package say

import "maps"

// zh is the Chinese catalogue. Its keys are English formats, then phrases with each number as %d.
// In translations every verb is %s, or %[n]s if the order differs.
var zh = join(zhParts)

// zhParts are the parts of the catalogue; their keys are distinct.
var zhParts = []map[string]string{zhScenario, zhHTTP, zhExport, zhImport, zhEstimate}

func join(parts []map[string]string) map[string]string {
	all := map[string]string{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}

// zhScenario has messages about scenarios and refused commands.
var zhScenario = map[string]string{
	// Invalid values.
	"%s is not %s":             "%s 不是%s",
	"%d is not %s":             "%s 不是%s",
	"%s is not one of %s":      "%s 不是下列之一：%s",
	"%q is not one of %s":      "%s 不是下列之一：%s",
	"%s is not an object":      "%s 不是对象",
	"%s is not a list":         "%s 不是列表",
	"missing; expected %s":     "缺少；应为%s",
	"unknown field; %s has %s": "未知字段；%s 的字段有 %s",
	"unknown field; the operation happens at tick %d":         "未知字段；该操作发生在刻度 %s",
	"unknown field; %s takes %s":                              "未知字段；%s 接受 %s",
	"unknown field; no command takes it":                      "未知字段；没有命令接受它",
	"%s is not %s, more than 0":                               "%s 不是大于 0 的%s",
	"%s is not an operation object":                           "%s 不是操作对象",
	"%s is not a text, or an object with a text per language": "%s 不是文本，也不是每种语言一段文本的对象",
	"%s is not a list of names out of %s":                     "%s 不是由这些名字组成的列表：%s",

	// The text of a file.
	"nothing is not a JSON object":                                              "内容为空，不是 JSON 对象",
	"more text after the end of the JSON object is not expected":                "JSON 对象结束之后不应再有内容",
	"not JSON: the text ends too early":                                         "不是 JSON：文本过早结束",
	"not JSON: %s":                                                              "不是 JSON：%s",
	"not JSON at column %d: %s":                                                 "第 %s 列起不是 JSON：%s",
	"the field %s is given twice in one object":                                 "字段 %s 在同一对象中出现两次",
	"more than %d bytes are not a scenario":                                     "超过 %s 字节的内容不是场景",
	"%d bytes, with all defaults written out, are not a scenario of at most %d": "写出全部默认值后共 %s 字节，超出场景上限 %s",
	"%s is not 1, the version of the format that this program reads":            "%s 不是 1，即本程序所读的格式版本",

	// The header of a scenario.
	"%d languages are not at most %d":                                 "%s 种语言超出上限 %s",
	"%d bytes are not a text of at most %d":                           "%s 字节超出文本上限 %s",
	`%s is not a language such as "en" or "zh"`:                       `%s 不是 "en"、"zh" 这样的语言`,
	"%d bytes are not a name of at most %d":                           "%s 字节超出名字上限 %s",
	"%s is not UTF-8":                                                 "%s 不是 UTF-8",
	"missing; expected the last tick, since a timer repeats for ever": "缺少；有定时器永远重复，须给出最后的刻度",
	"%d is not at most %d: start + until + every must fit 62 bits":    "%s 超出 %s：start + until + every 必须在 62 位以内",
	"%d is not a tick between 0 and %d (until)":                       "%s 不是 0 到 %s（until）之间的刻度",

	// Lanes.
	`"" is not a name`:                                         `"" 不是名字`,
	"%d lanes are not between 1 and %d":                        "%s 条泳道不在 1 到 %s 之间",
	"more than %d lanes are not allowed":                       "泳道不得多于 %s 条",
	"%s is the id of lanes[%d] too; expected an id of its own": "%s 已是 lanes[%s] 的 id；每条泳道须有自己的 id",
	"%d slots in the lanes up to here are not at most %d":      "到此为止各泳道共 %s 个槽，超出上限 %s",
	"a longer list is not a list of 1 to %d sizes":             "列表过长，应有 1 到 %s 个大小",
	"a longer list is not at most %d names":                    "列表过长，至多 %s 个名字",
	"lane needs one of %s":                                     "lane 须有下列之一：%s",
	"belongs to %s only":                                       "只能与 %s 一起使用",
	"%q is not the id of a lane":                               "%s 不是某条泳道的 id",

	// Operations.
	"%d is not an operation":                                                                            "%s 不是操作",
	`"" is not the name of a timer`:                                                                     `"" 不是定时器的名字`,
	"%d operations are not at most %d":                                                                  "%s 个操作超出上限 %s",
	"more than %d operations are not allowed":                                                           "操作不得多于 %s 个",
	"%d makes it due past tick %d: start + at + delay must fit 62 bits":                                 "%s 使到期越过刻度 %s：start + at + delay 必须在 62 位以内",
	"%d runs end past tick %d: start + at + delay + times·every must fit 62 bits":                       "%s 次运行越过刻度 %s：start + at + delay + times·every 必须在 62 位以内",
	"%d is not −1 (for ever) or a whole number between 1 and %d":                                        "%s 不是 −1（永远）或 1 到 %s 之间的整数",
	"%s is scheduled at tick %d but live %s by %s; expected a free name, or the operation set or reset": "%s 在刻度 %s 被启动，但它%[3]s仍在运行（由 %[4]s 启动）；请换一个空闲的名字，或用操作 set 或 reset",
	"%s is never scheduled before this %s at tick %d; expected the name of a timer":                     "%s 在刻度 %[3]s 的 %[2]s 之前从未启动；应为某个定时器的名字",

	// Generated groups.
	`"" is not the beginning of a name`:                                          `"" 不是名字的前缀`,
	"%d groups are not at most %d":                                               "%s 组超出上限 %s",
	"more than %d groups are not allowed":                                        "组不得多于 %s 个",
	"%d timers, written and generated, are not at most %d":                       "写出与生成的定时器共 %s 个，超出上限 %s",
	"%d bytes with the index are not a name of at most %d":                       "连同序号共 %s 字节，超出名字上限 %s",
	"timer %s is past tick %d: what is more does not fit 62 bits":                "定时器 %s 越过刻度 %s：更大的数超出 62 位",
	"%s is not a whole number between 0 and %d":                                  "%s 不是 0 到 %s 之间的整数",
	"%s is not min (%d ticks) or more":                                           "%s 小于 min（%s 个刻度）",
	"value and every can't both be given":                                        "value 与 every 不能同时给出",
	"more than %d values are not allowed":                                        "值不得多于 %s 个",
	"an empty list is not a list of lengths of time":                             "空列表不是时长列表",
	"more weights than values (%d) are not allowed":                              "权重不得多于值的个数（%s）",
	"%d weights are not one for each of %d values":                               "%s 个权重，而值有 %s 个，须一一对应",
	"%d ticks make %d runs fall due at once; expected at most %d":                "间隔 %s 个刻度会使 %s 次运行同时到期；至多 %s 次",
	"%d ticks are too few: expected at most %d runs of all timers up to tick %d": "间隔 %s 个刻度太小：到刻度 %[3]s 为止，全部定时器至多运行 %[2]s 次",

	// Moving the cursor, and the session.
	"%d is not an event's number, 0 or more":                                     "%s 不是事件编号（0 或更大）",
	"%d is past the end of the scenario at tick %d":                              "%s 已过场景末尾的刻度 %s",
	"%d is not an event of this run, which has %s":                               "%s 不是本次运行的事件，共有 %s 个",
	"%v is not 0 or between %v and %.0f ticks a second":                          "%s 不是 0，也不在每秒 %s 到 %s 个刻度之间",
	"the run is too long to be computed ahead; it can be seen up to tick %d":     "运行过长，无法预先计算到底；可以看到刻度 %s 为止",
	"the run is not kept any more: many others were opened meanwhile; try again": "该运行已不再保留：期间打开了许多别的运行；请重试",
	"what comes next is not computed yet; try again in a while":                  "后面的内容尚未计算；请稍后再试",
	"%q is not a whole number, %d or more":                                       "%s 不是 %s 或更大的整数",
	"%q is not a whole number, 0 or more":                                        "%s 不是 0 或更大的整数",
	"%q is not the name of a scenario here":                                      "这里没有名为 %s 的场景",
	"the message can't be read: %s":                                              "无法读取该消息：%s",
	"0 is not 1 or -1":                                                           "0 不是 1 或 -1",
	"given beside %s; expected one of them":                                      "与 %s 同时给出；只能取其一",
	"too many commands: at most %d a second":                                     "命令过多：每秒至多 %s 条",
	"only the one who opened this session drives it; a viewer may ask for state": "只有打开此会话的人能操作；观看者只能请求状态",

	// Searches.
	"nothing to look for; expected one of %s":     "没有要找的内容；应为下列之一：%s",
	"%d is not 0 or more":                         "%s 不是 0 或更大的数",
	"differ compares lanes; this scenario has %d": "differ 比较各泳道；本场景只有 %s 条",
	"no timer of this scenario is called %q":      "本场景没有名为 %s 的定时器",
	"%d is not a timer of this run, which has %d": "%s 不是本次运行的定时器，共有 %s 个",
	"%s takes no %s":                              "%s 不接受 %s",

	// Phrases: the value found.
	"an object":    "对象",
	"a list":       "列表",
	"a list of %d": "有 %s 项的列表",
	"no field":     "任何字段都不",

	// Phrases: the value expected.
	"a whole number between %d and %d":                                              "介于 %s 与 %s 之间的整数",
	"%d: nothing else is possible here":                                             "%s：此处只能取这个值",
	"between %d and %d":                                                             "介于 %s 与 %s 之间的数",
	"a number between %d and %d":                                                    "介于 %s 与 %s 之间的数",
	"a number between %d and %d, or a list of them":                                 "介于 %s 与 %s 之间的数，或由它们组成的列表",
	"a number between %d and %d with at most %d decimals":                           "介于 %s 与 %s 之间、至多 %s 位小数的数",
	"a list of %d to %d sizes":                                                      "含 %s 到 %s 个大小的列表",
	"%d to %d sizes":                                                                "含 %s 到 %s 个大小的列表",
	"one size of %d or more, for a wheel that grows":                                "自动增长的轮子所需的单个大小（%s 或更大）",
	"within reach: a slot of this level would span more than %d bits of base ticks": "可行的大小：该层一个槽会跨越超过 %s 位的基本刻度",
	"the number of sizes in slots, %d":                                              "slots 中大小的个数 %s",
	"%d or %d":                                                                      "这两者之一：%s、%s",
	"a tick of %d bits, %d or more":                                                 "不小于 %[2]s、%[1]s 位以内的刻度",
	"one of %s":                                                                     "下列之一：%s",
	"%s is too many for ticks this long; expected %d or fewer":                      "刻度这样长时，%s 太多；至多 %s",
	"a duration such as \"250us\", \"1.5s\" or \"1h30m\" (at most 292 years)":       "如 \"250us\"、\"1.5s\"、\"1h30m\" 的时长（至多 292 年）",
	"a rate such as \"200/s\", \"3/100ms\" or \"5/tick\"":                           "如 \"200/s\"、\"3/100ms\"、\"5/tick\" 的速率",
	"a whole number of ticks or a duration such as \"5ms\"":                         "刻度数，或如 \"5ms\" 的时长",
	"%d tick or more":                                                               "至少 %s 个刻度",
	"%d ticks or more":                                                              "至少 %s 个刻度",
	"a number":                                                                      "数",
	"a string":                                                                      "字符串",
	"a name of its own":                                                             "自己的名字",
	"a name":                                                                        "名字",
	"a text":                                                                        "文本",
	"a list of lanes":                                                               "泳道列表",
	"a list of lengths of time":                                                     "时长列表",
	"a number of timers":                                                            "定时器的个数",
	"the name of a timer":                                                           "定时器的名字",
	"the beginning of the timers' names":                                            "定时器名字的前缀",
	"the version of the format, %d":                                                 "格式版本 %s",
	"the address of a JSON Schema":                                                  "JSON Schema 的地址",
	"an object with ops and generate":                                               "含 ops 与 generate 的对象",
	"the id of an algorithm: %s":                                                    "算法的 id：%s",
	"an object with dist: %s":                                                       "含 dist 的对象，其值为：%s",
	"a lane object beside replace":                                                  "与 replace 一起给出的泳道对象",
	"a built-in scenario's name or a scenario object":                               "内置场景的名字或场景对象",
	"for ever, until it is cancelled":                                               "永远（直到被取消）",
	"until tick %d":                                                                 "直到刻度 %s",

	// Phrases: objects whose fields are listed.
	"a scenario": "场景", "a generated group": "生成组", "cancel": "cancel",
	"the operation %s": "操作 %s", "a lane of algorithm %s": "算法 %s 的泳道", "the distribution %s": "分布 %s",

	// Phrases: why a text is not JSON, as reported by the decoder.
	"unexpected EOF":                         "文本过早结束",
	"expected an object":                     "应为对象",
	"invalid character %s":                   "此处不应出现 %s",
	"invalid character %s at start of value": "此处应为一个值，却是 %s",
	"invalid character %s at start of string (expecting '\"')":         "此处应为带引号的字段名，却是 %s",
	"invalid character %s after object name (expecting ':')":           "字段名之后应为 ':'，却是 %s",
	"invalid character %s after object value (expecting ',' or '}')":   "字段的值之后应为 ',' 或 '}'，却是 %s",
	"invalid character %s after array element (expecting ',' or ']')":  "列表元素之后应为 ',' 或 ']'，却是 %s",
	"invalid character %s in string (expecting non-control character)": "字符串中不应有控制字符 %s",
	"invalid character %s in number (expecting digit)":                 "数字中应为一位数，却是 %s",
	"invalid UTF-8":      "不是 UTF-8",
	"exceeded max depth": "嵌套过深",
	"invalid character %s after top-level value": "JSON 结束之后不应再有 %s",
	"unexpected EOF at byte %d":                  "文本过早结束（第 %s 字节）",
}
