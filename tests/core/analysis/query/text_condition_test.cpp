#include "core/analysis/query/text_condition.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;

namespace {
bool holds(TextOperator op, const std::string& asked, std::string_view text) {
    const auto condition = TextCondition::create(op, asked, 0);
    return condition.hasValue() && condition.value().matches(text);
}
} // namespace

class TextConditionTest : public QObject {
    Q_OBJECT
  private slots:
    void comparesWithoutCase() {
        QVERIFY(holds(TextOperator::Equals, "AIFO", "aifo"));
        QVERIFY(!holds(TextOperator::Equals, "AIF", "AIFO"));
        QVERIFY(holds(TextOperator::Contains, "inner", "app.exe!OuterInnerMost"));
        QVERIFY(!holds(TextOperator::Contains, "innermost!", "app.exe!InnerMost"));
        QVERIFY(holds(TextOperator::Contains, "", ""));
        QVERIFY(holds(TextOperator::StartsWith, "NTDLL", "ntdll.dll!Rtl"));
        QVERIFY(!holds(TextOperator::StartsWith, "ntdll.dll!Rtl", "ntdll"));
        QVERIFY(holds(TextOperator::EndsWith, ".EXE", "app.exe"));
        QVERIFY(!holds(TextOperator::EndsWith, "my app.exe", "app.exe"));
    }
    void fitsWildcardsToTheWholeText() {
        QVERIFY(holds(TextOperator::Wildcard, "ntdll*!rtl*heap", "ntdll.dll!RtlAllocateHeap"));
        QVERIFY(!holds(TextOperator::Wildcard, "ntdll*!rtl*heap", "ntdll.dll!RtlAllocateHeapSlow"));
        QVERIFY(holds(TextOperator::Wildcard, "?x*", "axb"));
        QVERIFY(holds(TextOperator::Wildcard, "*", ""));
        QVERIFY(!holds(TextOperator::Wildcard, "?", ""));
        QVERIFY(holds(TextOperator::Wildcard, "*ab*ab", "abaabab"));
    }
    void fitsRegularExpressionsToTheWholeText() {
        // The documentation's own example.
        QVERIFY(holds(TextOperator::Regex, ".?explore.*", "iexplore"));
        QVERIFY(holds(TextOperator::Regex, ".?explore.*", "explorer"));
        QVERIFY(!holds(TextOperator::Regex, ".?explore.*", "myexplorer"));
        QVERIFY(holds(TextOperator::Regex, "A[F-O]+", "aifo"));
        QVERIFY(holds(TextOperator::Regex, "[0-9A-F]{8}-[0-9A-F]{4}", "0123abcd-ef01"));
    }
    void refusesBadAndExplodingPatterns() {
        for (const auto* bad : {"(", ")", "[a", "*a", "a{2", "[z-a]", "(a)\\1", "\\", "((((a{50}){50}){50}){50}",
                                "a{99999999999999999999}", "(a{100}b{100}){10}", "a{1,2000}"}) {
            QVERIFY2(!TextCondition::create(TextOperator::Regex, bad, 0).hasValue(), bad);
        }
        QVERIFY(!TextCondition::create(TextOperator::Regex, std::string(1000, 'a'), 0).hasValue());
        QVERIFY(!TextCondition::create(TextOperator::Regex, std::string(100'000, '('), 0).hasValue());
        const std::string nested = std::string(120, '(') + "a" + std::string(120, ')');
        QVERIFY(holds(TextOperator::Regex, nested, "a"));
    }
    void survivesPatternsThatBacktrack() {
        const std::string text(100'000, 'a');
        QVERIFY(!holds(TextOperator::Regex, "(a+)+b", text));
        QVERIFY(!holds(TextOperator::Regex, "(a|aa)*c", text));
        QVERIFY(!holds(TextOperator::Regex, "(a?){300}a{300}", text));
        QVERIFY(!holds(TextOperator::Regex, "(.*)*x", text));
        QVERIFY(holds(TextOperator::Regex, ".*", text));
        QVERIFY(!holds(TextOperator::Wildcard, "*a*a*a*a*a*a*b", text));
    }
};
HIGHWATER_TEST(TextConditionTest);
#include "text_condition_test.moc"
