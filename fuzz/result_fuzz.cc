// Whatever the bytes, what reads result files (export, report, resume, study --reference, Python's read) ends in data or in a
// ModelError that says what was expected and found.

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "attempt.h"
#include "torsor/format/model_reader.h"
#include "torsor/page/report.h"
#include "torsor/result/checkpoint_slots.h"
#include "torsor/result/json_ledger.h"
#include "torsor/result/json_table.h"
#include "torsor/result/output_file.h"
#include "torsor/result/result_table.h"
#include "torsor/result/resumable_run.h"
#include "torsor/result/study_reference_reader.h"

namespace {

constexpr const char* kModel = R"(torsor: 1
dimension: 2
bodies: {rod: {mass: 1, inertia: 1}}
joints: {pivot: {type: revolute, parent: world, child: rod}}
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const torsor::Model model = torsor::parse_model(kModel, "rod.yaml");
  const int file = memfd_create("fuzz", 0);
  if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  attempt([&] {
    const torsor::ResultTable table = torsor::read_result(path);
    attempt([&] { torsor::table_json(table); });
    attempt([&] { torsor::parse_ledger(table.ledger); });
    attempt([&] { torsor::extrema_of(table); });
  });
  attempt([&] { torsor::report_data({{path}, {}}); });
  attempt([&] { torsor::read_reference(path, model); });
  attempt([&] { torsor::require_same_model(torsor::read_resumable(path), model); });
  torsor::is_replaceable(path);
  close(file);
  return 0;
}
