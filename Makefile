# What is done to this project: `make test` is the whole of it, as CI runs it.
# Go and make are enough to build. The tests need a C compiler (-race), redis-server, Python 3 and npm too,
# those in a browser Chromium and a Chinese font: `make test` installs them where it may and else asks for them.
# The attack suite needs Linux.

GO    ?= go
TOOL  := $(GO) tool -modfile=tools.mod
# Packages with tests that don't need a browser; those in internal/e2e do. PLAIN have many cases, each
# in one goroutine, and would take minutes with -race. Long tests in LONG have the build constraint !race:
# those of one goroutine, and those whose goroutines others have. SERIAL lists them, and they are run in addition.
PLAIN    = sim/importer sim/export sim/quiz wheel/algorithms wheel/internal/core wheel/scheme/calendar web/view templates static \
           internal/picture internal/player internal/knowledge internal/extreme
LONG     = sim sim/cursor sim/scenario sim/program sim/tracefile sim/library web internal/cli/lab wheel/timer
SERIAL   = sed -n 's/^func \(\(Test\|Fuzz\|Example\)[A-Za-z0-9_]*\).*/\1/p' $$(grep -l '^//go:build !race' $(LONG:%=%/*_test.go)) | paste -sd'|' -
PACKAGES = $$($(GO) list ./... | grep -v -e /internal/e2e -e /internal/attack -e /internal/faults $(PLAIN:%=-e '/wheelscope/%$$') | sort -r)

.PHONY: all build engine site release generate format check lint unit unit-race unit-plain mutants e2e attack attack-short faults faults-full picture test bench bench-redis peers peers-bench systems soak

all: build

build: ## the program, as ./wheelscope
	$(GO) build -o wheelscope .

# The engine of the static site: Go for WebAssembly. Functions are inlined only in the packages that compute
# runs, FAST, which takes fewer bytes. The full one also draws pictures and writes players; a page loads it
# when one is saved. The commit is not part of it, so that browsers need not load an unchanged engine again.
ENGINE ?= internal/site/built
FAST    = runtime $(patsubst %,github.com/wheelscope/wheelscope/%,wheel wheel/internal/core wheel/scheme/... sim/engine sim)
FLAGS   = -trimpath -gcflags all=-l $(FAST:%=-gcflags %=)
WASM    = GOOS=js GOARCH=wasm $(GO) build $(FLAGS) -buildvcs=false -ldflags '-s -w'
engine:
	mkdir -p $(ENGINE)
	$(WASM) -o $(ENGINE)/engine.wasm ./internal/site/engine
	$(WASM) -tags full -o $(ENGINE)/full.wasm ./internal/site/engine
	for name in engine full; do gzip -9nc $(ENGINE)/$$name.wasm >$(ENGINE)/$$name.wasm.pack || exit 1; done
	cp "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" $(ENGINE)/

# The whole laboratory as files in DIR, for a server of files that serves them below BASE.
DIR  ?= build/site
BASE ?= /
site: engine
	$(GO) run -tags engine . site -o $(DIR) --base-path $(BASE)

# Archives of the program with the engine, in OUT, for the systems of TARGETS.
OUT     ?= build/release
TARGETS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
release:
	OUT='$(OUT)' TARGETS='$(TARGETS)' scripts/release

generate: ## everything that is generated: templates, tables
	$(TOOL) templ generate -path templates
	$(GO) generate ./...

format:
	gofmt -w $$(gofmt -l . | grep -v '_templ\.go$$')

# Before each commit: form, generated code, vet, staticcheck, tests. Vetting for the browser compiles what the
# engine imports, with its flags, so that it is not compiled twice.
check: lint unit

lint:
	scripts/check-format
	scripts/check-generated
	$(GO) vet ./...
	$(TOOL) staticcheck ./...
	GOOS=js GOARCH=wasm $(GO) vet $(FLAGS) ./web/session ./web/api ./internal/site/engine
	GOOS=js GOARCH=wasm $(GO) vet $(FLAGS) -tags full ./web/pages ./internal/site/engine
	scripts/check-types

# The packages with -race beside the tests without it: many tests wait for Redis or for time to pass, and
# leave the processors to the others. Lint has vetted them.
unit:
	$(MAKE) --no-print-directory -j 2 unit-race unit-plain

# In reverse, since the longest come last in the alphabet and would be left to run alone; twice as many at
# once as there are cores.
unit-race:
	$(GO) test -race -vet=off -p $$((2 * $$(getconf _NPROCESSORS_ONLN))) -timeout 9m $(PACKAGES)

unit-plain:
	$(GO) test -vet=off -timeout 9m $(PLAIN:%=./%)
	$(GO) test -vet=off -timeout 9m -run "^($$($(SERIAL)))\$$" $(LONG:%=./%)

# Random faults in the wheels, one by one: the tests must detect most of them.
mutants:
	$(GO) test -tags mutants -run Mutants -timeout 60m ./wheel/algorithms

# The real program and a real browser, as many tests at once as there are cores: with more, pages draw more
# of the frames of each movement before a test goes on. Without -race: the program is a process of its own.
e2e:
	scripts/needs && $(GO) test -vet=off -parallel $$(getconf _NPROCESSORS_ONLN) -timeout 25m ./internal/e2e

# Attackers on the real program under a limit of 3 GB of virtual memory, and what another user
# notices of them. RUN chooses, such as Attacks/row02. The full form takes the better part of an hour
# and needs the machine for itself, as its figures are times; the short form is part of `make test`.
RUN ?= .
attack:
	scripts/needs && $(GO) test -count=1 -vet=off -v -timeout 2h ./internal/attack -run '$(RUN)' -attack.full

attack-short:
	scripts/needs && $(GO) test -count=1 -vet=off -parallel $$(getconf _NPROCESSORS_ONLN) -timeout 14m ./internal/attack

# The real program and real Redis servers under one fault at a time. A case waits most of its time, so many
# run at the same time, and all take half a minute. The full form, part of `make soak`, has 100,000 tasks per
# case and takes hours; CASE chooses, such as row01.
CASE ?= .
faults:
	scripts/needs && $(GO) test -count=1 -vet=off -parallel 10 -timeout 5m ./internal/faults -run 'Test[^F]|Faults/$(CASE)'

SEEDS ?= 3
faults-full:
	scripts/needs && $(GO) test -count=1 -vet=off -v -timeout 24h ./internal/faults -run 'Faults/$(CASE)' -faults.full -faults.seeds $(SEEDS)

# The README's picture, made from the page.
picture:
	$(GO) test ./internal/e2e -run TestPicture -picture $(CURDIR)/docs/lab.png

# One after the other, each needing the machine for itself.
test:
	scripts/needs
	$(MAKE) --no-print-directory lint
	$(MAKE) --no-print-directory unit
	$(MAKE) --no-print-directory faults
	$(MAKE) --no-print-directory e2e
	$(MAKE) --no-print-directory attack-short

# Figures for benchstat. COUNT runs of each; PKG and BENCH choose.
COUNT ?= 10
BENCH ?= .
PKG   ?= ./wheel/... ./sim/... ./web/...
bench:
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) -timeout 2h $(PKG) | tee bench.txt
	$(TOOL) benchstat bench.txt

# The distributed wheel beside asynq, in a module of its own.
bench-redis:
	cd wheel/rediswheel/bench && $(GO) run .

# Timer libraries in use, examined by wheel/wheeltest and measured beside ours, in a module of their own.
PEERS = wheel/wheeltest/peers
peers:
	cd $(PEERS) && $(GO) vet ./... && $(GO) test -count=1 -timeout 1h -run Examination ./... -table $(CURDIR)/docs/PEERS.md

# COUNT runs, interleaved: each benchmark of each library in a process of its own.
peers-bench:
	cd $(PEERS) && rm -f bench.txt && $(GO) test -c -o bench.test . && for run in $$(seq $(COUNT)); do \
		for bench in $$(./bench.test -test.list '$(BENCH)' | grep ^Benchmark); do \
			for peer in time RussellLuo antlabs wheelscope; do \
				./bench.test -test.run '^$$' -test.bench "^$$bench$$" -test.benchtime 3000000x -test.timeout 1h -peer $$peer >>bench.txt || exit 1; \
			done; done; done; rm bench.test
	$(TOOL) benchstat -col /peer $(PEERS)/bench.txt

# Whether all of it compiles where the tests are not run.
systems:
	for on in darwin/amd64 windows/amd64 freebsd/amd64 linux/386 linux/riscv64; do GOOS=$${on%/*} GOARCH=$${on#*/} $(GO) vet ./... || exit 1; done

# The deliberate faults, every fuzz target for SOAK, the properties with RAPID times the cases, other
# systems, then the distributed wheel's failure run and its faults at full size.
SOAK  ?= 10m
RAPID ?= 20000
soak: mutants systems
	scripts/needs
	scripts/soak $(SOAK) $(RAPID)
	$(GO) test -count=1 -v -parallel 1 -run Failures ./wheel/rediswheel/worker -failures.tasks 100000 -failures.span 60s
	$(MAKE) --no-print-directory faults-full
