#include "core/analysis/sweeps/growth.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace highwater::analysis;

namespace {

using Values = std::vector<double>;

/// The median of all slopes, computed as slowly as it is defined.
double medianOfSlopes(const Values& values, double step) {
    Values slopes;
    for (std::size_t j = 0; j < values.size(); ++j) {
        for (std::size_t i = 0; i < j; ++i)
            slopes.push_back((values[j] - values[i]) / (static_cast<double>(j - i) * step));
    }
    const auto half = slopes.size() / 2;
    std::nth_element(slopes.begin(), slopes.begin() + static_cast<std::ptrdiff_t>(half), slopes.end());
    if (slopes.size() % 2 == 1) return slopes[half];
    return (slopes[half] + *std::max_element(slopes.begin(), slopes.begin() + static_cast<std::ptrdiff_t>(half))) / 2;
}

Values line(std::size_t count, double slope) {
    Values values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(slope * static_cast<double>(i));
    return values;
}

} // namespace

class GrowthTest : public QObject {
    Q_OBJECT
  private slots:
    void isTheMedianOfTheSlopesOfAllPairs() {
        std::mt19937 random(1);
        for (int round = 0; round < 200; ++round) {
            Values values(3 + random() % 40);
            for (auto& value : values)
                value = static_cast<double>(random() % 1000);
            const auto growth = growthOf(values, 0.5);
            QVERIFY(std::abs(growth.perSecond - medianOfSlopes(values, 0.5)) < 1e-9);
            QVERIFY(growth.low <= growth.perSecond && growth.perSecond <= growth.high);
        }
    }
    void aLineHasNoDoubt() {
        const auto growth = growthOf(line(33, 10), 2);
        QCOMPARE(growth.perSecond, 5.0);
        QCOMPARE(growth.low, 5.0);
        QCOMPARE(growth.high, 5.0);
    }
    void aJumpAtAnEndDoesNotMoveIt() {
        auto values = line(33, 10);
        values.back() += 1e9;
        QVERIFY(std::abs(growthOf(values, 1).perSecond - 10) < 1e-9);
        values = Values(33, 7.0);
        values.back() = 1e9;
        QCOMPARE(growthOf(values, 1).perSecond, 0.0);
    }
    void fewerThanThreeValuesSayNothing() {
        for (std::size_t count = 0; count < 3; ++count) {
            QCOMPARE(growthOf(line(count, 10), 1).perSecond, 0.0);
            QCOMPARE(growthOf(line(count, 10), 1).high, 0.0);
        }
        QCOMPARE(growthOf(line(3, 10), 1).perSecond, 10.0);
        QCOMPARE(growthOf(line(3, 10), 0).perSecond, 0.0);
    }
    void theFloorsOfASawtoothAreItsLowerEdge() {
        QCOMPARE(floorsOf(Values{0, 5, 9, 1, 6, 9, 2, 7}), (Values{0, 1, 1, 1, 2, 2, 2, 7}));
        QCOMPARE(floorsOf(Values{}), Values{});
        QCOMPARE(floorsOf(Values{9, 5, 3}), (Values{3, 3, 3}));
    }
};

HIGHWATER_TEST(GrowthTest);
#include "growth_test.moc"
