#pragma once
// A published result as data: who claims what, which of our models and runs stand for it, what is measured on
// them, and within which bounds it is reproduced.

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "torsor/model/model.h"
#include "torsor/page/plot.h"
#include "torsor/simulation/record.h"
#include "torsor/simulation/stepper.h"

namespace torsor {

/// A model of the gallery, or a regular mechanism of so many links.
struct ExperimentModel {
  std::string name;  ///< in the gallery; `chain` with links > 0: Sætran's rods, hanging, tilted by 0.1 rad
  int links = 0;
  std::vector<std::pair<std::string, std::string>> set = {};  ///< key path, YAML value, as `--set`
};
using LoadModel = std::function<Model(const ExperimentModel&)>;

struct ExperimentRun {
  std::string label;  ///< in the legend of curves
  ExperimentModel model;
  StepperChoice method;
  double step = 0, duration = 0;  ///< [s]; step 0: the model is only loaded
  int record_every = 1;           ///< 0: first and last state only
};

struct RunOutcome {
  ExperimentRun run;
  std::shared_ptr<const Model> model;  ///< empty if it was refused
  Record record;
  std::string fault;  ///< why the model was refused, or where a step failed
};
using Outcomes = std::span<const RunOutcome>;

using Measure = std::function<double(Outcomes)>;

/// What counts as reproduced.
struct Bound {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};
inline Bound at_most(double most) { return {.most = most}; }
inline Bound at_least(double least) { return {.least = least}; }
inline Bound between(double least, double most) { return {least, most}; }

/// What a publication gives that a figure of ours can be held against.
enum class Given {
  number,     ///< in its text or a table
  curve,      ///< points of a curve, in its text or a table
  behaviour,  ///< in words: conserved, bounded, equal
  nothing     ///< a picture, or not a word: what is checked is that ours is consistent with itself
};
struct Published {
  std::string text;  ///< as the table shows it
  Given given = Given::nothing;
  double value = 0;  ///< of a number
};
inline Published number(std::string text, double value) { return {std::move(text), Given::number, value}; }
inline Published words(std::string text) { return {std::move(text), Given::behaviour}; }
inline Published nothing(std::string text = "-") { return {std::move(text), Given::nothing}; }

/// One row of the table.
struct Check {
  std::string what, unit;
  Published paper;
  Measure measure;
  Bound bound;
  /// Not empty where the publication cannot be met: why. The bound then says what is evidence of that.
  std::string reason = {};
  double published_seconds = 0;                        ///< what a time is set beside; 0: not a time
  bool only_shown = false;                             ///< without a verdict: a time, or a count
  std::function<std::string(Outcomes)> evidence = {};  ///< in words, beside the reason
};

struct Plot {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  std::function<std::vector<Curve>(Outcomes)> curves;
  bool equal_axes = false;  ///< a metre is as long across as up
};

struct Experiment {
  std::string name;    ///< `goetz-fig-5.3`
  std::string source;  ///< a key of sources()
  std::string item;    ///< `Fig. 5.3`
  std::string claim;
  std::vector<ExperimentRun> runs;
  std::vector<Check> checks;
  std::vector<Plot> plots = {};
  bool timed = false;  ///< runs after all others, alone on the machine
};

}  // namespace torsor
