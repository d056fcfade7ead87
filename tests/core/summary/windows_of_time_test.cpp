#include "core/summary/windows_of_time.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::summary;

namespace {

using Names = std::vector<std::string>;

/// "name [start, end)" for each.
Names textsOf(const Result<std::vector<Window>>& windows) {
    Names texts;
    for (const auto& window : windows.value())
        texts.push_back(window.name + " [" + std::to_string(window.start) + ", " + std::to_string(window.end) + ")");
    return texts;
}

class WindowsOfTimeTest : public QObject {
    Q_OBJECT

  private slots:
    void theWholeIsFirstAndMayBeAlone() {
        QCOMPARE(textsOf(windowsOf({TraceTime{5}, TraceTime{100}}, {}, {})), Names{"whole [5, 100)"});
        QCOMPARE(textsOf(windowsOf({TraceTime{0}, TraceTime{0}}, {}, {true, 10})), Names{"whole [0, 0)"});
    }
    void betweenMarksLeavesNothingOut() {
        const std::vector<Mark> marks{{2, TraceTime{60}, "full"},
                                      {1, TraceTime{20}, "warm"},
                                      {3, TraceTime{60}, "idle"},
                                      {4, TraceTime{100}, "behind the end"},
                                      {5, TraceTime{0}, "at the begin"}};
        QCOMPARE(textsOf(windowsOf({TraceTime{0}, TraceTime{100}}, marks, {true, 0})),
                 (Names{"whole [0, 100)", "Begin to warm [0, 20)", "warm to full [20, 60)", "idle to End [60, 100)"}));
        QCOMPARE(textsOf(windowsOf({TraceTime{0}, TraceTime{100}}, {}, {true, 0})), Names{"whole [0, 100)"});
    }
    void slicesEndWhereTheTraceDoes() {
        constexpr std::int64_t kSecond = 1'000'000'000;
        const auto windows = windowsOf({TraceTime{0}, TraceTime{kSecond * 5 / 2}}, {}, {false, kSecond});
        QCOMPARE(textsOf(windows),
                 (Names{"whole [0, 2500000000)", "0 s to 1 s [0, 1000000000)", "1 s to 2 s [1000000000, 2000000000)",
                        "2 s to 3 s [2000000000, 2500000000)"}));
    }
    void namesAreUnique() {
        const std::vector<Mark> marks{
            {1, TraceTime{10}, "tick"}, {2, TraceTime{20}, "tick"}, {3, TraceTime{30}, "tick"}};
        QCOMPARE(textsOf(windowsOf({TraceTime{0}, TraceTime{40}}, marks, {true, 0})),
                 (Names{"whole [0, 40)", "Begin to tick [0, 10)", "tick to tick [10, 20)", "tick to tick #2 [20, 30)",
                        "tick to End [30, 40)"}));
    }
    void tooManyAreRefused() {
        const auto windows = windowsOf({TraceTime{0}, TraceTime{1'000'000}}, {}, {false, 1});
        QVERIFY(!windows.hasValue());
        QCOMPARE(windows.error().kind, ErrorKind::Usage);
        // Near the limits of time nothing overflows.
        QCOMPARE(textsOf(windowsOf({TraceTime{0}, kNever}, {}, {false, kNever.ns})).size(), std::size_t{2});
    }
};

HIGHWATER_TEST(WindowsOfTimeTest);

} // namespace

#include "windows_of_time_test.moc"
