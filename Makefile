# Targets to build and test the project. CI runs `make test`. Building
# needs only Go and make. The tests also need a C compiler (-race), redis-server, Python 3 and npm;
# browser tests need Chromium and a Chinese font. `make test` installs these or lists what is
# missing (scripts/needs). The attack suite needs Linux.

GO    ?= go
TOOL  := $(GO) tool -modfile=tools.mod
# PACKAGES are tested with -race. PLAIN are tested without it: their tests use one goroutine. In
# LONG, tests that are long and use one goroutine, or whose concurrency other tests cover, have the
# build constraint !race. SERIAL prints a pattern of their names; they run without -race in addition.
PLAIN    = . sim/advise sim/own sim/own/script sim/race sim/program sim/library sim/importer sim/export sim/quiz wheel/algorithms wheel/internal/core web/view templates static \
           internal/picture internal/player internal/scripttest internal/knowledge internal/extreme internal/cli/lab internal/cli/input internal/cli/record internal/texts \
           internal/testkit web/pages web/session/protocol \
           wheel wheel/catalog wheel/queue wheel/rediswheel/lane wheel/rediswheel/internal/connect wheel/rediswheel/signature wheel/timer/timerclock \
           wheel/port/internal/ring $(patsubst %/,%,$(filter-out %/internal/,$(wildcard wheel/scheme/*/ wheel/system/*/ wheel/port/*/)))
LONG     = sim sim/compare sim/cursor sim/scenario sim/simtest sim/tracefile web wheel/rediswheel wheel/timer wheel/wheeltest
SERIAL   = sed -n 's/^func \(\(Test\|Fuzz\|Example\)[A-Za-z0-9_]*\).*/\1/p' $$(grep -l '^//go:build !race' $(LONG:%=%/*_test.go)) | paste -sd'|' -
PACKAGES = $$($(GO) list ./... | grep -v -e /internal/e2e -e /internal/attack -e /internal/faults $(patsubst %,-e 'wheelscope/%$$',$(PLAIN:.=wheelscope)) | sort -r)

# The targets of `make test` compile with the flags of the program that they test (internal/testkit), but for
# -race, which needs cgo: packages are compiled once, and a clone in another folder finds them in the cache. Without
# DWARF, which is for debuggers, and with GOGC=400 the compiler takes a quarter less time. Tests run without GOGC.
EXEC     = -exec 'env -u GOGC'
TRIMMED := $(shell $(GO) env GOFLAGS) -trimpath -gcflags=all=-dwarf=false
lint lint-engine program unit-race unit-plain faults e2e attack-short: export GOFLAGS = $(TRIMMED)
lint lint-engine program unit-plain faults e2e attack-short: export CGO_ENABLED = 0
lint lint-engine program unit-race unit-plain: export GOGC = 400

.PHONY: all build engine site release generate race format check lint lint-engine program waiting beside unit unit-race unit-plain mutants e2e attack attack-short faults faults-full picture test bench bench-redis peers peers-bench bench-advise systems soak

all: build

build: ## the program, as ./wheelscope
	$(GO) build -o wheelscope .

# The engine of the static site: Go for WebAssembly. The full one also draws pictures and writes players;
# a page loads it when one is saved, and own when it runs a wheel in JavaScript. The commit is not part of it, so that browsers need not load an
# unchanged engine again.
ENGINE ?= internal/site/built
WASM    = GOOS=js GOARCH=wasm $(GO) build -trimpath -buildvcs=false -ldflags '-s -w'
engine:
	mkdir -p $(ENGINE)
	$(WASM) -o $(ENGINE)/engine.wasm ./internal/site/engine
	$(WASM) -tags full -o $(ENGINE)/full.wasm ./internal/site/engine
	$(WASM) -o $(ENGINE)/own.wasm ./internal/site/own
	for name in engine full own; do gzip -9nc $(ENGINE)/$$name.wasm >$(ENGINE)/$$name.wasm.pack || exit 1; done
	cp "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" $(ENGINE)/

# Writes the static site to DIR, for a file server that serves it below the path BASE.
DIR  ?= build/site
BASE ?= /
site: engine
	$(GO) run -tags engine . site -o $(DIR) --base-path $(BASE)

# Writes release archives for the systems in TARGETS to OUT; see scripts/release.
OUT     ?= build/release
TARGETS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
release:
	OUT='$(OUT)' TARGETS='$(TARGETS)' scripts/release

generate: ## everything that is generated: templates, tables
	$(TOOL) templ generate -path templates
	$(GO) generate ./...

race: ## measures the figures of the page /race anew; takes a minute
	$(GO) run sim/race/race_gen.go

format:
	$(TOOL) goimports -w $$($(TOOL) goimports -l . | grep -v '_templ\.go$$')

# Run before each commit: format, generated code, vet, staticcheck and unit tests.
# Vet compiles for the browser with the flags of the engine, so that nothing is compiled twice.
check: lint unit

lint: lint-engine
	scripts/check-format
	scripts/check-generated
	$(GO) vet ./...
	$(TOOL) staticcheck ./...
	scripts/check-types
	node --test static/test/

lint-engine:
	GOOS=js GOARCH=wasm $(GO) vet -trimpath ./web/session ./web/api ./internal/site/engine ./internal/site/own
	GOOS=js GOARCH=wasm $(GO) vet -trimpath -tags full ./web/pages ./internal/site/engine

# Runs tests with and without -race at the same time, because many tests wait for Redis or for time
# to pass and leave the processors idle. -vet=off: lint runs vet.
unit:
	$(MAKE) --no-print-directory -j 2 unit-race unit-plain

# PACKAGES is in reverse order, because the longest come last in the alphabet and would otherwise
# run alone at the end. Twice as many packages run at the same time as there are cores.
unit-race:
	$(GO) test -race -vet=off $(EXEC) -p $$((2 * $$(getconf _NPROCESSORS_ONLN))) -timeout 20m $(PACKAGES)

unit-plain:
	$(GO) test -vet=off $(EXEC) -timeout 20m $(PLAIN:%=./%)
	$(GO) test -vet=off $(EXEC) -timeout 20m -run "^($$($(SERIAL)))\$$" $(LONG:%=./%)

# Puts random faults into the wheels, one at a time. The tests must detect most of them.
mutants:
	$(GO) test -tags mutants -run Mutants -timeout 60m ./wheel/algorithms

# Tests the program in a browser: the journeys; WHEELSCOPE_WHOLE=1 adds the matrices of sizes, themes and languages. With as many tests at the same time as there are cores; more would
# be slower, because pages draw more frames of each animation before a test continues. Without
# -race, because the program is a separate process.
e2e:
	scripts/needs && $(GO) test -vet=off -parallel $$(getconf _NPROCESSORS_ONLN) -timeout 25m ./internal/e2e

# Attacks the program, limited to 3 GB of virtual memory, and measures the effect on another user.
# RUN selects tests, such as Attacks/row02. The full form takes most of an hour and must be the only
# load of the machine, because it measures times; the short form of a few is part of `make test`, of all part of `make soak`.
RUN ?= .
attack:
	scripts/needs && $(GO) test -count=1 -vet=off -v -timeout 2h ./internal/attack -run '$(RUN)' -attack.full

attack-short:
	scripts/needs && $(GO) test -count=1 -vet=off -parallel $$(getconf _NPROCESSORS_ONLN) -timeout 14m ./internal/attack -run '$(RUN)'

# Tests the program and Redis servers under one fault at a time. Cases mostly wait, so many run at
# the same time; all take half a minute. `make test` runs FEW_FAULTS. The full form, part of `make soak`, has
# 100,000 tasks per case and takes hours. CASE selects cases, such as row01.
CASE ?= .
FEW_FAULTS  = (row01-clients-killed|row02-flushed|row04|workers-killed|row19-receiver-down)
FEW_ATTACKS = Attacks/(row04|row08|row16)|Foreign|Smuggling|Traversal|Injection
faults:
	scripts/needs && $(GO) test -count=1 -vet=off -parallel 10 -timeout 5m ./internal/faults -run 'Test[^F]|Faults/$(CASE)'

SEEDS ?= 3
faults-full:
	scripts/needs && $(GO) test -count=1 -vet=off -v -timeout 24h ./internal/faults -run 'Faults/$(CASE)' -faults.full -faults.seeds $(SEEDS)

# Makes the picture in the README from the page.
picture:
	$(GO) test ./internal/e2e -run TestPicture -picture $(CURDIR)/docs/page.png

# Runs all checks. The failure tests and those in the browser wait for time, frames and servers for a
# part of their time, so lint runs beside them, with the lowest priority, which hardly delays them. What
# both compile is compiled before, and therefore once, and so is what both need from npm installed. The other checks need all cores.
test:
	scripts/needs
	scripts/node-modules
	$(MAKE) --no-print-directory program
	$(MAKE) --no-print-directory lint-engine
	$(MAKE) --no-print-directory -j 2 waiting beside
	$(MAKE) --no-print-directory unit
	$(MAKE) --no-print-directory attack-short RUN='$(FEW_ATTACKS)'

program:
	$(GO) build -o /dev/null .

waiting:
	$(MAKE) --no-print-directory faults CASE='$(FEW_FAULTS)'
	$(MAKE) --no-print-directory e2e

beside:
	nice -n 19 $(MAKE) --no-print-directory lint

# Runs benchmarks COUNT times and summarizes them with benchstat. PKG and BENCH select them.
COUNT ?= 10
BENCH ?= .
PKG   ?= ./wheel/... ./sim/... ./web/...
bench:
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) -timeout 2h $(PKG) | tee bench.txt
	$(TOOL) benchstat bench.txt

# Checks the advice of "wheelscope advise" against a later timing of all structures; takes minutes.
bench-advise:
	$(GO) test ./sim/advise -run '^$$' -bench Accept -benchtime 1x -timeout 1h

# Compares the distributed wheel with asynq, in a separate module.
bench-redis:
	cd wheel/rediswheel/bench && $(GO) run .

# Tests other timer libraries with wheel/wheeltest, in a separate module, and writes docs/PEERS.md.
PEERS = wheel/wheeltest/peers
peers:
	cd $(PEERS) && $(GO) vet ./... && $(GO) test -count=1 -timeout 1h -run Examination ./... -table $(CURDIR)/docs/PEERS.md

# Benchmarks the timer libraries in COUNT interleaved runs, each benchmark of a library in its own
# process.
peers-bench:
	cd $(PEERS) && rm -f bench.txt && $(GO) test -c -o bench.test . && for run in $$(seq $(COUNT)); do \
		for bench in $$(./bench.test -test.list '$(BENCH)' | grep ^Benchmark); do \
			for peer in time RussellLuo antlabs wheelscope; do \
				./bench.test -test.run '^$$' -test.bench "^$$bench$$" -test.benchtime 3000000x -test.timeout 1h -peer $$peer >>bench.txt || exit 1; \
			done; done; done; rm bench.test
	$(TOOL) benchstat -col /peer $(PEERS)/bench.txt

# Checks that everything compiles on systems where the tests are not run.
systems:
	for on in darwin/amd64 windows/amd64 freebsd/amd64 linux/386 linux/riscv64; do GOOS=$${on%/*} GOARCH=$${on#*/} $(GO) vet ./... || exit 1; done

# Runs mutants, systems and scripts/soak with every fuzz target for SOAK and RAPID cases per
# property, then the failure test of the distributed wheel, and faults-full.
SOAK  ?= 10m
RAPID ?= 20000
soak: mutants systems
	scripts/needs
	scripts/soak $(SOAK) $(RAPID)
	$(GO) test -count=1 -v -parallel 1 -run Failures ./wheel/rediswheel/worker -failures.tasks 100000 -failures.span 60s
	$(MAKE) --no-print-directory attack-short
	$(MAKE) --no-print-directory faults-full
