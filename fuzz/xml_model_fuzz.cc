// Whatever the bytes, reading a model of another format ends in a Model or in a ModelError that says where and what; and what was
// read gives the same again from the text that is kept of it.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "torsor/base/error.h"
#include "torsor/format/convert.h"
#include "torsor/format/model_reader.h"

namespace {

void read(const std::string& text, const torsor::ImportOptions& options) {
  try {
    const torsor::ModelSource source = torsor::source_of_text(text, "fuzz.xml", options);
    const torsor::Model model = torsor::parse_model(source);
    const torsor::Model again = torsor::parse_model(source.text, "fuzz.yaml");
    if (again.rate_count() != model.rate_count() || again.bodies().size() != model.bodies().size())
      std::abort();
    torsor::import_table(source.report);
    torsor::urdf_text(model, "", "");
  } catch (const torsor::ModelError& error) {
    if (error.expected.empty() || error.found.empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  read(text, {.meshes = false});
  read(text, {.allowed = {"mimic"}, .floating_base = true, .limits = true, .meshes = false});
  return 0;
}
