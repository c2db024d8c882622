package say

// zhHTTP is what is answered over HTTP where a question can't be: kept apart since it
// is about addresses, not about scenarios.
var zhHTTP = map[string]string{
	"nothing is at %q": "%s 处什么也没有",
	"%q is not answered at %q; expected one of %s":                                                                      "%[2]s 处不回应 %[1]s；应为下列之一：%[3]s",
	"the server failed; its log says more":                                                                              "服务器出错；其日志中有详情",
	"the body has more than %d bytes":                                                                                   "请求正文超过 %s 字节",
	"%d files are arriving; try again in a while":                                                                       "正在接收 %s 个文件；请稍后再试",
	"the server has no room on its disk for the file":                                                                   "服务器磁盘上没有空间存放此文件",
	"the file arrived too slowly: at least %d bytes a second are expected, and all of it within %s":                     "文件到达太慢：每秒至少应有 %s 字节，且须在 %s 内全部到达",
	"files that are being read take all of %d bytes; try again in a while":                                              "正在读取的文件已占满 %s 字节；请稍后再试",
	"the body can't be read whole: %s":                                                                                  "无法读完请求正文：%s",
	"the address has more than %d bytes after its question mark":                                                        "地址中问号之后超过 %s 字节",
	"host %q is not served here; start with --host-allow %s to allow it":                                                "此处不服务主机 %s；若要允许，请以 --host-allow %s 启动",
	"the body has %d bytes; at most %d are read. A scenario is opened by the page's file picker or on the command line": "请求正文有 %s 字节，最多读取 %s 字节。场景请用页面的文件选择器或命令行打开",

	"algorithm: %q is not the id of an algorithm; %s/algorithms lists them": "algorithm：%s 不是任何算法的 id；全部列在 %s/algorithms",
	"as: %q is not one of %s": "as：%s 不是下列之一：%s",
	"%s: %q is not a run of this server; expected %d or more digits of one that was looked at lately": "%s：%s 不是此服务器上的运行；应为最近看过的运行的摘要，至少 %s 位",
	"run: not compared within %s; `wheelscope compare` takes the time it needs":                       "run：%s 内未能比较完；`wheelscope compare` 会用足所需的时间",
	"scenario: %q is not the name of a scenario here":                                                 "scenario：%s 不是此处任何场景的名字",
	"%d requests of this kind are under way; try again in a while":                                    "已有 %s 个此类请求在进行；请稍后再试",
	"the server is busy; try again in a while":                                                        "服务器正忙；请稍后再试",
	"this was not ready in time: the server is busy; try again in a while":                            "未能及时完成：服务器正忙；请稍后再试",
	"this is being computed; ask again in a moment":                                                   "正在计算；请稍后再问",
	"this takes more than %s to compute":                                                              "计算所需时间超过 %s",
	"this far the run is not computed yet; try again in a while":                                      "运行尚未计算到这里；请稍后再试",
	"from, to: this far the run is not computed yet; try again in a while":                            "from、to：运行尚未计算到这里；请稍后再试",
	"%d to %d are not 1 to %d ticks of a run that ends at %d":                                         "%s 到 %s 不是 1 到 %s 个刻度，或超出了在 %s 结束的运行",

	"name: %q is not the name of a lesson":                  "name：%s 不是任何课程的名字",
	"step: %q is not a step of this lesson with a question": "step：%s 不是本课程中带问题的一步",
	"pick: %q is not one of the options 0 to %d":            "pick：%s 不是选项 0 到 %s 之一",
	"there is nothing to ask here":                          "这里没有可问的问题",
	"%s: %q is not a tick":                                  "%s：%s 不是刻度",
	"t: %q is not a tick":                                   "t：%s 不是刻度",
	"n: %q is not a number from 0 to %d":                    "n：%s 不是 0 到 %s 的数",
	"seed: %d bytes; at most %d":                            "seed：%s 字节；最多 %s 字节",

	"origin %q may not use this server; behind a proxy that changes the Host, start with --host-allow and the host and port of that origin": "来源 %s 不得使用此服务器；若代理改写了 Host，请以 --host-allow 加上该来源的主机与端口启动",
	"another site may only link to the pages of this server, and embed those with embed=1":                                                  "其他网站只能链接到此服务器的页面，并嵌入带 embed=1 的页面",
	"a token is needed: open the page with ?token=TOKEN, or send Authorization: Bearer TOKEN":                                               "需要令牌：请以 ?token=令牌 打开页面，或发送 Authorization: Bearer 令牌",
	"the token is wrong": "令牌不对",

	"this address speaks WebSocket only":                                          "此地址只接受 WebSocket",
	"session: %q is not the id of a session; it ends when its last socket leaves": "session：%s 不是任何会话的 id；最后一个连接离开时会话即结束",
	"the server is shutting down":                                                 "服务器正在关闭",
	"there are %d sessions, no more are admitted":                                 "已有 %s 个会话，不再接纳",
	"there are %d sockets, no more are admitted":                                  "已有 %s 个连接，不再接纳",
	"there are %d sockets from this address, no more are admitted":                "已有 %s 个来自此地址的连接，不再接纳",
}
