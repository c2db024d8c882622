package say

// zhExport has messages about runs that can't be sent as a file.
var zhExport = map[string]string{
	"run: %d events are more than a page can hold: expected %d or fewer": "run：%s 个事件超出一个页面所能容纳的数量：应不超过 %s 个",
}
