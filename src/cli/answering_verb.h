#pragma once
// Verbs that ask one question of a model and print the answer: MODEL, --json and the exit status are alike.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/model_argument.h"
#include "cli/say.h"
#include "torsor/result/answer.h"

namespace torsor {

template <class Options>
struct AnsweringVerb {
  ModelArgument model;
  Options of;
  bool json = false;
};

/// With MODEL; options of its own follow, then run_answer().
template <class Options>
std::shared_ptr<AnsweringVerb<Options>> add_answering(CLI::App& verb, const char* footer) {
  auto options = std::make_shared<AnsweringVerb<Options>>();
  options->model.add_to(verb);
  verb.footer(footer);
  return options;
}

/// `first` looks at the model before anything is written, `then` does what is left to do once the answer is printed.
template <class Options, class First, class Then>
RunVerb run_answer(CLI::App& verb, std::shared_ptr<AnsweringVerb<Options>> options,
                   Answer (*answer_of)(const Model&, const Options&, bool json, int indent), First first,
                   Then then) {
  verb.add_flag("--json", options->json, "one JSON object");
  return [options, answer_of, first, then] {
    return options->model.use({}, [&](const Model& model, const ImportReport& imported) {
      first(model, imported);
      const Answer answer = answer_of(model, options->of, options->json, 1);
      print("{}{}", answer.text, options->json ? "\n" : "");
      then(model);
      return answer.fell_short ? kFellShort : kDone;
    });
  };
}
template <class Options>
RunVerb run_answer(CLI::App& verb, std::shared_ptr<AnsweringVerb<Options>> options,
                   Answer (*answer_of)(const Model&, const Options&, bool json, int indent)) {
  return run_answer(
      verb, std::move(options), answer_of, [](const Model&, const ImportReport&) {}, [](const Model&) {});
}

}  // namespace torsor
