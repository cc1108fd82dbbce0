# Builds the programs as OpenBench's worker asks for them (docs/openbench.md). People use cargo or `just`.
#
#   make                       ./fastchess: `leap`, which acts as `leap openbench` under this name
#   make EXE=NAME              ./NAME: `leapd`
#   make EXE=NAME EVALFILE=F   the same with the weights of the file F, for the game that the file names
#   make EXE=NAME TUNE=1       the same with the constants of the search as options; `packaging/tune` sets TUNE
#
# The worker also passes CC= or CXX=. cargo needs no compiler of C, so they change nothing.

# The root of the source, as seen from the folder that `make` runs in.
ROOT ?= .
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)
TARGET := $(or $(CARGO_TARGET_DIR),$(ROOT)/target)
PROGRAM := $(TARGET)/release
# games/build.rs reads the name of the weights. The jobs of `make` are not those of cargo.
ENVIRONMENT := MAKEFLAGS= $(if $(EVALFILE),LEAPD_EVALFILE=$(abspath $(EVALFILE)))
CARGO := $(ENVIRONMENT) cargo build --release --locked --manifest-path $(ROOT)/Cargo.toml --target-dir $(TARGET)

.PHONY: fastchess engine

ifdef EXE
engine:
	$(CARGO) -p leapd $(if $(TUNE),--features tune)
	cp $(PROGRAM)/leapd$(SUFFIX) $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)
else
fastchess:
	$(CARGO) -p leap-adapters --no-default-features --bin leap
	cp $(PROGRAM)/leap$(SUFFIX) fastchess$(SUFFIX)
endif
