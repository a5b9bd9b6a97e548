#include "torsor/study/study_reference.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "torsor/base/error.h"
#include "torsor/integrator/catalogue.h"

namespace torsor {
namespace {

/// A method twice, the second time finer, and by which factor it is then better at least: what differs, over
/// that factor less one, is what to trust it to.
struct Candidate {
  StepperChoice coarse, fine;
  double coarse_step, fine_step;
  double gain;
  std::string what;
};

StepperChoice choice_of(const std::string& formulation, const std::string& integrator,
                        const IntegratorOptions& options = {}, double tolerance = 0) {
  StepperChoice choice;
  choice.formulation = formulation;
  choice.integrator = integrator;
  choice.options = options;
  choice.tolerance = tolerance;
  return choice;
}

/// The best first.
std::vector<Candidate> candidates(const StudyGrid& grid, double step) {
  constexpr double kTight = 1e-13;
  std::vector<Candidate> all{{choice_of("joint", "dopri5", {}, 10 * kTight),
                              choice_of("joint", "dopri5", {}, kTight), grid.spacing(), grid.spacing(), 6,
                              fmt::format("joint + dopri5 at tolerance {:g}", kTight)}};
  const auto add = [&](const StepperChoice& choice, const std::string& name, double fine_step) {
    all.push_back({choice, choice, 2 * fine_step, fine_step, 4,
                   fmt::format("{} with steps of {:g} s", name, fine_step)});
  };
  for (const int m : {3, 2, 1}) {
    add(choice_of("rotationless", "petrov-galerkin", {{"m", double(m)}}),
        fmt::format("rotationless + petrov-galerkin(m = {})", m), step);
  }
  add(choice_of("rotationless", "energy-momentum"), "rotationless + energy-momentum", step / 16);
  return all;
}

std::optional<StudyReference> computed(const StudySubject& subject, const StudyGrid& grid,
                                       const Candidate& candidate, const StudyProgress& progress, int threads,
                                       std::string& reason) {
  try {
    if (progress) progress("reference: " + candidate.what);
    StudyReference reference{candidate.what, {}, candidate.fine, candidate.fine_step, {}};
    StudyRun coarse;
    run_jobs(2, threads, {}, [&](long i, const StudyProgress&) {
      if (i == 0) reference.run = run_on_grid(subject, candidate.fine, candidate.fine_step, grid);
      if (i == 1) coarse = run_on_grid(subject, candidate.coarse, candidate.coarse_step, grid);
    });
    if (reference.run.ended() && coarse.ended()) {
      reference.trusted_to = largest_error(coarse, reference.run);
      reference.trusted_to.position /= candidate.gain - 1;
      reference.trusted_to.velocity /= candidate.gain - 1;
      return reference;
    }
    reason = reference.run.ended() ? coarse.failure : reference.run.failure;
  } catch (const ModelError& error) {
    reason = error.what();
  }
  return std::nullopt;
}

}  // namespace

StudyReference make_reference(const StudySubject& subject, const StudyGrid& grid, double step,
                              const StudyProgress& progress, int threads) {
  std::string reason;
  for (const Candidate& candidate : candidates(grid, step)) {
    if (auto reference = computed(subject, grid, candidate, progress, threads, reason)) {
      return std::move(*reference);
    }
  }
  throw ModelError("simulation", "a model that some method can simulate over the time of the study", reason);
}

}  // namespace torsor
