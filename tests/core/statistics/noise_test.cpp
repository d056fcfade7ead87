#include "core/statistics/noise.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace highwater;

namespace {

using Amounts = std::vector<std::int64_t>;

/// Over all ways to divide the values into the two sides: the share with rank sums at least as far from the middle.
/// Ranks of equal values are the mean of their places.
double probabilityOfAllChoices(const Amounts& before, const Amounts& after) {
    Amounts all(before);
    all.insert(all.end(), after.begin(), after.end());
    const auto rankOf = [&](std::int64_t value) {
        const auto below = std::count_if(all.begin(), all.end(), [&](auto other) { return other < value; });
        const auto equal = std::count(all.begin(), all.end(), value);
        return static_cast<double>(below) + static_cast<double>(equal + 1) / 2;
    };
    const auto middle = static_cast<double>(before.size()) * static_cast<double>(all.size() + 1) / 2;
    double wanted = 0;
    for (const auto value : before)
        wanted += rankOf(value);
    double far = 0, choices = 0;
    for (unsigned mask = 0; mask < 1u << all.size(); ++mask) {
        if (static_cast<std::size_t>(std::popcount(mask)) != before.size()) continue;
        double sum = 0;
        for (std::size_t i = 0; i < all.size(); ++i)
            if ((mask >> i & 1) != 0) sum += rankOf(all[i]);
        ++choices;
        if (std::abs(sum - middle) >= std::abs(wanted - middle) - 1e-9) ++far;
    }
    return far / choices;
}

/// The share of pure noise that counts as a difference between two sides.
double shareOfDifferent(std::size_t before, std::size_t after, std::mt19937& random) {
    std::normal_distribution<double> noise(0, 1e6);
    constexpr int kTrials = 20'000;
    int apart = 0;
    for (int i = 0; i < kTrials; ++i) {
        Amounts a(before), b(after);
        for (auto& value : a)
            value = std::llround(noise(random));
        for (auto& value : b)
            value = std::llround(noise(random));
        apart += differsFromNoise(a, b) ? 1 : 0;
    }
    return static_cast<double>(apart) / kTrials;
}

} // namespace

class NoiseTest : public QObject {
    Q_OBJECT
  private slots:
    void mediansAreTheMiddle() {
        QCOMPARE(medianOf({5}), std::int64_t{5});
        QCOMPARE(medianOf({9, 1, 4}), std::int64_t{4});
        QCOMPARE(medianOf({4, 1}), std::int64_t{2});
        QCOMPARE(medianOf({-4, -1}), std::int64_t{-3});
        constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
        constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
        QCOMPARE(medianOf({kMost, kMost - 2}), kMost - 1);
        QCOMPARE(medianOf({kLeast, kMost}), std::int64_t{-1});
    }
    void sidesStandApartThatAreFartherThanTheyAreWide() {
        QVERIFY(differsFromNoise(Amounts{10, 11, 12}, Amounts{14, 15, 16}));
        QVERIFY(differsFromNoise(Amounts{14, 15, 16}, Amounts{10, 11, 12}));
        QVERIFY(!differsFromNoise(Amounts{10, 11, 12}, Amounts{13, 14, 15})); // a gap of 1, 2 wide
        QVERIFY(!differsFromNoise(Amounts{10, 11, 12}, Amounts{12, 15, 16}));
        QVERIFY(differsFromNoise(Amounts{5, 5, 5}, Amounts{6, 6, 6}));
        QVERIFY(!differsFromNoise(Amounts{5, 5, 5}, Amounts{5, 5, 5}));
        // With fewer than three values on a side, the gap must be larger.
        QVERIFY(!differsFromNoise(Amounts{10, 12}, Amounts{21, 22, 23}));
        QVERIFY(differsFromNoise(Amounts{10, 12}, Amounts{22, 23, 23}));
        constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
        constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
        QVERIFY(differsFromNoise(Amounts{kLeast, kLeast, kLeast + 1}, Amounts{kMost, kMost, kMost}));
        QVERIFY(!differsFromNoise(Amounts{kLeast, 0, kMost}, Amounts{kLeast, 0, kMost}));
    }
    /// The statement of docs/numbers.md on this.
    void noiseAloneSeldomStandsApart() {
        std::mt19937 random(7);
        QVERIFY(shareOfDifferent(3, 3, random) < 0.012);
        QVERIFY(shareOfDifferent(2, 2, random) < 0.015);
        QVERIFY(shareOfDifferent(4, 4, random) < 0.002);
        QVERIFY(shareOfDifferent(3, 3, random) > 0.003); // not never: it would detect nothing then
    }
    void ranksTellHowProbableSidesAre() {
        QCOMPARE(probabilityByRanks(Amounts{1, 2, 3, 4}, Amounts{5, 6, 7, 8}), 2.0 / 70);
        QCOMPARE(probabilityByRanks(Amounts{1, 1, 1, 1}, Amounts{1, 1, 1, 1}), 1.0);
        std::mt19937 random(11);
        for (int i = 0; i < 300; ++i) {
            const auto pick = [&](unsigned count) {
                return std::uniform_int_distribution<unsigned>(0, count - 1)(random);
            };
            Amounts before(1 + pick(6)), after(1 + pick(6));
            const auto most = 1 + pick(12); // few different values, so that many are equal
            for (auto* side : {&before, &after})
                for (auto& value : *side)
                    value = pick(most);
            const auto got = probabilityByRanks(before, after);
            const auto wanted = probabilityOfAllChoices(before, after);
            QVERIFY2(std::abs(got - wanted) < 1e-9, qPrintable(QString("%1: %2, not %3").arg(i).arg(got).arg(wanted)));
        }
    }
    void manyValuesAreTakenAsNormal() {
        Amounts before, after;
        for (int i = 0; i < 12; ++i) {
            before.push_back(2 * i);
            after.push_back(2 * i + 9);
        }
        const auto exact = probabilityByRanks(before, after);
        before.push_back(11);
        after.push_back(20);
        const auto normal = probabilityByRanks(before, after);
        QVERIFY2(std::abs(exact - normal) < 0.03, qPrintable(QString("%1 and %2").arg(exact).arg(normal)));
        QCOMPARE(probabilityByRanks(Amounts(20, 3), Amounts(20, 3)), 1.0);
        Amounts low(20, 1), high(20, 2);
        QVERIFY(probabilityByRanks(low, high) < 1e-6);
    }
    /// The example of Benjamini and Hochberg, 1995: four of fifteen are significant at 5 %.
    void ofManyProbabilitiesAShareMayBeWrong() {
        const std::vector<double> published{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                                            0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
        QCOMPARE(highestSignificant(published, 0.05), 0.0095);
        QVERIFY(highestSignificant({0.2, 0.9}, 0.05) < 0);
        QVERIFY(highestSignificant({}, 0.05) < 0);
        QCOMPARE(highestSignificant({0.04, 0.03}, 0.05), 0.04); // the second admits the first
    }
};

HIGHWATER_TEST(NoiseTest);
#include "noise_test.moc"
