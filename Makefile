# Every target first installs what is missing (tools/setup), then does its work. `make help` lists them.
JOBS    ?= 2
SECONDS ?= 20
MINUTES ?= 60
PREFIX  ?= /usr/local
SOURCES  = $(shell git ls-files -co --exclude-standard '*.h' '*.hpp' '*.cc')
TORSOR   = build/bin/torsor

.DEFAULT_GOAL := help
.PHONY: build demo reproduce test test-viewer test-python test-peers test-portable wheel docs gallery bench format format-check sanitize tsan fuzz soak install check-install deb check-deb bench-build bench-peers clean help

help:          ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

build:         ## the program, at build/bin/torsor
	@tools/setup
	@cmake --preset release > /dev/null
	@cmake --build build -j $(JOBS) --target torsor report_page

demo: build    ## simulate the tendon-driven arm: ledger on the screen, result in build/demo
	@mkdir -p build/demo
	$(TORSOR) run tendon_arm --out build/demo/tendon_arm.h5
	@printf '%s\n' '' 'What to look at: the verdicts say what was checked and how well it holds; "error max" is how far the energy' \
	  'strayed in 50 s. The motion itself is in build/demo/tendon_arm.h5.' \
	  'Next:' \
	  '  $(TORSOR) run four_bar                                           # a closed loop' \
	  '  $(TORSOR) run tendon_arm --formulation joint --integrator dopri5 # another method' \
	  '  $(TORSOR) run tendon_arm --set tendons.biarticular.stiffness=5   # another arm' \
	  '  $(TORSOR) list models                                            # more to run' \
	  '  $(TORSOR) check models/tendon_arm.yaml                           # what a model is'
	@test ! -e build/share/torsor/report.html || { \
	  $(TORSOR) report build/demo/tendon_arm.h5 -o build/demo/tendon_arm.html 2> /dev/null && \
	  printf '%s\n' '' 'To see it move, open build/demo/tendon_arm.html in a browser.'; }

reproduce: build ## published tables and figures, ours beside theirs; page in build/reproduction
	$(TORSOR) reproduce --out build/reproduction

test:          ## build everything and run all tests
	@tools/setup test
	@tools/python_env
	@cmake --preset release -DTORSOR_PYTHON=ON > /dev/null
	@cmake --build build -j $(JOBS)
	@ctest --test-dir build -j $(JOBS) --output-on-failure --progress

test-viewer:   ## the tests of the report page alone, in headless Chromium
	@tools/setup test
	@cmake --preset release > /dev/null
	@cmake --build build -j $(JOBS) --target torsor report_page
	@ctest --test-dir build -R '^viewer$$' --output-on-failure

test-python:   ## the tests of the package of Python alone
	@tools/setup test
	@tools/python_env
	@cmake --preset release -DTORSOR_PYTHON=ON > /dev/null
	@cmake --build build -j $(JOBS) --target python_package
	@ctest --test-dir build -R '^python$$' --output-on-failure

test-peers:    ## robots against Pinocchio and MuJoCo, in an environment of their own; tables into docs/import.md, docs/import-mjcf.md
	@tools/setup test
	@tools/python_env
	@tools/peers_env
	@cmake --preset release -DTORSOR_PYTHON=ON > /dev/null
	@cmake --build build -j $(JOBS) --target python_package
	@PYTHONPATH=build/python build/peers-env/bin/python verification/peers/urdf_against_pinocchio.py --write
	@PYTHONPATH=build/python build/peers-env/bin/python verification/peers/mjcf_against_mujoco.py --write
	@PYTHONPATH=build/python build/peers-env/bin/python verification/peers/mjcf_motion.py --write

