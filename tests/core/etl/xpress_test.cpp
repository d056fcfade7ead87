#include "core/etl/xpress.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <random>

using namespace highwater;
using namespace highwater::etl;

namespace {

std::vector<std::byte> expand(const std::vector<std::byte>& packed, std::size_t bytes) {
    std::vector<std::byte> out(bytes);
    const auto result = xpressDecompress(packed, out);
    if (result.damaged) return {};
    out.resize(result.bytes);
    return out;
}

std::vector<std::byte> bytesOf(const std::string& text) {
    std::vector<std::byte> out;
    for (char c : text)
        out.push_back(static_cast<std::byte>(c));
    return out;
}

} // namespace

class XpressTest : public QObject {
    Q_OBJECT
  private slots:
    /// The two examples of [MS-XCA] 3.1.
    void expandsTheExamplesOfTheSpecification() {
        const auto alphabet = QByteArray::fromHex("3f000000 6162636465666768696a6b6c6d6e6f707172737475767778797a");
        QCOMPARE(expand(bytesOf(alphabet.toStdString()), 26), bytesOf("abcdefghijklmnopqrstuvwxyz"));
        std::string repeated;
        for (int i = 0; i < 100; ++i)
            repeated += "abc";
        const auto packed = QByteArray::fromHex("ffffff1f 616263 1700 0fff 2601");
        QCOMPARE(expand(bytesOf(packed.toStdString()), 300), bytesOf(repeated));
    }
    void roundTripsText_data() {
        QTest::addColumn<int>("period");
        for (int period : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 100, 1000, 8191, 8192, 8193})
            QTest::addRow("%d", period) << period;
    }
    void roundTripsText() {
        QFETCH(int, period);
        std::mt19937 random(static_cast<unsigned>(period));
        for (std::size_t size :
             {0, 1, 2, 3, 4, 10, 11, 24, 25, 26, 33, 257, 279, 280, 281, 300, 65463, 65539, 70000, 200000}) {
            std::vector<std::byte> input(size);
            for (std::size_t i = 0; i < size; ++i) {
                input[i] = i < static_cast<std::size_t>(period) ? static_cast<std::byte>(random())
                                                                : input[i - static_cast<std::size_t>(period)];
            }
            std::vector<std::byte> packed;
            xpressCompress(input, packed);
            QCOMPARE(expand(packed, size), input);
        }
    }
    void roundTripsMixtures() {
        std::mt19937 random(7);
        for (int round = 0; round < 200; ++round) {
            std::vector<std::byte> input;
            const auto size = random() % 70000;
            while (input.size() < size) {
                const auto length = 1 + random() % (random() % 8 == 0 ? 400 : 12);
                if (input.size() > 10 && random() % 3 != 0) {
                    const auto distance = 1 + random() % input.size();
                    for (unsigned i = 0; i < length; ++i)
                        input.push_back(input[input.size() - distance]);
                } else {
                    for (unsigned i = 0; i < length; ++i)
                        input.push_back(static_cast<std::byte>(random()));
                }
            }
            std::vector<std::byte> packed;
            xpressCompress(input, packed);
            QCOMPARE(expand(packed, input.size()), input);
        }
    }
    void expandsAPrefixForAShortOutput() {
        std::vector<std::byte> input(5000);
        for (std::size_t i = 0; i < input.size(); ++i)
            input[i] = static_cast<std::byte>(i * i / 50);
        std::vector<std::byte> packed;
        xpressCompress(input, packed);
        for (std::size_t wanted : {0, 1, 15, 16, 17, 100, 512, 4999}) {
            const std::vector<std::byte> prefix(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(wanted));
            QCOMPARE(expand(packed, wanted), prefix);
        }
    }
    void expandsWhatIsLeftOfACutStream() {
        std::vector<std::byte> input(3000);
        for (std::size_t i = 0; i < input.size(); ++i)
            input[i] = static_cast<std::byte>(i / 9 * 5);
        std::vector<std::byte> packed;
        xpressCompress(input, packed);
        for (std::size_t length = 0; length < packed.size(); ++length) {
            std::vector<std::byte> out(input.size());
            const auto result = xpressDecompress(ByteSpan(packed).first(length), out);
            QVERIFY(result.bytes <= input.size());
            QVERIFY(std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(result.bytes), input.begin()));
        }
    }
    void survivesGarbage() {
        std::mt19937 random(3);
        for (int round = 0; round < 20000; ++round) {
            std::vector<std::byte> input(random() % 300);
            const auto mask = round % 3 == 0 ? 0xFFu : 0x07u; // small values: many long matches
            for (auto& b : input)
                b = static_cast<std::byte>(random() & mask);
            std::vector<std::byte> out(random() % 2000);
            QVERIFY(xpressDecompress(input, out).bytes <= out.size());
        }
    }
    void refusesAMatchBeforeTheStart() {
        const auto packed = QByteArray::fromHex("00000080 0700 0000");
        std::vector<std::byte> out(100);
        QVERIFY(xpressDecompress(bytesOf(packed.toStdString()), out).damaged);
    }
};
HIGHWATER_TEST(XpressTest);
#include "xpress_test.moc"
