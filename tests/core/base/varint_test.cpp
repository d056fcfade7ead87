#include "core/base/varint.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;

namespace {

std::string codeOf(std::uint64_t number) {
    std::string code;
    putVarint(code, number);
    return code;
}

} // namespace

class VarintTest : public QObject {
    Q_OBJECT
  private slots:
    void sevenBitsAreInEachByteTheLowestFirst() {
        QCOMPARE(codeOf(0), std::string("\0", 1));
        QCOMPARE(codeOf(127), std::string("\x7F"));
        QCOMPARE(codeOf(128), std::string("\x80\x01"));
        QCOMPARE(codeOf(624'485), std::string("\xE5\x8E\x26")); // the example of the DWARF standard
    }
    void numbersOf63BitsAreReadAsTheyWereWritten() {
        std::string codes;
        for (unsigned bits = 0; bits < 63; ++bits) {
            for (const auto number : {std::uint64_t{1} << bits, (std::uint64_t{2} << bits) - 1})
                putVarint(codes, number);
        }
        std::string_view left = codes;
        for (unsigned bits = 0; bits < 63; ++bits) {
            QCOMPARE(takeVarint(left), std::optional(std::uint64_t{1} << bits));
            QCOMPARE(takeVarint(left), std::optional((std::uint64_t{2} << bits) - 1));
        }
        QVERIFY(left.empty());
        QVERIFY(!takeVarint(left));
    }
    void bytesThatEndWithinANumberAreRefused() {
        const auto whole = codeOf((std::uint64_t{1} << 63) - 1);
        for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
            auto cut = std::string_view(whole).substr(0, bytes);
            QVERIFY(!takeVarint(cut));
        }
    }
    void numbersOfMoreBitsAreRefused() {
        for (const auto& code :
             {codeOf(std::uint64_t{1} << 63), codeOf(~std::uint64_t{0}), std::string(1000, '\x80')}) {
            std::string_view left = code;
            QVERIFY(!takeVarint(left));
        }
    }
};
HIGHWATER_TEST(VarintTest);
#include "varint_test.moc"
