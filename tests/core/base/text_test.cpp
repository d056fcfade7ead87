#include "core/base/byte_reader.h"
#include "core/base/text.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <limits>

using namespace highwater;

namespace {
/// The same text as Qt converts it; the last unit is the NUL.
std::u16string written(std::string_view text) {
    std::vector<std::byte> bytes;
    appendUtf16(bytes, text);
    std::u16string units;
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        units +=
            static_cast<char16_t>(std::to_integer<unsigned>(bytes[i]) | std::to_integer<unsigned>(bytes[i + 1]) << 8);
    }
    return units;
}
} // namespace

class TextTest : public QObject {
    Q_OBJECT
  private slots:
    void knowsTheFileNamesOfBothSystems() {
        QCOMPARE(fileName("/usr/lib/libc.so.6"), std::string_view("libc.so.6"));
        QCOMPARE(fileName("C:\\Windows\\ntdll.dll"), std::string_view("ntdll.dll"));
        QCOMPARE(fileName("C:\\mixed/a.exe"), std::string_view("a.exe"));
        QCOMPARE(fileName("plain"), std::string_view("plain"));
        QCOMPARE(fileName("folder/"), std::string_view());
    }
    void trimsBlanksAtBothEnds() {
        QCOMPARE(trimmed(" \t a b\r\n"), std::string_view("a b"));
        QCOMPARE(trimmed("a"), std::string_view("a"));
        QCOMPARE(trimmed(" \n"), std::string_view());
        QCOMPARE(trimmed(""), std::string_view());
    }

    void comparesAsciiWithoutRegardToCase() {
        QCOMPARE(lowered("NTDLL!Rtl[Z"), std::string("ntdll!rtl[z"));
        QCOMPARE(lowered("\xC3\x84"), std::string("\xC3\x84")); // letters of other alphabets are unchanged
        QVERIFY(equalsIgnoringCase("Commit Stack", "commit STACK"));
        QVERIFY(!equalsIgnoringCase("a", "ab"));
        QVERIFY(!equalsIgnoringCase("[", "{")); // as far apart as letters of two cases
    }

    void printsNothingThatATerminalObeys() {
        QCOMPARE(printable("notepad.exe \xC3\xA4 \xE8\xA8\x98 \xF0\x9F\x98\x80"),
                 std::string("notepad.exe \xC3\xA4 \xE8\xA8\x98 \xF0\x9F\x98\x80"));
        const std::string mark = "\xEF\xBF\xBD";
        QCOMPARE(printable("a\x1B]0;title\x07"
                           "b\x7F"),
                 "a" + mark + "]0;title" + mark + "b" + mark);
        QCOMPARE(printable("two\nlines\r\t"), "two" + mark + "lines" + mark + mark);
        QCOMPARE(printable("\xC2\x9B"
                           "31m"),
                 mark + "31m"); // CSI as one character
        QCOMPARE(printable("gpj.\xE2\x80\xAE"
                           "exe\xE2\x81\xA6"),
                 "gpj." + mark + "exe" + mark);                  // turns the direction
        QCOMPARE(printable("\x9B\xE8\xA8"), mark + mark + mark); // not UTF-8
        for (const auto* none : {"\xC1\x81", "\xE0\x81\x81", "\xED\xA0\x80", "\xF7\xBF\xBF\xBF"}) {
            const std::string_view bytes(none); // overlong, half a pair, beyond the last character
            std::string marks;
            for (std::size_t i = 0; i < bytes.size(); ++i)
                marks += mark;
            QCOMPARE(printable(bytes), marks);
        }
        QCOMPARE(printable("a\xC2\xAD\xE2\x80\x8B\xEF\xBB\xBF"
                           "b"),
                 "a" + mark + mark + mark + "b"); // they are drawn as nothing
        QCOMPARE(printable(std::string_view("a\0b", 3)), "a" + mark + "b");
        QCOMPARE(printable("a\xF3\xA0\x81\x81"
                           "b\xE3\x85\xA4"),
                 "a" + mark + "b" + mark); // a tag, a filler
        QCOMPARE(printable("a\xE2\x80\x8D"
                           "b\xE2\x80\x8C"),
                 "a" + mark + "b" + mark); // joiners that join nothing
        const std::string persian = "\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xB1";
        QCOMPARE(printable(persian), persian); // a letter there
    }