wheel:         ## a wheel for other machines and a source distribution, in build/wheels
	@tools/setup test
	@tools/python_env
	@tools/build_wheel
	@tools/check_wheel build/wheels/*.whl build/python-env/bin/python

sanitize:      ## the fast tests by clang under the address and undefined-behaviour sanitizers, without native code, with assertions
	@tools/setup fuzz
	@cmake --preset sanitize > /dev/null
	@cmake --build build/sanitize -j $(JOBS) --target fast_tests
	@ctest --test-dir build/sanitize -L fast -j $(JOBS) --output-on-failure --progress

tsan:          ## steppers in several threads under the thread sanitizer
	@tools/setup
	@cmake --preset tsan > /dev/null
	@cmake --build build/tsan -j $(JOBS) --target simulation_test
	@build/tsan/bin/simulation_test --gtest_filter='StepperThreads*'

test-portable: ## the fast tests by g++ and clang, with and without native code, and at -O0 with assertions (NAMES="clang-plain ..")
	@tools/setup portable
	@tools/test_portable $(NAMES)

fuzz:          ## feed every reader random files for SECONDS (20) or HOURS each; inputs are kept in build/fuzz/corpus
	@tools/setup fuzz
	@cmake --preset sanitize > /dev/null
	@cmake --build build/sanitize -j $(JOBS) --target fuzz_targets
	@JOBS=$(JOBS) tools/fuzz $(if $(HOURS),$(shell expr $(HOURS) '*' 3600),$(SECONDS))

soak:          ## hours of running for MINUTES (60) a part: long runs, random mechanisms, kills and full disks
	@tools/setup test
	@cmake --preset release > /dev/null
	@cmake --build build -j $(JOBS) --target torsor fault_io random_mechanisms verification_test
	@verification/faults.py $(TORSOR) build/verification/libfault_io.so
	@build/bin/random_mechanisms --minutes $(MINUTES)
	@verification/element_balance.py build/bin/verification_test
	@verification/soak.py $(TORSOR) --minutes $(MINUTES)

docs: build    ## the documentation site with a live page of every model, at build/docs/index.html
	@tools/setup docs
	@if test -e build/share/torsor/report.html; then tools/gallery_pages build/docs-live; fi
	@tools/python_env build/docs-tools docs/requirements.lock
	@test build/docs-tools/node_modules/.package-lock.json -nt docs/package-lock.json || { \
	  cp docs/package.json docs/package-lock.json build/docs-tools && \
	  npm ci --prefix build/docs-tools --ignore-scripts --no-audit --no-fund --loglevel=error > /dev/null; }
	@NO_MKDOCS_2_WARNING=1 build/docs-tools/bin/mkdocs build --strict --quiet && echo "docs: build/docs/index.html"

gallery: build ## remake the pictures of docs/gallery.md by the report page in headless Chromium
	@tools/setup test
	@tools/gallery_pictures

bench:         ## time everything, beside peers where they are installed; tables into docs/benchmarks.md (PARTS="kernels ..")
	@tools/setup bench
	@bench/run $(PARTS)

bench-build:   ## compile the benchmarks, without running them
	@tools/setup bench-build
	@cmake --preset release -DTORSOR_BENCH=ON > /dev/null
	@cmake --build build -j $(JOBS) --target bench/all

bench-peers: build ## the same runs by MuJoCo, Pinocchio, Drake, Exudyn and Simbody; table into docs/peers.md
	@tools/setup bench
	@cmake --preset bench > /dev/null && cmake --build build/bench -j $(JOBS) --target simbody_runs || true
	@bench/peers $(TORSOR)

format:        ## lay out the code (.clang-format)
	@tools/setup format
	@clang-format-14 -i $(SOURCES)

format-check:  ## fail on code that `make format` would change
	@tools/setup format
	@clang-format-14 --dry-run -Werror $(SOURCES) && echo "format: clean"

install: build ## program, library, headers, models, manual, completions into PREFIX (/usr/local)
	@cmake --build build -j $(JOBS) --target torsor_told
	@cmake --install build --prefix $(PREFIX) > /dev/null && echo "installed: $(PREFIX)"

check-install: ## the examples as outside projects, against static and shared libraries
	@tools/setup test
	@cmake --preset release > /dev/null
	@cmake --build build -j $(JOBS) --target torsor torsor_told
	@tools/check_install build
	@tools/check_install build --shared

deb:           ## a Debian package for other machines, build/torsor_*.deb
	@tools/setup deb
	@cmake --preset package > /dev/null
	@cmake --build build/package -j $(JOBS) --target torsor torsor_told report_page bill_of_materials
	@rm -f build/torsor_*.deb build/package/torsor_*.deb
	@cd build/package && cpack -G DEB > cpack.log || { cat cpack.log; exit 1; }
	@mv build/package/torsor_*.deb build/ && ls build/torsor_*.deb

check-deb: deb ## install and run the Debian package in a bare Debian (debootstrap, as root)
	@tools/check_deb build/torsor_*.deb

clean:         ## remove all that was built
	rm -rf build
