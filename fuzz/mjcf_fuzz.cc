// Whatever the bytes are: a model, or a ModelError. No file of the disk is read but those that the text names beside itself.

#include <cstdint>
#include <string>

#include "torsor/base/error.h"
#include "torsor/format/model_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  torsor::ImportOptions options;
  for (const torsor::ImportAllowance& one : torsor::import_allowances()) options.allowed.emplace_back(one.name);
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    torsor::parse_model(torsor::source_of_text(text, "/nowhere/fuzz.xml", options));
  } catch (const torsor::ModelError&) {
  }
  return 0;
}
