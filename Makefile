# Every target first installs what is missing (tools/setup), then does its work. `make help` lists them.
JOBS    ?= 2
SECONDS ?= 20
PREFIX  ?= /usr/local
SOURCES  = $(shell git ls-files -co --exclude-standard '*.h' '*.hpp' '*.cc')
TORSOR   = build/bin/torsor

.DEFAULT_GOAL := help
.PHONY: build demo reproduce test test-viewer test-python test-peers wheel docs gallery bench format format-check sanitize tsan fuzz install check-install clean help

help:          ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

build:         ## the program, at build/bin/torsor
	@tools/setup
	@cmake --preset release > /dev/null
	@cmake --build build -j $(JOBS) --target torsor report_page

demo: build    ## simulate the tendon-driven arm: ledger on the screen, result in build/demo
	@mkdir -p build/demo
	$(TORSOR) run tendon_arm --out build/demo/tendon_arm.h5
	@printf '%s\n' '' 'What to look at: "error max" says how far the energy strayed in 50 s; "balance residual max"' \
	  'says how well energy, work and dissipation add up. The motion itself is in build/demo/tendon_arm.h5.' \
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

sanitize:      ## the fast tests under the address and undefined-behaviour sanitizers
	@tools/setup
	@cmake --preset sanitize > /dev/null
	@cmake --build build/sanitize -j $(JOBS) --target fast_tests
	@ctest --test-dir build/sanitize -L fast -j $(JOBS) --output-on-failure --progress

tsan:          ## steppers in several threads under the thread sanitizer
	@tools/setup
	@cmake --preset tsan > /dev/null
	@cmake --build build/tsan -j $(JOBS) --target simulation_test
	@build/tsan/bin/simulation_test --gtest_filter='StepperThreads*'

fuzz:          ## feed the model reader random files for SECONDS (20)
	@tools/setup fuzz
	@cmake --preset fuzz > /dev/null
	@cmake --build build/fuzz -j $(JOBS) --target model_reader_fuzz mesh_reader_fuzz xml_model_fuzz mjcf_fuzz
	@tools/fuzz $(SECONDS)

docs:          ## the documentation site, at build/docs/index.html
	@tools/setup docs
	@test -x build/docs-tools/bin/mkdocs -a build/docs-tools -nt docs/requirements.txt || { \
	  python3 -m venv --clear build/docs-tools && build/docs-tools/bin/pip install --quiet -r docs/requirements.txt && \
	  npm install --silent --no-save --prefix build/docs-tools iframe-worker@1.0.4; }
	@NO_MKDOCS_2_WARNING=1 build/docs-tools/bin/mkdocs build --strict --quiet && echo "docs: build/docs/index.html"

gallery: build ## remake the pictures of docs/gallery.md by the report page in headless Chromium
	@tools/setup test
	@tools/gallery_pictures

bench:         ## time everything, beside peers where they can be had; tables into docs/benchmarks.md (PARTS="kernels ..")
	@tools/setup bench
	@bench/run $(PARTS)

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

clean:         ## remove all that was built
	rm -rf build
