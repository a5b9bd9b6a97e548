#include "experiments/experiment_models.h"

#include "torsor/format/gallery.h"
#include "torsor/format/model_reader.h"
#include "torsor/format/model_templates.h"

namespace torsor {
namespace {

/// Rods of Sætran's table 3.1, hanging and tilted by 0.1 rad; with hinges the thin ones of the template.
ChainTemplate chain_of(const ExperimentModel& model) {
  ChainTemplate chain;
  chain.links = model.links;
  chain.start = ChainTemplate::Start::hanging;
  if (model.name == "hinge chain") {
    chain.joint = "revolute";
  } else {
    chain.length = 2;
    chain.side = 0.2;
    chain.mass = 50;
  }
  return chain;
}

}  // namespace

Model load_experiment_model(const ExperimentModel& model) {
  ModelSource source = model.links > 0 ? ModelSource{model.name, chain_text(chain_of(model)), {}}
                                       : read_source(find_model(model.name));
  source.overrides = model.set;
  return parse_model(source);
}

}  // namespace torsor
