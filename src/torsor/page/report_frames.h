#pragma once
// What of a record a page takes: quantities and records, so that its numbers stay within a size.

#include <string>
#include <vector>

namespace torsor {

/// A quantity of a result: `bodies/link1/com`.
struct ReportColumn {
  std::string dataset;
  int width = 1;
};

/// From all to what the moving picture needs; poses in single precision in the last.
enum class ReportThrift { none, without_derived, places_only };

/// Whether the page shows differences or poses of it, for which six digits would not do.
bool needs_double(const std::string& dataset, ReportThrift thrift);
/// Whether a page of this thrift has the quantity.
bool is_kept(const std::string& dataset, ReportThrift thrift);

struct ReportSize {
  ReportThrift thrift = ReportThrift::none;
  int every = 1;  ///< of the records
};

/// The size of every result's columns and records in a page of at most so many bytes. All of it where it fits; then
/// without what other quantities imply; and where less than a thousand records would be left, places alone.
ReportSize fitting_size(const std::vector<std::vector<ReportColumn>>& results,
                        const std::vector<int>& records, double most_bytes);

/// Every Nth record and the last.
std::vector<int> frames_of(int records, int every);

/// The kinds of quantity that the page does without: `bodies/*/velocity`.
std::vector<std::string> left_out(const std::vector<ReportColumn>& columns, ReportThrift thrift);

}  // namespace torsor
