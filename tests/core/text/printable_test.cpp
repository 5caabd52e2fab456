#include "core/text/printable.h"

#include <gtest/gtest.h>

namespace riffle {

TEST(Printable, ControlCharactersAreSpelledOut) {
  EXPECT_EQ(printable("\x1b[31mred\x1b]0;title\x07"), "\\x1b[31mred\\x1b]0;title\\x07");
  EXPECT_EQ(printable("over\rwritten\b\x7f"), "over\\x0dwritten\\x08\\x7f");
  EXPECT_EQ(printable(std::string_view("nul\0", 4)), "nul\\x00");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m")
      << "the same escape as one character of UTF-8";
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m")
      << "and as one byte, for terminals of 8 bits";
}

TEST(Printable, TextStaysAsItIs) {
  for (const char* text :
       {"", "plain, with ~ and \\", "two\nlines\tand a tab", "kg/m\u00b3 \u2192 \U0001f30a", "\u00a0"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, BytesThatAreNotUtf8AreSpelledOut) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("cut \xe2\x86"), "cut \\xe2\\x86");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b") << "a form that is longer than needed";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a pair of UTF-16";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "above the last character";
}

TEST(Printable, ALineHasNoBreaks) { EXPECT_EQ(printable_line("a\nb\tc\x1b"), "a b c\\x1b"); }

}  // namespace riffle
