#include "core/base/marked_text.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <string>
#include <string_view>

using namespace highwater;

/// Texts that start with a byte order mark.
class MarkedTextTest : public QObject {
    Q_OBJECT

    static ByteSpan bytes(std::string_view text) {
        return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
    }

  private slots:
    void marksAreKnown() {
        QCOMPARE(textMarkOf(bytes("\xEF\xBB\xBF{")), TextMark::Utf8);
        QCOMPARE(textMarkOf(bytes("\xFF\xFE{")), TextMark::Utf16);
        QCOMPARE(textMarkOf(bytes("\xFE\xFF{")), TextMark::Utf16Swapped);
        QCOMPARE(textMarkOf(bytes("\xEF\xBB")), TextMark::None);
        QCOMPARE(textMarkOf(bytes("")), TextMark::None);
        QCOMPARE(bytesOf(TextMark::Utf8), std::size_t{3});
        QCOMPARE(bytesOf(TextMark::Utf16Swapped), std::size_t{2});
    }
    void bothOrdersAreTheSameText() {
        using namespace std::string_view_literals;
        QCOMPARE(utf8OfUtf16(TextMark::Utf16, bytes("a\0\xE9\0\x3D\xD8\x00\xDE\n\0"sv)),
                 std::string("a\u00E9\U0001F600\n"));
        QCOMPARE(utf8OfUtf16(TextMark::Utf16Swapped, bytes("\0a\0\xE9\xD8\x3D\xDE\x00\0\n"sv)),
                 std::string("a\u00E9\U0001F600\n"));
    }
    void noByteIsTakenForMoreThanItIs() {
        using namespace std::string_view_literals;
        QCOMPARE(utf8OfUtf16(TextMark::Utf16, bytes("a\0b"sv)), std::string("a"));
        QCOMPARE(utf8OfUtf16(TextMark::Utf16, bytes("a\0\0\0\0\0b\0"sv)), std::string("a\0\0b", 4));
        QCOMPARE(utf8OfUtf16(TextMark::Utf16, bytes("a\0\0\0"sv)), std::string("a\0", 2));
        QCOMPARE(utf8OfUtf16(TextMark::Utf16, bytes("\x3D\xD8"sv)), std::string("\uFFFD"));
    }
};
HIGHWATER_TEST(MarkedTextTest);
#include "marked_text_test.moc"
