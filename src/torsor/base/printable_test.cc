#include "torsor/base/printable.h"

#include <gtest/gtest.h>

#include "torsor/base/error.h"

namespace torsor {
namespace {

TEST(Printable, TextsStay) {
  for (const char* text : {"", "plain", "two\nlines\tand a tab", "Götz, Šimić, 四连杆, 🦾"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, NothingCommandsTheTerminal) {
  EXPECT_EQ(printable("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  EXPECT_EQ(printable("a\rb\bc\x7f"), "a\\x0db\\x08c\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");  // C1: the other way to begin a sequence
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "gpj.exe"),
            "\\u202egpj.exe");  // right to left
  EXPECT_EQ(printable("\xe2\x81\xa6x\xd8\x9c"), "\\u2066x\\u061c");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");  // no UTF-8
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");  // overlong
}

TEST(Printable, JsonMeansTheSame) {
  EXPECT_EQ(printable_json("{\"a\xe2\x80\xae\": \"\xc2\x9b\x7f\"}"), "{\"a\\u202e\": \"\\u009b\\u007f\"}");
  EXPECT_EQ(printable_json("[\"Götz\", 1]"), "[\"Götz\", 1]");
}

TEST(Printable, MessagesOfFaultsAreSafe) {
  const ModelError error("bodies.\x1b[2J", "a name", "'\xe2\x80\xae'", "m.yaml", 3);
  EXPECT_STREQ(error.what(), "m.yaml:3: bodies.\\x1b[2J: expected a name, found '\\u202e'");
}

}  // namespace
}  // namespace torsor
