#pragma once
// A run that stopped, as its result file holds it: what it takes to go on.

#include <optional>
#include <string>
#include <vector>

#include "torsor/format/model_reader.h"
#include "torsor/result/json_ledger.h"
#include "torsor/simulation/record.h"

namespace torsor {

struct StoredCheckpoint;

struct ResumableRun {
  std::string path;
  ModelSource source;  ///< text, file and overrides; no text of a model that was made in code
  std::string text;    ///< of the model as the file holds it, overrides as comments
  std::string identity;
  std::vector<std::string> laws;  ///< functions of the model, which no file holds
  Settings settings;
  std::optional<StepChoice> chosen;  ///< where steps were chosen for an accuracy
  std::string ledger;                ///< JSON; empty where the run was killed
  bool finished = false;             ///< the run reached its end
  std::string another_build;         ///< that wrote it; empty: this one
  /// Whose records are whole, the newest first: from there it goes on.
  std::vector<StoredCheckpoint> checkpoints;
  std::uint64_t rows = 0;  ///< records in the file, of which those after the checkpoint are made again

  ResumableRun();
  ResumableRun(ResumableRun&&) noexcept;
  ResumableRun& operator=(ResumableRun&&) noexcept;
  ~ResumableRun();

  /// The checkpoint that it goes on from, with this resumption booked.
  RunCheckpoint from() const;
  double time() const;  ///< of that [s]
};

/// Throws ModelError that says why a file cannot go on: it is no result, has no checkpoint, or one of another version.
ResumableRun read_resumable(const std::string& path);
/// The model as it was. Throws ModelError where the file does not hold it.
Model model_of(const ResumableRun& run);
/// Throws ModelError that names the difference.
void require_same_model(const ResumableRun& run, const Model& model);
/// Goes to this time instead. Throws ModelError at `key` where the run stands there already, or its steps were chosen.
void set_duration(ResumableRun& run, double duration, const std::string& key = "--duration");

/// What tells models apart, as JSON.
std::string model_identity(const Model& model);
/// The text `run` of the group `checkpoint`.
std::string checkpoint_origin(const Model& model);

}  // namespace torsor
