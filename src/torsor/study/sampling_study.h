#pragma once
// How slowly the controllers of a model may be sampled: the energy that sampling creates, over periods.

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "torsor/simulation/ledger.h"
#include "torsor/study/study_run.h"

namespace torsor {

/// A run at one period. The closed loop gains what sampling creates less what dampers take, those of the
/// controllers' laws included:
///   G(t) = sum created - sum taken = change of (mechanical + virtual energy) - what programs and targets put in.
/// The loop is passive if the largest G of the last quarter of the run is not above that of the quarter before.
struct SamplingPoint {
  double period = 0, step = 0;                ///< [s]
  std::vector<Ledger::Sampling> controllers;  ///< over the whole run
  double gain = 0;                            ///< the largest G of the run [J]
  double growth = 0;                          ///< of the largest G, from the one quarter to the next [J]
  std::string failure;  ///< why the run ended early, which is not passive; empty: it did not

  bool is_passive() const { return failure.empty() && growth <= 0; }
};

/// Colgate and Schenkel: a law K, B that is sampled every T and measures positions leaves a joint with viscous
/// friction b passive, whatever passive thing is coupled to it, if b >= K T / 2 + B.
struct SamplingBound {
  std::string controller;
  double stiffness = 0, damping = 0, friction = 0;
  double period = 0;  ///< the largest [s]; 0: none, b < B
};

struct SamplingStudy {
  std::string model, method;
  double duration = 0;
  std::vector<SamplingPoint> points;  ///< as asked for, then as the search went
  std::optional<double> largest;      ///< period that was found passive below all that were not [s]
  std::optional<double> smallest;     ///< period that was not passive; none: all were
  std::vector<SamplingBound> bounds;  ///< of controllers that it applies to
};

struct SamplingSettings {
  std::vector<double> periods = {};  ///< increasing; empty: the step, doubled until the loop gains energy
  double step = 0;                   ///< the longest; a whole number of steps makes each period
  double duration = 0;
  double accuracy = 1e-3;  ///< of the largest passive period, relative
};

/// All sampled controllers of the model get the same period; where none is sampled, all controllers do. Runs go by
/// the model's own formulation and integrator. Throws ModelError on a model without controllers, and on periods
/// and times that make no sense.
SamplingStudy sampling_study(const Model& model, const SamplingSettings& settings,
                             const StudyProgress& progress = {});

/// Of one joint with one coordinate each: pd, friction by joint springs with damping.
std::vector<SamplingBound> sampling_bounds(const Model& model);

/// A table for people.
std::ostream& operator<<(std::ostream&, const SamplingStudy&);

}  // namespace torsor
