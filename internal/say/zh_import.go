package say

// zhImport is what is told of files that are imported (sim/importer).
var zhImport = map[string]string{
	"line %d: %s": "第 %s 行：%s",
	"line %d":     "第 %s 行",

	// A file as a whole.
	"the file is empty": "文件是空的",
	"the file begins with %s, which is none of what can be opened: %s":                                                    "文件以 %s 开头，不是可以打开的内容：%s",
	"this is a table of costs, which does not tell the workload: open the trace, or the scenario":                         "这是一张代价表，其中没有工作负载：请打开轨迹或场景",
	"this is trace-cmd's own format: trace-cmd report writes it as text, which can be opened":                             "这是 trace-cmd 自己的格式：请用 trace-cmd report 写成文本，再打开",
	"the file is packed twice; expected once":                                                                             "文件被压缩了两次；应为一次",
	"the file is not text; expected %s":                                                                                   "文件不是文本；应为%s",
	"the packed file holds more than %d bytes":                                                                            "压缩文件解开后超过 %s 字节",
	"the packed file is cut short":                                                                                        "压缩文件不完整",
	"the packed file is damaged: %s":                                                                                      "压缩文件已损坏：%s",
	"this HTML holds no trace; expected a player that Wheelscope wrote":                                                   "该 HTML 中没有轨迹；应为 Wheelscope 写出的播放器",
	"the player's trace is cut short":                                                                                     "播放器中的轨迹不完整",
	"this Chrome trace does not hold a scenario in its first line; expected one that Wheelscope wrote, as it was written": "该 Chrome 轨迹的首行没有场景；应为 Wheelscope 写出且未经改动的文件",
	"the file tells of no operation":                                                                                      "文件中没有任何操作",
	"the file tells of no timer_start, and so of no timer":                                                                "文件中没有 timer_start，也就没有定时器",
	"a scenario (JSON), a trace (JSON Lines, or HTML or Perfetto JSON that Wheelscope wrote), a workload (CSV with at, op, id, delay, or JSON Lines), Linux timer events (text)": "场景（JSON）、轨迹（JSON Lines，或 Wheelscope 写出的 HTML、Perfetto JSON）、工作负载（含 at、op、id、delay 列的 CSV，或 JSON Lines）、Linux 定时器事件（文本）",

	// Over HTTP, and a trace that is broken.
	"origin %q may not send a file here":                                                 "来源 %s 不得向此处发送文件",
	"%d files are being read; try again in a while":                                      "正在读取 %s 个文件；请稍后再试",
	"run: its trace was not written within %s; `wheelscope run` takes the time it needs": "run：%s 内未能写完轨迹；`wheelscope run` 会用足所需的时间",
	"reading took longer than %s":                                                        "读取超过了 %s",
	"%q is not a run of this server":                                                     "%s 不是此服务器上的运行",
	"the trace is of version %d, expected %d":                                            "轨迹的版本是 %s，应为 %s",
	"its end is a carriage return and a newline, expected a newline alone":               "以回车加换行结尾，应只以换行结尾",
	"cut short: it does not end in a newline":                                            "不完整：没有以换行结尾",
	"nothing is not a trace":                                                             "内容为空，不是轨迹",
	"the trace ends here without an end line":                                            "轨迹到此为止，缺少结束行",
	"seq is %d, expected %d":                                                             "seq 是 %s，应为 %s",
	"id is %d, the scenario has %d timers":                                               "id 是 %s，而场景有 %s 个定时器",
	"before is %d, the scenario has %d timers":                                           "before 是 %s，而场景有 %s 个定时器",
	"the lines of one tick have more than %d bytes":                                      "一个刻度的各行超过 %s 字节",
	"more text after the end is not expected":                                            "结束之后不应再有内容",

	// Lines of a workload.
	"longer than %d bytes":                                       "超过 %s 字节",
	"more than %d events are not allowed":                        "事件不得多于 %s 个",
	"the column %s stands twice":                                 "列 %s 出现两次",
	"the column %s is missing":                                   "缺少列 %s",
	"the quotes do not pair":                                     "引号不成对",
	"%d cells are not at most %d, one a column":                  "%s 个单元格超出 %s 个，即每列一个",
	"%s without every is not a repeat; expected both or neither": "%s 缺少 every，不构成重复；两者须同时给出或都省略",
	"the columns at, op, id, delay, every, times":                "这些列：at, op, id, delay, every, times",
	"ticks, or a duration such as 5ms":                           "刻度数，或 5ms 这样的时长",
	"a number of ticks, %d or more":                              "不小于 %s 的刻度数",
	"a whole number, 1 or more, or -1 for ever":                  "不小于 1 的整数，或表示永远的 -1",
	"a number or a string":                                       "数或字符串",
	"a number of jiffies":                                        "jiffies 数",
	"expires %d less %d is no jiffy":                             "expires %s 减去 %s 不是 jiffy",
	"timer=ADDRESS":                                              "timer=地址",
	"a workload":                                                 "工作负载",
	"%d operations on %d timers, up to tick %d":                  "%s 个操作，%s 个定时器，直到刻度 %s",

	// The kernel's timers.
	"%d timers, %d starts, %d cancels; tick 0 is jiffy %d; %d jiffies a second":        "%s 个定时器，启动 %s 次，取消 %s 次；刻度 0 对应 jiffy %s；每秒 %s 个 jiffy",
	"starts left out, since their timers are due past the last tick there is: %d":      "略去的启动（其到期超出最后一个刻度）：%s 个",
	"lines left out, since they begin with #: %d":                                      "略去的行（以 # 开头）：%s 行",
	"events left out, since their timers were started before the trace began: %d":      "略去的事件（其定时器在跟踪开始之前就已启动）：%s 个",
	"the linux lane predicts the kernel's rounding (bucket_expiry) of %d of %d starts": "linux 泳道预测出内核的取整（bucket_expiry）：%s 次，共 %s 次启动",
	"the first it does not: line %d, where the kernel rounds to %d and the lane to %d": "第一处不符：第 %s 行，内核取整到 %s，泳道取整到 %s",
}
