// Functions of time as model files write them.

#include "torsor/format/model_reader_parts.h"

namespace torsor {
namespace {

Program read_hat(const YamlView& view, const Quantity& quantity) {
  view.allow_keys({"peak", "rise", "end"});
  return make_hat(view.at("peak", described(quantity)).number(quantity),
                  view.at("rise", described(kTime)).number(kTime),
                  view.at("end", described(kTime)).number(kTime), view.path());
}

Program read_table(const YamlView& view, const Quantity& quantity) {
  std::vector<std::pair<double, double>> rows;
  for (const YamlView& row : view.list()) {
    const auto entries = row.list(2, "values [t, value]");
    rows.emplace_back(entries[0].number(kTime), entries[1].number(quantity));
  }
  return make_table(std::move(rows), view.path());
}

Program read_rest_to_rest(const YamlView& view, const Quantity& quantity) {
  view.allow_keys({"t1", "t2", "t3", "rate"});
  const auto time = [&](const char* key) { return view.at(key, described(kTime)).number(kTime); };
  const Quantity rate = rate_of(quantity);
  return make_rest_to_rest(time("t1"), time("t2"), time("t3"), view.at("rate", described(rate)).number(rate),
                           view.path());
}

/// Every key beside `expression` names a program that the expression uses.
Program read_expression(const YamlView& view) {
  std::vector<std::pair<std::string, Program>> named;
  for (const auto& [name, program] : view.named())
    if (name != "expression") named.emplace_back(name, read_program(program, kAnyQuantity));
  const YamlView expression = *view.find("expression");
  return make_expression(expression.text(), std::move(named), expression.path());
}

}  // namespace

Program read_program(const YamlView& view, const Quantity& quantity) {
  if (view.is_scalar()) return Program(view.number(quantity));
  const std::string forms =
      described(quantity) + " or a program {hat}, {table}, {expression} or {rest_to_rest}";
  if (!view.is_map()) view.fail(forms);
  if (view.has("expression")) return read_expression(view);
  view.allow_keys({"hat", "table", "expression", "rest_to_rest"});
  if (view.has("hat") + view.has("table") + view.has("rest_to_rest") != 1) view.fail(forms);
  if (const auto hat = view.find("hat")) return read_hat(*hat, quantity);
  if (const auto table = view.find("table")) return read_table(*table, quantity);
  return read_rest_to_rest(*view.find("rest_to_rest"), quantity);
}

}  // namespace torsor
