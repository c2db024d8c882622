module github.com/wheelscope/wheelscope/wheel/wheeltest/peers

go 1.26.0

require (
	github.com/RussellLuo/timingwheel v0.0.0-20220218152713-54845bda3108
	github.com/antlabs/stl v0.0.2 // indirect
	github.com/antlabs/timer v0.1.4
	github.com/ouqiang/timewheel v1.0.1
	github.com/rfyiamcool/go-timewheel v1.1.0
	github.com/siddontang/go v0.0.0-20180604090527-bdc77568d726
	github.com/zeromicro/go-zero v1.10.3
)

require github.com/wheelscope/wheelscope v0.0.0

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/fatih/color v1.19.0 // indirect
	github.com/mattn/go-colorable v0.1.16 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/spaolacci/murmur3 v1.1.0 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	go.opentelemetry.io/otel v1.40.0 // indirect
	go.opentelemetry.io/otel/trace v1.40.0 // indirect
	go.uber.org/automaxprocs v1.6.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace github.com/wheelscope/wheelscope => ../../..
