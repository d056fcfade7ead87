#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/view/timeline/timeline_axes.h"

#include <QFontMetrics>
#include <QStringList>
#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::ui;
using tests::ms;

namespace {

QStringList labels(const std::vector<Tick>& ticks) {
    QStringList texts;
    for (const auto& tick : ticks) {
        texts << tick.label;
    }
    return texts;
}

} // namespace

class TimelineAxesTest : public QObject {
    Q_OBJECT
  private slots:
    void choosesRoundTimes() {
        QCOMPARE(labels(timeTicks({ms(0), ms(34'000)}, 10)),
                 (QStringList{"0 s", "5 s", "10 s", "15 s", "20 s", "25 s", "30 s"}));
        QCOMPARE(labels(timeTicks({ms(14'050), ms(14'350)}, 3)), (QStringList{"14.1 s", "14.2 s", "14.3 s"}));
        QVERIFY(timeTicks({ms(5), ms(5)}, 10).empty());
    }
    void labelsOfTimesStayApartAtAnyZoom() {
        const QFontMetrics font{QFont()};
        constexpr int kGap = 10;
        constexpr std::int64_t kStart = 12'345'678'901'234;
        for (std::int64_t length = 1; length < 10'000'000'000'000; length += 1 + length * 2 / 3) {
            for (int width = 40; width <= 1000; width += 37) {
                const auto ticks = timeTicksThatFit({TraceTime{kStart}, TraceTime{kStart + length}}, width, font, kGap);
                const auto widthOf = [&](const Tick& tick) { return font.horizontalAdvance(tick.label) + kGap; };
                for (std::size_t i = 1; i < ticks.size(); ++i) {
                    const auto pixels = (ticks[i].value - ticks[i - 1].value) / static_cast<double>(length) * width;
                    QVERIFY(pixels + 0.5 >= std::max(widthOf(ticks[i - 1]), widthOf(ticks[i])));
                }
                QVERIFY(length < 1'000 || width < 600 || ticks.size() >= 2);
            }
        }
        const auto ofSeconds = timeTicksThatFit({ms(0), ms(34'000)}, 1000, font, kGap);
        QVERIFY(ofSeconds.size() >= 5);
    }
    void choosesRoundAmounts() {
        QCOMPARE(labels(byteTicks(0, 32505856, 4)), (QStringList{"0", "10 MB", "20 MB", "30 MB", "40 MB"}));
        QCOMPARE(labels(byteTicks(0, 133120, 3)), (QStringList{"0", "50 KB", "100 KB", "150 KB"}));
        QCOMPARE(labels(byteTicks(0, 0, 2)), (QStringList{"0", "0.5 MB", "1.0 MB"})); // nothing to show
        QCOMPARE(labels(byteTicks(-1024, 1024, 2)), (QStringList{"−1 KB", "0", "1 KB"}));
        QCOMPARE(labels(byteTicks(-1024, 1024, 4)), (QStringList{"−1.0 KB", "−0.5 KB", "0", "0.5 KB", "1.0 KB"}));
        QCOMPARE(labels(byteTicks(0, 1572864, 2)), (QStringList{"0", "1 MB", "2 MB"}));
        QCOMPARE(labels(byteTicks(0, 1572864, 4)), (QStringList{"0", "0.5 MB", "1.0 MB", "1.5 MB"}));
        QCOMPARE(labels(byteTicks(0, 2'500'000, 5)),
                 (QStringList{"0", "0.5 MB", "1.0 MB", "1.5 MB", "2.0 MB", "2.5 MB"}));
        QCOMPARE(labels(byteTicks(0, 1'034'240, 2)), (QStringList{"0", "0.5 MB", "1.0 MB"})); // 1,010 KB
        QCOMPARE(labels(byteTicks(0, 3, 8)), (QStringList{"0", "1 B", "2 B", "3 B"}));
        QCOMPARE(byteTicks(0, 32505856, 4)[1].value, 10485760.0);
    }
    void choosesRoundNumbers() {
        QCOMPARE(labels(countTicks(0, 1240, 4)), (QStringList{"0", "500", "1,000", "1,500"}));
        QCOMPARE(labels(countTicks(0, 3, 8)), (QStringList{"0", "1", "2", "3"}));
        QCOMPARE(labels(countTicks(0, 0, 2)), (QStringList{"0", "5", "10"}));
        QCOMPARE(formatAmount(1240, analysis::TimelineMeasure::Count), "1,240");
        QCOMPARE(formatAmount(1 << 20, analysis::TimelineMeasure::Bytes), "1.0 MB");
    }
    void goesFromTimeToPixelAndBack() {
        const TimelineCoordinates at{{ms(100), ms(200)}, QRectF(50, 0, 1000, 100)};
        QCOMPARE(at.xOf(ms(100)), 50.0);
        QCOMPARE(at.xOf(ms(150)), 550.0);
        QCOMPARE(at.timeAt(550.0), ms(150));
        QCOMPARE(at.timeAt(0.0), ms(100));
        QCOMPARE(at.timeAt(5000.0), ms(200));
    }
    void namesTheMeasuredAmounts() {
        using analysis::Table;
        using analysis::TimelineMeasure;
        QCOMPARE(amountTitle(Table::Heap, TimelineMeasure::Bytes), "Outstanding size");
        QCOMPARE(amountTitle(Table::VirtualAlloc, TimelineMeasure::Count), "Outstanding count");
        QCOMPARE(amountTitle(Table::Frees, TimelineMeasure::Bytes), "Freed size");
        QCOMPARE(amountTitle(Table::Heap, TimelineMeasure::NewBytes), "New bytes");
    }
};
HIGHWATER_TEST(TimelineAxesTest);
#include "timeline_axes_test.moc"
