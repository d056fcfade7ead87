#include "core/analysis/difference/difference.h"
#include "tests/core/analysis/blocks_trace.h"
#include "tests/core/analysis/difference/named_labels.h"
#include "tests/support/test_registry.h"

#include <fmt/format.h>

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

using NamesOfModules = std::map<std::string, std::vector<std::string>>;

const NamesOfModules kUsualNames{{"main", {"main"}}, {"a", {"alpha"}}, {"b", {"beta"}}, {"c", {"gamma"}}};

/// Blocks of one program, whose name is `program`.
std::shared_ptr<const store::PublishedTrace> programTrace(const std::string& program,
                                                          const std::vector<std::string>& stacks) {
    ColumnsBuilder builder;
    builder.process(program, 7, TraceTime{0});
    std::int64_t time = 1;
    for (const auto& stack : stacks) {
        ModelRow row;
        row.process = 0;
        row.heap = 0x10000;
        row.size = 10;
        row.stack = stack;
        row.begin = TraceTime{time};
        row.address = 0x1000u * static_cast<Address>(time++);
        builder.alloc(row);
    }
    return builder.publish(TraceTime{1000});
}

ComparedTrace programSide(const std::shared_ptr<const store::PublishedTrace>& trace,
                          const NamesOfModules& names = kUsualNames) {
    return {trace, namedLabels(*trace, names), {TraceTime{0}, TraceTime{1000}}, {}};
}

/// "before = after" for each, in their order.
std::string suggestedLines(ComparedTrace before, ComparedTrace after, const char* renames = "") {
    DifferenceQuery query;
    query.before = {std::move(before)};
    query.after = {std::move(after)};
    query.renames = std::make_shared<const Renames>(Renames::parse(renames).value());
    std::string text;
    const auto difference = Difference::compute(query).value();
    const auto lines = difference->suggestedRenames().value();
    for (const auto& one : lines)
        text += fmt::format("{} = {}\n", one.before, one.after);
    return text;
}

} // namespace

class DifferenceRenamesTest : public QObject {
    Q_OBJECT
  private slots:
    void aProgramOfAnotherVersion() {
        const auto before = programSide(programTrace("app-1.0.exe", {"main;a"}));
        const auto after = programSide(programTrace("app-2.0.exe", {"main;a"}));
        QCOMPARE(suggestedLines(before, after), std::string("app-1.0.exe = app-2.0.exe\n"));
        QCOMPARE(suggestedLines(before, after, "app-1.0.exe = app-2.0.exe"), std::string());
    }
    void theOnlyProgramOfEachSide() {
        const auto before = programSide(programTrace("old.exe", {"main;a"}));
        const auto after = programSide(programTrace("brandnew.exe", {"main;a"}));
        QCOMPARE(suggestedLines(before, after), std::string("old.exe = brandnew.exe\n"));
    }
    void aFunctionBetweenTheSameOnes() {
        const auto trace = programTrace("x.exe", {"main;a;b", "main;c"});
        const auto before = programSide(trace);
        auto names = kUsualNames;
        names["a"] = {"alphaOfAll"};
        const auto after = programSide(programTrace("x.exe", {"main;a;b", "main;c"}), names);
        QCOMPARE(suggestedLines(before, after), std::string("a!alpha = a!alphaOfAll\n"));
        QCOMPARE(suggestedLines(before, after, "a!alpha = a!alphaOfAll"), std::string());
    }
    void aModuleIsKnownByItsFunctions() {
        const NamesOfModules before{{"main", {"main"}}, {"b", {"beta", "delta"}}};
        const NamesOfModules after{{"main", {"main"}}, {"c", {"beta", "delta"}}};
        QCOMPARE(suggestedLines(programSide(programTrace("x.exe", {"main;b"}), before),
                                programSide(programTrace("x.exe", {"main;c"}), after)),
                 std::string("b = c\n"));
    }
    void aFunctionOfARenamedProgramHasItsFormerModule() {
        const auto before = programSide(programTrace("x.exe", {"main;a;b"}));
        auto names = kUsualNames;
        names.erase("a");
        names["c"] = {"alphaNow"};
        const auto after = programSide(programTrace("x.exe", {"main;c;b"}), names);
        QCOMPARE(suggestedLines(before, after, "a = c"), std::string("a!alpha = c!alphaNow\n"));
    }
    void nothingWhereTooLittleIsTheSame() {
        const auto before = programSide(programTrace("x.exe", {"main;a;b"}));
        const auto after = programSide(programTrace("x.exe", {"main;a;b"}),
                                       {{"main", {"main"}}, {"a", {"one", "two"}}, {"b", {"beta"}}});
        QCOMPARE(suggestedLines(before, after), std::string());
    }
    void nothingWhereTwoAreAsLikely() {
        const NamesOfModules names{{"main", {"main"}}, {"lib1", {"f"}}, {"lib2", {"g"}}, {"lib3", {"h"}}};
        const auto before = programSide(programTrace("x.exe", {"main;lib1"}), names);
        QCOMPARE(suggestedLines(before, programSide(programTrace("x.exe", {"main;lib2"}), names)),
                 std::string("lib1 = lib2\n"));
        QCOMPARE(suggestedLines(before, programSide(programTrace("x.exe", {"main;lib2", "main;lib3"}), names)),
                 std::string());
    }
    void nothingWhereEverythingIsOnBothSides() {
        const auto trace = programTrace("x.exe", {"main;a;b", "main;c"});
        QCOMPARE(suggestedLines(programSide(trace), programSide(programTrace("x.exe", {"main;a;b", "main;c"}))),
                 std::string());
        // Frames without a name are never suggested as renamed.
        QCOMPARE(suggestedLines(programSide(programTrace("x.exe", {"main;d"})),
                                programSide(programTrace("x.exe", {"main;e"}))),
                 std::string());
    }
    void namesAreAlikeByTheirLetters() {
        QCOMPARE(likeness("load", "load"), 1.0);
        QCOMPARE(likeness("load", "loadAll"), 4.0 / 7);
        QCOMPARE(likeness("", "x"), 0.0);
        QCOMPARE(lettersOf("App-1.02_x64.exe"), std::string("appxexe"));
        const std::string longName(10'000, 'x');
        QCOMPARE(likeness(longName, longName), 1.0);
    }
};

HIGHWATER_TEST(DifferenceRenamesTest);
#include "difference_renames_test.moc"
