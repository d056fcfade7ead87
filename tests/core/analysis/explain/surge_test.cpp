#include "core/analysis/explain/surge.h"

#include "tests/core/analysis/blocks_trace.h"
#include "tests/support/test_registry.h"

#include <fmt/format.h>

#include <QRegularExpression>
#include <QTest>

#include <array>
#include <cmath>
#include <random>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

/// Blocks of one shape after another, in [0, 1000). Processes start at 0: their start-up ends at 50.
class Shape {
  public:
    explicit Shape(std::uint32_t process = 0) : process_(process) {}

    Shape& block(std::int64_t begin, ByteCount size, std::int64_t end = 0) {
        blocks_.push_back({begin, end, size, "main;work", process_, process_ + 1});
        return *this;
    }
    /// `size` bytes every `every` nanoseconds; all of it is freed at `end`.
    Shape& slope(std::int64_t from, std::int64_t to, std::int64_t every, ByteCount size, std::int64_t end = 0) {
        for (auto time = from; time < to; time += every)
            block(time, size, end);
        return *this;
    }
    /// Blocks that live for a moment, of 0 to `most` bytes.
    Shape& noise(ByteCount most, unsigned seed) {
        std::mt19937 random(seed);
        for (std::int64_t time = 0; time < 980; time += 5)
            block(time, random() % (most + 1), time + 5 + static_cast<std::int64_t>(random() % 15));
        return *this;
    }
    Shape& with(const Shape& other) {
        blocks_.insert(blocks_.end(), other.blocks_.begin(), other.blocks_.end());
        return *this;
    }

    [[nodiscard]] std::string surge(TimeRange interval = {TraceTime{0}, TraceTime{1000}}) const {
        FrameLabels labels;
        SurgeQuery query;
        query.interval = interval;
        const auto report = findSurge(*traceOfBlocks(blocks_), labels, query);
        if (!report.hasValue()) qFatal("%s", report.error().message.c_str());
        const auto& surge = report.value().surge;
        if (!surge) return "none";
        constexpr std::array kKinds{"steep", "start", "gradual"};
        return fmt::format("{} {}: {} in [{}, {})", kKinds.at(static_cast<std::size_t>(surge->kind)),
                           surge->processText.substr(0, 1), surge->bytes, surge->part.start.ns, surge->part.end.ns);
    }

  private:
    std::uint32_t process_;
    std::vector<BlockOfTest> blocks_;
};

Shape sawtooth(std::int64_t period) {
    Shape shape;
    for (std::int64_t time = 100; time + period <= 1000; time += period)
        shape.slope(time, time + period - 2, 2, 10, time + period - 1);
    return shape;
}

/// Grows by this factor every 100 ns.
Shape exponential(double factor) {
    Shape shape;
    double level = 1000;
    for (std::int64_t time = 100; time < 1000; time += 5) {
        const auto next = level * std::pow(factor, 0.05);
        shape.block(time, static_cast<ByteCount>(next) - static_cast<ByteCount>(level));
        level = next;
    }
    return shape;
}

/// A block of twice the size replaces the last one whenever it is full: at 31, 62, 124, 248, 496.
Shape doubling() {
    Shape shape;
    ByteCount size = 100;
    for (std::int64_t time = 31; time < 990; time *= 2, size *= 2)
        shape.block(time, size, time * 2 < 990 ? time * 2 + 1 : 0);
    return shape;
}

} // namespace

