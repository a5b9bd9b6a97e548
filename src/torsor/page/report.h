#pragma once
// Results as one self-contained page: the built page of viewer/ with the numbers put into it.

#include <optional>
#include <string>
#include <vector>

namespace torsor {

struct ReportOptions {
  std::vector<std::string> results;  ///< HDF5 files, one or more
  std::optional<int> every;          ///< show every Nth record; without it as many as fit into `bytes`
  std::optional<double> bytes{};     ///< that the numbers may take; without it kReportBytes
};

/// What the numbers of a page may take at most where `every` leaves the choice to us.
inline constexpr double kReportBytes = 12e6;

/// The numbers as one JSON object, harmless inside a script element. Poses, energies and all else that is
/// judged to the last digit in double precision, joints, points and velocities in single. What is left out where all of
/// it would take too much, page/report_frames.h says. Throws ModelError on a file that is no result.
std::string report_data(const ReportOptions& options);

/// The built page beside the program; throws ModelError that says how to build it where it is not.
std::string report_page();

/// Puts the data in the page's place for them.
std::string fill_report_page(const std::string& page, const std::string& data);

/// Throws ModelError now instead of after a long run: at `key` where the folder of `path` does not exist, and
/// where there is no page.
void require_report_place(const std::string& path, const std::string& key);

/// All of the above, into a file. Throws ModelError at `--out` (or `key`) where it cannot be written.
void write_report(const ReportOptions& options, const std::string& path, const std::string& key = "--out");

}  // namespace torsor
