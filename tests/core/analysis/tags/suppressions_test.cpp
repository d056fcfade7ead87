#include "core/analysis/tags/suppressions.h"
#include "tests/support/test_registry.h"
#include "tests/support/work_ratio.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;

namespace {

Suppressions suppressionsOf(const std::string& text) {
    Suppressions suppressions;
    suppressions.add(text, "my.supp");
    return suppressions;
}

} // namespace

class SuppressionsTest : public QObject {
    Q_OBJECT
  private slots:
    void aPatternIsLookedForAnywhereInAName() {
        const auto suppressions = suppressionsOf("leak:Cache\n");
        QVERIFY(suppressions.matches("app::Cache::insert"));
        QVERIFY(suppressions.matches("Cache"));
        QVERIFY(!suppressions.matches("app::cache::insert")); // case-sensitive
        QVERIFY(!suppressions.matches(""));
    }

    void aStarIsAnyText() {
        const auto suppressions = suppressionsOf("leak:Cache*insert");
        QVERIFY(suppressions.matches("Cache<int>::insert(int)"));
        QVERIFY(!suppressions.matches("insert into Cache"));
        QVERIFY(suppressionsOf("leak:*").matches("anything"));
    }

    void anchorsAreTheEndsOfTheName() {
        const auto suppressions = suppressionsOf("leak:^main$\nleak:^lib\nleak:.so$\nleak:^a*z$");
        QVERIFY(suppressions.matches("main"));
        QVERIFY(!suppressions.matches("WinMain") && !suppressions.matches("main2") && !suppressions.matches("domain"));
        QVERIFY(suppressions.matches("libfoo") && !suppressions.matches("zlib"));
        QVERIFY(suppressions.matches("foo.so") && !suppressions.matches("foo.so.6"));
        QVERIFY(suppressions.matches("abcz") && !suppressions.matches("abc"));
    }

    void questionMarksAreThemselves() {
        const auto suppressions = suppressionsOf("leak:a?c");
        QVERIFY(suppressions.matches("a?c") && !suppressions.matches("abc"));
    }

    void commentsAndBlankLinesSayNothing() {
        const auto suppressions =
            suppressionsOf("\xEF\xBB\xBF# known leaks\r\n\r\n   leak:first  \r\n#leak:second\nleak:third");
        QVERIFY(suppressions.matches("first") && suppressions.matches("third") && !suppressions.matches("second"));
        QVERIFY(suppressions.remarks().empty());
        QVERIFY(suppressionsOf("# nothing\n").isEmpty());
    }

    void otherLinesAreTold() {
        const auto suppressions = suppressionsOf("race:x\nleak:\nleak:ok\nCache\n");
        const std::vector<std::string> expected{
            "Line 1 of my.supp is not a suppression: \"race:x\". Write leak:PATTERN.",
            "Line 2 of my.supp is not a suppression: \"leak:\". Write leak:PATTERN.",
            "Line 4 of my.supp is not a suppression: \"Cache\". Write leak:PATTERN."};
        QCOMPARE(suppressions.remarks(), expected);
        QVERIFY(suppressions.matches("ok"));
    }

    void manyOtherLinesAreCounted() {
        std::string text;
        for (int i = 0; i < 1000; ++i)
            text += "x\n";
        const auto remarks = suppressionsOf(text).remarks();
        QCOMPARE(remarks.size(), std::size_t{6});
        QCOMPARE(remarks.back(), std::string("my.supp: 995 more such lines."));
    }

    void patternsBeyondTheLimitAreCounted() {
        std::string text;
        for (int i = 0; i < 49'999; ++i)
            text += "leak:f\n";
        auto suppressions = suppressionsOf(text + "leak:last\nleak:one more\n");
        QVERIFY(suppressions.matches("last") && !suppressions.matches("one more"));
        suppressions.add("leak:a\n\nleak:b\n", "other.supp");
        const std::vector<std::string> expected{
            "my.supp: the last 1 pattern is not used because the limit is 50,000. Combine patterns with *.",
            "other.supp: the last 2 patterns are not used because the limit is 50,000. Combine patterns with *."};
        QCOMPARE(suppressions.remarks(), expected);
    }

    void filesAddUp() {
        auto suppressions = suppressionsOf("leak:a1");
        suppressions.add("leak:b2", "other.supp");
        QVERIFY(suppressions.matches("a1") && suppressions.matches("b2"));
    }

    void workGrowsWithTheList() {
        const auto ratio = tests::workRatio(5'000, [](std::size_t count) {
            std::string text;
            for (std::size_t i = 0; i < count; ++i)
                text += i % 2 == 0 ? "leak:f" + std::to_string(i) + "*x\n" : "nothing\n";
            Suppressions suppressions;
            suppressions.add(text, "a.supp");
            for (int name = 0; name < 20; ++name)
                (void)suppressions.matches("std::vector<int>::push_back");
        });
        QVERIFY2(ratio < tests::kMostWorkRatio, qPrintable(QString::number(ratio)));
    }
};

HIGHWATER_TEST(SuppressionsTest);
#include "suppressions_test.moc"
