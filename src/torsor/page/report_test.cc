// Data put into a page.

#include "torsor/page/report.h"

#include <gtest/gtest.h>

#include "torsor/base/error.h"

namespace torsor {
namespace {

TEST(Report, DataTakeTheirPlaceInThePage) {
  EXPECT_EQ(fill_report_page("<a>@torsor-data@</a>", "{\"x\": 1}"), "<a>{\"x\": 1}</a>");
}

TEST(Report, PageWithoutAPlaceForDataIsRefused) {
  EXPECT_THROW(fill_report_page("<a></a>", "{}"), ModelError);
}

TEST(Report, FolderThatDoesNotExistIsRefusedBeforehand) {
  EXPECT_THROW(require_report_place("/no/such/folder/page.html", "--report"), ModelError);
}

TEST(Report, FileThatIsNoResultIsRefused) {
  EXPECT_THROW(report_data({{"/no/such/file.h5"}, {}}), ModelError);
}

}  // namespace
}  // namespace torsor