/// The surge of curves whose steep part is known.
class SurgeTest : public QObject {
    Q_OBJECT
  private slots:
    void isTheSteepPartOfACurve_data() {
        QTest::addColumn<QString>("got");
        QTest::addColumn<QString>("wanted");
        const auto add = [](const char* name, const Shape& shape, const char* wanted) {
            QTest::newRow(name) << QString::fromStdString(shape.surge()) << QString(wanted);
        };
        const auto slow = Shape().slope(100, 1000, 10, 10); // 900 bytes
        add("nothing", Shape(), "none");
        add("one row", Shape().block(300, 7), "steep a: 7 in [300, 301)");
        add("one row of 0 bytes", Shape().block(300, 0), "none");
        add("step", Shape().block(300, 50).block(301, 50), "steep a: 100 in [300, 302)");
        add("step at the end", Shape().block(999, 100), "steep a: 100 in [999, 1000)");
        add("step on a slope", Shape(slow).block(504, 700), "steep a: 700 in [504, 505)");
        add("step on a slope, a quarter of all", Shape(slow).block(504, 300), "steep a: 300 in [504, 505)");
        add("step on a slope, less", Shape(slow).block(504, 290), "gradual a: 1190 in [100, 991)");
        add("slope", slow, "gradual a: 900 in [100, 991)");
        add("slope, then step", Shape().slope(100, 700, 10, 10).block(800, 500), "steep a: 500 in [800, 801)");
        add("step, then slope", Shape().block(200, 500).slope(400, 1000, 10, 10), "steep a: 500 in [200, 201)");
        add("two steps", Shape().block(200, 400).block(700, 600), "steep a: 600 in [700, 701)");
        add("two equal steps", Shape().block(200, 400).block(700, 400), "steep a: 400 in [200, 201)");
        add("two steps near each other", Shape().block(200, 400).block(250, 600), "steep a: 1000 in [200, 251)");
        add("four equal steps", Shape().slope(100, 900, 200, 50), "steep a: 50 in [100, 101)");
        add("staircase", Shape().slope(100, 1000, 100, 50), "gradual a: 450 in [100, 901)");
        add("ramp of a tenth", Shape().slope(400, 500, 2, 10), "steep a: 500 in [400, 499)");
        add("ramp of a fifth", Shape().slope(400, 600, 2, 10), "steep a: 1000 in [400, 599)");
        add("ramp of two fifths", Shape().slope(300, 700, 2, 10), "gradual a: 2000 in [300, 699)");
        add("ramp on a slope", Shape(slow).slope(401, 501, 2, 40), "steep a: 2090 in [401, 500)");
        add("many teeth", sawtooth(90), "steep a: 440 in [100, 187)");
        add("few teeth", sawtooth(450), "gradual a: 2240 in [100, 547)");
        add("spike", Shape().block(400, 500, 410), "steep a: 500 in [400, 401)");
        add("spike on a slope", Shape(slow).block(404, 500, 408), "steep a: 500 in [404, 405)");
        add("spike below a slope", Shape().slope(100, 900, 10, 10, 920).block(950, 790), "steep a: 790 in [950, 951)");
        Shape decay;
        for (std::int64_t time = 410; time < 900; time += 10)
            decay.block(400, 10, time);
        add("step, then decay", decay, "steep a: 490 in [400, 401)");
        add("plateau", Shape().block(300, 500, 700), "steep a: 500 in [300, 301)");
        add("doubling buffer", doubling(), "steep a: 1600 in [496, 497)");
        add("slow acceleration", exponential(1.5), "gradual a: 37443 in [100, 996)");
        add("fast acceleration", exponential(3), "steep a: 12360116 in [910, 996)");
    }
    void isTheSteepPartOfACurve() {
        QFETCH(QString, got);
        QFETCH(QString, wanted);
        QCOMPARE(got, wanted);
    }

    void whatOnlyFallsIsNone() {
        const auto shape = Shape().block(1, 5, 500).block(2, 7, 600);
        QCOMPARE(shape.surge({TraceTime{100}, TraceTime{1000}}), std::string("none"));
    }
    void noiseHidesNoStep() {
        for (unsigned seed = 0; seed < 20; ++seed) {
            const auto surge = QString::fromStdString(Shape().noise(100, seed).block(600, 2000).surge());
            const auto numbers = QRegularExpression("^steep a: (\\d+) in \\[(\\d+), (\\d+)\\)$").match(surge);
            QVERIFY2(numbers.hasMatch(), qPrintable(surge));
            QVERIFY2(numbers.captured(1).toInt() >= 2000 && numbers.captured(1).toInt() < 2500, qPrintable(surge));
            QVERIFY2(numbers.captured(2).toInt() >= 560 && numbers.captured(3).toInt() < 640, qPrintable(surge));
        }
    }
    void dependsOnTheInterval() {
        const auto ramp = Shape().slope(400, 500, 2, 10);
        QCOMPARE(ramp.surge({TraceTime{400}, TraceTime{500}}), std::string("gradual a: 500 in [400, 499)"));
    }
    void aStartIsASurgeOnlyIfNothingElseIs() {
        const auto start = Shape().slope(0, 20, 2, 100); // 1000 bytes
        QCOMPARE(start.surge(), std::string("start a: 1000 in [0, 19)"));
        const auto slow = Shape().slope(100, 1000, 10, 10);
        QCOMPARE(Shape(start).with(slow).surge(), std::string("start a: 1000 in [0, 19)"));
        QCOMPARE(Shape(start).with(slow).block(505, 700).surge(), std::string("steep a: 700 in [505, 506)"));
        QCOMPARE(Shape(start).block(505, 500).surge(), std::string("steep a: 500 in [505, 506)"));
        QCOMPARE(Shape(start).block(505, 499).surge(), std::string("start a: 1000 in [0, 19)"));
        // Less than half of all growth.
        QCOMPARE(Shape(start).with(slow).with(slow).surge(), std::string("gradual a: 2800 in [0, 991)"));
        // It continues after the start-up.
        QCOMPARE(Shape().slope(0, 100, 2, 100).surge(), std::string("steep a: 5000 in [0, 99)"));
    }
    void theLargestOfAllProcessesIsShown() {
        const auto slow = Shape(0).slope(100, 1000, 10, 10); // 900 bytes
        QCOMPARE(Shape(slow).with(Shape(1).block(300, 400)).surge(), std::string("steep b: 400 in [300, 301)"));
        QCOMPARE(Shape(slow).with(Shape(1).block(300, 100)).surge(), std::string("gradual a: 900 in [100, 991)"));
        // The start of one process, a step of another.
        const auto start = Shape(0).block(10, 1000);
        QCOMPARE(Shape(start).with(Shape(1).block(300, 500)).surge(), std::string("steep b: 500 in [300, 301)"));
        QCOMPARE(Shape(start).with(Shape(1).block(300, 499)).surge(), std::string("start a: 1000 in [10, 11)"));
    }
};

HIGHWATER_TEST(SurgeTest);
#include "surge_test.moc"
