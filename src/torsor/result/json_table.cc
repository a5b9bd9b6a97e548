#include "torsor/result/json_table.h"

#include "torsor/result/json_reading.h"

namespace torsor {
namespace {

Json parsed_or_null(const std::string& text, const char* key) {
  return text.empty() ? Json(nullptr) : parse_json(text, key);
}

Json values_of(const ResultDataset& dataset, std::size_t rows) {
  Json values = Json::array();
  const std::size_t width = dataset.width();
  const auto number = [&](double value) {
    return dataset.integral ? Json(static_cast<long>(value)) : Json(value);
  };
  for (std::size_t row = 0; row < rows; ++row) {
    const double* first = &dataset.values[row * width];
    if (width == 1) {
      values.push_back(number(*first));
    } else {
      values.push_back(std::vector<double>(first, first + width));
    }
  }
  return values;
}

}  // namespace

std::string table_json(const ResultTable& table) {
  Json channels = Json::object();
  for (const ResultDataset& dataset : table.datasets) {
    Json& channel = channels[dataset.path] = {{"unit", dataset.unit}};
    if (dataset.width() > 1) channel["components"] = dataset.components;
    channel["values"] = values_of(dataset, table.rows);
  }
  return json_text({{"model", table.model},
                    {"version", table.version},
                    {"settings", parsed_or_null(table.settings, "settings")},
                    {"ledger", parsed_or_null(table.ledger, "ledger")},
                    {"rows", table.rows},
                    {"channels", channels}}) +
         "\n";
}

}  // namespace torsor