    void writesAllNanosecondsOfATime() {
        QCOMPARE(secondsText(TraceTime{0}), std::string("0"));
        QCOMPARE(secondsText(TraceTime{2'000'000'000}), std::string("2"));
        QCOMPARE(secondsText(TraceTime{2'794'994}), std::string("0.002794994"));
        QCOMPARE(secondsText(TraceTime{-1}), std::string("-0.000000001"));
        QCOMPARE(secondsText(TraceTime{std::numeric_limits<std::int64_t>::max() - 1}),
                 std::string("9223372036.854775806"));
    }
    void twoDifferentAmountsLookDifferent() {
        const auto texts = [](std::uint64_t first, std::uint64_t last) {
            const auto [one, other] = distinctBytes(first, last);
            return one + ", more than " + other;
        };
        constexpr std::uint64_t kMegabyte = 1'048'576;
        QCOMPARE(texts(151 * kMegabyte, 150 * kMegabyte), std::string("151.0 MB, more than 150.0 MB"));
        QCOMPARE(texts(kMegabyte + 1, kMegabyte), std::string("1,048,577 B, more than 1,048,576 B"));
        QCOMPARE(distinctBytes(kMegabyte, kMegabyte).first, std::string("1.0 MB"));
    }
    void twoDifferentTimesLookDifferent() {
        const auto texts = [](std::int64_t first, std::int64_t last) {
            const auto [from, to] = distinctSeconds(TraceTime{first}, TraceTime{last}, 2);
            return from + " " + to;
        };
        QCOMPARE(texts(1'500'000'000, 2'000'000'000), std::string("1.50 2.00"));
        QCOMPARE(texts(21'300'000, 21'400'000), std::string("0.0213 0.0214"));
        QCOMPARE(texts(21'300'000, 21'300'001), std::string("0.021300000 0.021300001"));
        QCOMPARE(texts(21'300'000, 21'300'000), std::string("0.02 0.02"));
    }
    void anInstantIsNotBetweenTwoTimes() {
        QCOMPARE(betweenText(TraceTime{1'500'000'000}, TraceTime{2'000'000'000}, 3),
                 std::string("between 1.500 s and 2.000 s"));
        QCOMPARE(betweenText(TraceTime{21'300'000}, TraceTime{21'400'000}, 2),
                 std::string("between 0.0213 s and 0.0214 s"));
        QCOMPARE(betweenText(TraceTime{21'300'000}, TraceTime{21'300'000}, 2), std::string("at 0.02 s"));
    }
    void writesMegabytesForSentences() {
        QCOMPARE(megabytes(0), std::string("0.0 MB"));
        QCOMPARE(megabytes(1'572'864), std::string("1.5 MB"));
        QCOMPARE(megabytes(~std::uint64_t{0}), std::string("17592186044416.0 MB"));
    }

    void writesUtf16AsQtDoes_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << QString();
        QTest::newRow("ASCII") << QStringLiteral("notepad.exe");
        QTest::newRow("two bytes") << QStringLiteral("Größe");
        QTest::newRow("three bytes") << QStringLiteral("記憶.exe");
        QTest::newRow("surrogates") << QStringLiteral("a😀b");
    }
    void writesUtf16AsQtDoes() {
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdU16String(written(text.toStdString())), text + QChar(u'\0'));
    }
    /// Linux file names are arbitrary bytes.
    void writesAQuestionMarkForWhatIsNoUtf8() {
        QCOMPARE(QString::fromStdU16String(written("a\xFFz")), QStringLiteral("a?z") + QChar(u'\0'));
        QCOMPARE(QString::fromStdU16String(written("a\xC3")), QStringLiteral("a?") + QChar(u'\0'));
        QCOMPARE(QString::fromStdU16String(written("\xE8\xA8z")), QStringLiteral("??z") + QChar(u'\0'));
    }
};

HIGHWATER_TEST(TextTest);
#include "text_test.moc"
