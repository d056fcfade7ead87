#include "core/check/suppressed_keys.h"
#include "core/summary/summarize.h"
#include "tests/core/analysis/columns_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <memory>
#include <set>
#include <string>

using namespace highwater;
using namespace highwater::check;
using namespace highwater::tests;

namespace {

class SuppressedKeysTest : public QObject {
    Q_OBJECT

    /// Innermost modules of the suppressed stacks, out of two stacks and rows without one.
    static std::set<std::string> suppressedBy(const std::string& lines) {
        ColumnsBuilder builder;
        builder.process("app", 7, TraceTime{0});
        std::int64_t ms = 1;
        for (const auto* stack : {"app;libfoo-1.2.so.3", "app;libbar.so.1", ""}) {
            ModelRow row;
            row.heap = 0x10000;
            row.begin = TraceTime{ms * 1'000'000};
            row.size = 100;
            row.stack = stack;
            row.address = 0x1000 * static_cast<Address>(ms++);
            builder.alloc(row);
        }
        const auto trace = builder.publish(TraceTime{1'000'000'000});
        analysis::FrameLabels labels;
        const TraceProperties properties;
        const RecordedSystem system;
        const auto summary = summary::summarize({*trace, labels, properties, system, {}}, {}).value();
        analysis::Suppressions suppressions;
        suppressions.add(lines, "file");
        const auto keys = suppressedKeysOf(*trace, labels, summary, suppressions);
        std::set<std::string> found;
        for (const auto& stack : summary.stacks)
            if (keys.contains(stack.key))
                found.insert(stack.frames.empty() ? "(no stack)" : summary.frames[stack.frames.front()].module);
        return found;
    }

  private slots:
    void namesAreThoseOfTheTrace() {
        QCOMPARE(suppressedBy("leak:^libfoo-1.2.so.3$"), std::set<std::string>{"libfoo.so"});
        QCOMPARE(suppressedBy("leak:libbar.so.1"), std::set<std::string>{"libbar.so"});
    }
    void namesAreThoseOfReports() { QCOMPARE(suppressedBy("leak:^libfoo.so$"), std::set<std::string>{"libfoo.so"}); }
    void aModuleOfAnyFrameCounts() {
        QCOMPARE(suppressedBy("leak:^app$"), (std::set<std::string>{"libfoo.so", "libbar.so"}));
    }
    void rowsWithoutStacksAreNever() {
        QCOMPARE(suppressedBy("leak:*").count("(no stack)"), std::size_t{0});
        QVERIFY(suppressedBy("").empty());
    }
    /// The placeholder of an unnamed function is not a name.
    void offsetsAreNoNames() { QVERIFY(suppressedBy("leak:+0x").empty()); }
};

HIGHWATER_TEST(SuppressedKeysTest);

} // namespace

#include "suppressed_keys_test.moc"
