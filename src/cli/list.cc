#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/say.h"
#include "cli/verbs.h"
#include "experiments/registry.h"
#include "torsor/base/catalogue.h"
#include "torsor/base/error.h"
#include "torsor/base/text_table.h"
#include "torsor/format/gallery.h"
#include "torsor/format/units.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/result/json_evaluation.h"
#include "torsor/result/json_parts.h"
#include "torsor/simulation/formulations.h"

namespace torsor {
namespace {

constexpr const char* kListFooter = R"(Examples:
  torsor list models
  torsor list units
  torsor list integrators --json)";

void print_table(const std::vector<std::vector<std::string>>& rows) {
  for (const std::string& line : aligned(rows)) print("{}\n", line);
}

void print_json(const Json& json) { print("{}\n", json_text(json, 1)); }

void list_models(bool json) {
  const std::vector<GalleryEntry> entries = gallery();
  Json all = Json::object();
  std::vector<std::vector<std::string>> rows;
  for (const GalleryEntry& entry : entries) {
    all[entry.name] = {{"file", entry.file}, {"summary", entry.summary}};
    rows.push_back({entry.name, entry.summary});
  }
  if (json) return print_json({{"models", all}});
  if (rows.empty()) say("torsor: no gallery found near the program\n");
  print_table(rows);
}

void list_integrators(bool json) {
  Json all = Json::object();
  std::vector<std::vector<std::string>> rows{
      {"integrator", "system", "order", "energy", "momenta", "constraints", "symplectic", "options"}};
  for (const auto& [name, entry] : integrators()) {
    Json options = Json::object();
    std::string listed_options;
    for (const IntegratorOption& option : entry.options) {
      const double* number = std::get_if<double>(&option.standard);
      const std::string standard =
          number ? fmt::format("{:g}", *number) : fmt::format("{}", fmt::join(option.choices, " | "));
      options[option.name] = {
          {"default", number ? Json(*number) : Json(std::get<std::string>(option.standard))},
          {"help", option.help}};
      Json& listed_option = options[option.name];
      number ? listed_option["range"] = option.range.text() : listed_option["choices"] = option.choices;
      if (!option.unit.empty()) listed_option["unit"] = option.unit;
      listed_options.append(
          fmt::format("{}{} {}", listed_options.empty() ? "" : ", ", option.name, standard));
    }
    all[name] = {
        {"system", name_of(entry.system)},  {"order", entry.order},
        {"energy", name_of(entry.energy)},  {"momenta", entry.exact_momenta ? Json("exact") : Json(nullptr)},
        {"constraints", entry.constraints}, {"symplectic", entry.symplectic},
        {"available", entry.exists()},      {"options", options}};
    rows.push_back(
        {name, name_of(entry.system), entry.order, name_of(entry.energy), entry.exact_momenta ? "exact" : "-",
         entry.constraints, entry.symplectic ? "yes" : "no",
         entry.exists() ? (listed_options.empty() ? "-" : listed_options) : "not in this version"});
  }
  json ? print_json({{"integrators", all}}) : print_table(rows);
}

void list_formulations(bool json) {
  Json all = Json::object();
  std::vector<std::vector<std::string>> rows{{"formulation", "unknowns", "integrators"}};
  for (const auto& [name, entry] : formulations()) {
    std::vector<std::string> fitting;
    for (const auto& [integrator, method] : integrators()) {
      if (entry.fits(method)) fitting.push_back(integrator);
    }
    all[name] = {{"unknowns", entry.unknowns}, {"integrators", fitting}, {"available", entry.exists()}};
    rows.push_back({name, entry.unknowns, entry.exists() ? listed(fitting) : "not in this version"});
  }
  json ? print_json({{"formulations", all}}) : print_table(rows);
}

void list_quantities(bool json) {
  Json all = Json::object();
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, what] : evaluation_quantities()) {
    all[name] = what;
    rows.push_back({name, what});
  }
  json ? print_json({{"quantities", all}}) : print_table(rows);
}

void list_units(bool json) {
  Json all = Json::object(), prefixes = Json::object();
  std::vector<std::vector<std::string>> rows{{"unit", "of", "in SI", "prefixes"}};
  std::string prefix_names;
  for (const KnownUnit& unit : known_units()) {
    all[unit.name] = {{"of", unit.of}, {"size", unit.size}, {"takes_prefix", unit.takes_prefix}};
    rows.push_back({unit.name, unit.of, fmt::format("{:.9g}", unit.size), unit.takes_prefix ? "yes" : "no"});
  }
  for (const auto& [name, decimal] : unit_prefixes()) {
    prefixes[std::string(name)] = decimal;
    prefix_names += fmt::format("{}{} 1e{}", prefix_names.empty() ? "" : ", ", name, decimal);
  }
  if (json) return print_json({{"units", all}, {"prefixes", prefixes}});
  print_table(rows);
  print("\nprefixes: {}\n", prefix_names);
  print("combined by spaces, * / ^ and brackets: 2 kN/m, 9.81 m/s^2, 3 N/(m/s). A number alone is in SI.\n");
}

void list_experiments(bool json) {
  Json all = Json::object();
  std::vector<std::vector<std::string>> rows;
  for (const Experiment& e : all_experiments()) {
    all[e.name] = {{"source", e.source}, {"item", e.item}, {"claim", e.claim}};
    rows.push_back({e.name, e.item, e.claim});
  }
  json ? print_json({{"experiments", all}}) : print_table(rows);
}

using Lister = void (*)(bool json);

const Catalogue<Lister>& listers() {
  static const Catalogue<Lister> all({{"models", list_models},
                                      {"integrators", list_integrators},
                                      {"formulations", list_formulations},
                                      {"experiments", list_experiments},
                                      {"quantities", list_quantities},
                                      {"units", list_units}});
  return all;
}

}  // namespace

RunVerb add_list(CLI::App& verb) {
  struct Options {
    std::string what;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  verb.add_option("WHAT", options->what, listed(listers().names()))
      ->type_name(fmt::format("{{{}}}", fmt::join(listers().names(), ",")));
  verb.add_flag("--json", options->json, "one JSON object");
  verb.footer(kListFooter);
  return [options] {
    if (options->what.empty()) throw ModelError("list", "one of " + listed(listers().names()), "nothing");
    listers().at(options->what, "list")(options->json);
    return kDone;
  };
}

}  // namespace torsor
