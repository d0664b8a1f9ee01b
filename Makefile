# `make check` is what CI runs: no more and no less. Needs Go, gcc, git and make.

GO ?= go

# The same bytes whoever owns the folder, and no surprise edits of go.mod.
export GOFLAGS := -buildvcs=false -mod=readonly

# The linter is built from tools/ with this machine's Go, once per version of either.
LINT_VERSION := $(shell awk '$$1 == "github.com/golangci/golangci-lint/v2" {print $$2}' tools/go.mod)
GO_VERSION := $(shell $(GO) env GOVERSION)
LINT := bin/golangci-lint-$(LINT_VERSION)-$(GO_VERSION)

.PHONY: help build vet fmt fmt-check lint test check demo tools bench-routing bench-facts

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## Build bin/pointsman, static
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/pointsman ./cmd/pointsman

vet: ## Run go vet on every package
	$(GO) vet ./...

fmt: $(LINT) ## Format the Go files
	$(LINT) fmt ./...

fmt-check: $(LINT) ## Fail when a Go file is not formatted (lint says so too)
	$(LINT) fmt --diff ./...

lint: $(LINT) ## Run the linter; its first build takes about three minutes
	$(LINT) run ./...

test: ## Run every test with the race detector
	CGO_ENABLED=1 $(GO) test -race -timeout 20m ./...

check: build vet lint test ## Everything CI runs

demo: ## The whole bot on an embedded sample organisation
	$(GO) run ./cmd/pointsman demo

bench-routing: build ## Accuracy on real tickets: BENCH=<registry and gold> MIRRORS=<repositories>
	@test -n "$(BENCH)" -a -n "$(MIRRORS)" || { echo "want BENCH=<folder of registry.json, dev.jsonl, dev-proxy.jsonl> MIRRORS=<folder of the repositories>"; exit 2; }
	grep -v '"named": *true' $(BENCH)/dev.jsonl > bin/dev-unnamed.jsonl
	for gold in $(BENCH)/dev.jsonl bin/dev-unnamed.jsonl $(BENCH)/dev-proxy.jsonl; do \
		echo "== $$gold"; bin/pointsman eval --registry $(BENCH)/registry.json --repos $(MIRRORS) --gold $$gold || exit 1; done

bench-facts: ## Facts read off real applications against hand counts: APPS=<folder of clones named owner+name>; VERBOSE=1 lists misses
	@test -n "$(APPS)" || { echo "want APPS=<folder of clones named owner+name>"; exit 2; }
	@POINTSMAN_APPS=$(APPS) VERBOSE=$(VERBOSE) $(GO) test ./cmd/pointsman -run 'TestFactsMeasured$$' -count=1 -v | grep -v '^===\|^---\|^PASS' | sed 's/^ *//'

tools: $(LINT) ## Build the linter into bin/

$(LINT): tools/go.mod tools/go.sum
	cd tools && CGO_ENABLED=0 $(GO) build -o ../$(LINT) github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	touch $(LINT)
