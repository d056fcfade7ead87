#include "core/analysis/table/weighted_sum.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using namespace highwater::analysis;

namespace {

constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();

struct Weighted {
    std::uint64_t value = 0;
    std::uint64_t weight = 0;
};

std::optional<std::uint64_t> averageOf(const std::vector<Weighted>& values) {
    WeightedSum sum;
    for (const auto& [value, weight] : values)
        sum.add(value, weight);
    return sum.average();
}

/// Digits of 32 bits, lowest first, added and multiplied as on paper.
using Digits = std::vector<std::uint64_t>;

Digits sumOf(Digits a, const Digits& b) {
    a.resize(std::max(a.size(), b.size()) + 1);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto digit = a[i] + (i < b.size() ? b[i] : 0) + carry;
        a[i] = digit & 0xFFFFFFFFu;
        carry = digit >> 32;
    }
    while (!a.empty() && a.back() == 0)
        a.pop_back();
    return a;
}

Digits digitsOf(std::uint64_t number) { return sumOf({number & 0xFFFFFFFFu, number >> 32}, {}); }

Digits productOf(const Digits& a, const Digits& b) {
    Digits product;
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < b.size(); ++j) {
            Digits part(i + j);
            const auto digit = a[i] * b[j];
            part.push_back(digit & 0xFFFFFFFFu);
            part.push_back(digit >> 32);
            product = sumOf(product, part);
        }
    }
    return product;
}

bool isLess(const Digits& a, const Digits& b) {
    if (a.size() != b.size()) return a.size() < b.size();
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

/// Whether 2 * sum is in [(2 * average - 1) * weights, (2 * average + 1) * weights): the average is the nearest number,
/// or the upper one of two.
bool isNearest(std::uint64_t average, const std::vector<Weighted>& values) {
    Digits sum, weights;
    for (const auto& [value, weight] : values) {
        sum = sumOf(sum, productOf(digitsOf(value), digitsOf(weight)));
        weights = sumOf(weights, digitsOf(weight));
    }
    const auto twice = sumOf(sum, sum);
    const auto doubled = productOf(sumOf(digitsOf(average), digitsOf(average)), weights);
    return !isLess(sumOf(twice, weights), doubled) && isLess(twice, sumOf(doubled, weights));
}

} // namespace

/// Averages of numbers of any size.
class WeightedSumTest : public QObject {
    Q_OBJECT
  private slots:
    void weighsEachValue() {
        QCOMPARE(averageOf({{10, 1}, {20, 3}}), std::optional<std::uint64_t>(18)); // 17.5
        QCOMPARE(averageOf({{10, 3}, {20, 1}}), std::optional<std::uint64_t>(13)); // 12.5
        QCOMPARE(averageOf({{10, 2}, {20, 1}}), std::optional<std::uint64_t>(13)); // 13.3
        QCOMPARE(averageOf({{7, 0}, {9, 5}}), std::optional<std::uint64_t>(9));
        QCOMPARE(averageOf({{0, 5}}), std::optional<std::uint64_t>(0));
    }
    void ofNothingHasNone() {
        QVERIFY(!averageOf({}));
        QVERIFY(!averageOf({{7, 0}, {kMost, 0}}));
    }
    void holdsTheLargestNumbers() {
        QCOMPARE(averageOf({{kMost, kMost}}), std::optional(kMost));
        QCOMPARE(averageOf(std::vector<Weighted>(1000, {kMost, kMost})), std::optional(kMost));
        QCOMPARE(averageOf({{kMost, kMost}, {0, kMost}}), std::optional(std::uint64_t{1} << 63)); // a half, rounded up
        QCOMPARE(averageOf({{kMost, 1}, {0, kMost}}), std::optional<std::uint64_t>(1));
    }
    void equalsPencilAndPaper() {
        std::mt19937_64 random(1);
        for (int i = 0; i < 20'000; ++i) {
            std::vector<Weighted> values(1 + random() % 6);
            for (auto& value : values)
                value = {random() >> random() % 64, random() >> random() % 64};
            // Added in two parts, as two threads do.
            WeightedSum first, second;
            for (std::size_t v = 0; v < values.size(); ++v)
                (v % 2 == 0 ? first : second).add(values[v].value, values[v].weight);
            first.add(second);
            const auto average = first.average();
            const bool isWeightless =
                std::all_of(values.begin(), values.end(), [](const auto& value) { return value.weight == 0; });
            QCOMPARE(average.has_value(), !isWeightless);
            if (average) QVERIFY2(isNearest(*average, values), qPrintable(QString::number(i)));
        }
    }
};
HIGHWATER_TEST(WeightedSumTest);
#include "weighted_sum_test.moc"
