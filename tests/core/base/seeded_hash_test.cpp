#include "core/base/seeded_hash.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <tsl/robin_map.h>
#include <vector>

using namespace highwater;

namespace {

constexpr unsigned kSlotBits = 16;

/// The highest number of keys that share one of 65,536 slots. For 65,536 random keys: 8 or 9, hardly ever 12.
template <typename SlotOf>
std::uint32_t fullestSlot(const std::vector<std::uint64_t>& hashes, const SlotOf& slotOf) {
    std::vector<std::uint32_t> counts(std::size_t{1} << kSlotBits);
    for (const auto hash : hashes)
        ++counts[slotOf(hash)];
    return *std::max_element(counts.begin(), counts.end());
}

std::uint32_t fullestSlotOf(const std::vector<std::uint64_t>& hashes) {
    const auto low = fullestSlot(hashes, [](std::uint64_t h) { return h & ((1u << kSlotBits) - 1); });
    const auto high = fullestSlot(hashes, [](std::uint64_t h) { return h >> (64 - kSlotBits); });
    return std::max(low, high);
}

std::vector<std::uint64_t> hashesOf(const std::function<std::uint64_t(std::uint64_t)>& hashOfNumber) {
    std::vector<std::uint64_t> hashes;
    for (std::uint64_t i = 0; i < std::uint64_t{1} << kSlotBits; ++i)
        hashes.push_back(hashOfNumber(i));
    return hashes;
}

} // namespace

class SeededHashTest : public QObject {
    Q_OBJECT
  private slots:
    void spreadsKeysThatAreMultiplesOfOneNumber_data() {
        QTest::addColumn<quint64>("step");
        for (unsigned bits = 0; bits <= 48; bits += 4)
            QTest::addRow("2^%u", bits) << (quint64{1} << bits);
        QTest::newRow("inverse of the golden ratio's factor") << quint64{0xF1DE83E19937733Dull};
        QTest::newRow("golden ratio's factor") << quint64{0x9E3779B97F4A7C15ull};
    }
    void spreadsKeysThatAreMultiplesOfOneNumber() {
        QFETCH(quint64, step);
        QVERIFY(fullestSlotOf(hashesOf([&](std::uint64_t i) { return seededHash(i * step); })) <= 20);
        QVERIFY(fullestSlotOf(hashesOf([&](std::uint64_t i) { return seededHash(i * step, 7); })) <= 20);
        QVERIFY(fullestSlotOf(hashesOf([&](std::uint64_t i) { return seededHash(7, i * step); })) <= 20);
        // Sums that stay constant.
        QVERIFY(fullestSlotOf(hashesOf([&](std::uint64_t i) { return seededHash(i * step, 0 - i * step); })) <= 20);
        QVERIFY(fullestSlotOf(hashesOf([&](std::uint64_t i) { return seededHash(i * step, i * step); })) <= 20);
    }

    void dependsOnEveryWordAndByte() {
        const std::vector<std::uint64_t> words{1, 2, 3};
        QVERIFY(seededHash(std::span(words)) != seededHash(std::span(words).first(2)));
        QVERIFY(seededHash(std::span(words)) != seededHash(std::vector<std::uint64_t>{1, 3, 2}));
        QVERIFY(seededHash(std::vector<std::uint64_t>{}) != seededHash(std::vector<std::uint64_t>{0}));
        const std::string text = "0123456789abcdef0123";
        for (std::size_t i = 0; i < text.size(); ++i) {
            auto other = text;
            other[i] ^= 1;
            QVERIFY(seededHash(text) != seededHash(other));
            QVERIFY(seededHash(text) != seededHash(text.substr(0, i)));
        }
        QVERIFY(seededHash(std::string_view("a\0", 2)) != seededHash("a"));
        QVERIFY(seededHash(1, 2) != seededHash(2, 1));
    }

    void aMapOfKeysThatMeetInStdHashStaysSmall() {
        // 200,000 multiples of 2^44 and their sums: with std::hash all are in one slot of any table that fits.
        tsl::robin_map<std::uint64_t, std::uint32_t, SeededHash> map;
        for (std::uint32_t i = 0; i < 200'000; ++i)
            map.emplace(std::uint64_t{i} << 44, i);
        QCOMPARE(map.size(), std::size_t{200'000});
        QVERIFY(map.bucket_count() <= 1u << 19);
        for (std::uint32_t i = 0; i < 200'000; ++i)
            QCOMPARE(map.at(std::uint64_t{i} << 44), i);
    }

    void hashesWhatMapsAreKeyedBy() {
        const SeededHash hash;
        QCOMPARE(hash(StackId{7}), hash(7u));
        QCOMPARE(hash(std::string("abc")), hash(std::string_view("abc")));
        QVERIFY(hash(std::pair(1u, std::uint64_t{2})) != hash(std::pair(2u, std::uint64_t{1})));
        int one = 0;
        int two = 0;
        QVERIFY(hash(&one) != hash(&two));
    }
};

HIGHWATER_TEST(SeededHashTest);
#include "seeded_hash_test.moc"
