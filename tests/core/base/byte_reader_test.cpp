#include "core/base/byte_reader.h"
#include "core/base/guid.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <vector>

using namespace highwater;

namespace {
std::vector<std::byte> bytes(std::initializer_list<int> values) {
    std::vector<std::byte> out;
    for (int v : values) out.push_back(static_cast<std::byte>(v));
    return out;
}
} // namespace

class ByteReaderTest : public QObject {
    Q_OBJECT
  private slots:
    void takesLittleEndianValuesUntilTheBytesEnd() {
        const auto data = bytes({1, 0, 2, 0, 0, 0, 9});
        ByteReader reader(data);
        QCOMPARE(reader.take<std::uint16_t>().value(), std::uint16_t{1});
        QCOMPARE(reader.take<std::uint32_t>().value(), 2u);
        QVERIFY(!reader.take<std::uint16_t>().has_value());
        QCOMPARE(reader.take<std::uint8_t>().value(), std::uint8_t{9}); // a failed take does not move the position
        QCOMPARE(reader.remaining(), std::size_t{0});
    }
    void widensPointersOfBothSizes() {
        const auto data = bytes({1, 2, 3, 0x84, 1, 0, 0, 0, 0, 0, 0, 0x80});
        ByteReader reader(data);
        QCOMPARE(reader.takePointer(4).value(), std::uint64_t{0x84030201});
        QCOMPARE(reader.takePointer(8).value(), std::uint64_t{0x8000000000000001});
        QVERIFY(!reader.takePointer(4).has_value());
    }
    void refusesToSkipBeyondTheEnd() {
        const auto data = bytes({1, 2});
        ByteReader reader(data);
        QVERIFY(!reader.skip(3));
        QVERIFY(!reader.takeBytes(static_cast<std::size_t>(-1)).has_value());
        QVERIFY(reader.skip(2));
    }
    void convertsUtf16WithSurrogates() {
        const auto data = bytes({'a', 0, 0x3D, 0xD8, 0x00, 0xDE, 0xE4, 0, 0, 0, 'x', 0});
        ByteReader reader(data);
        QCOMPARE(reader.takeUtf16(), std::string("a\xF0\x9F\x98\x80\xC3\xA4"));
        QCOMPARE(reader.takeUtf16(), std::string("x")); // unterminated text ends with the bytes
    }
    void replacesBrokenText() {
        const auto loneSurrogate = bytes({0x3D, 0xD8, 'a', 0});
        QCOMPARE(ByteReader(loneSurrogate).takeUtf16(), std::string("\xEF\xBF\xBD" "a"));
        const auto latin1 = bytes({'a', 0xE4, 'b', 0});
        QCOMPARE(ByteReader(latin1).takeNarrow(), std::string("a\xEF\xBF\xBD" "b"));
    }
    void printsGuidsInTheUsualForm() {
        const auto data = bytes({0x46, 0xFE, 0xF2, 0xDE, 0xD6, 0x7B, 0x80, 0x4B, 0xBD, 0x94, 0xF5, 0x7F, 0xE2, 0x0D, 0x0C, 0xE3});
        ByteReader reader(data);
        QCOMPARE(toString(reader.take<Guid>().value()), std::string("def2fe46-7bd6-4b80-bd94-f57fe20d0ce3"));
    }
};
HIGHWATER_TEST(ByteReaderTest);
#include "byte_reader_test.moc"
