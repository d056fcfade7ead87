#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recount.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

/// By the first row of that table in a random trace.
bool isRecounted(Table table, Column column) {
    for (unsigned seed = 0;; ++seed) {
        RandomTrace random(seed);
        const auto& last = random.publications().back();
        const auto horizon = last.trace->horizon;
        const Recount recount(last.model, table, {TraceTime{0}, horizon}, horizon, false, "D");
        if (const auto rows = recount.members(); !rows.empty()) return recount.knows(rows.front(), column);
    }
}

} // namespace

class RecountTest : public QObject {
    Q_OBJECT
  private slots:
    /// A new column is recounted, or is listed as not recounted.
    void hasAnAnswerForEveryColumn() {
        for (const auto table : {Table::VirtualAlloc, Table::Heap, Table::Frees}) {
            for (const auto column : columnsOf(table)) {
                const auto name = fmt::format("{} of {}", columnName(table, column), tableWord(table));
                QVERIFY2(isRecounted(table, column) != kNotRecounted.contains(column), name.c_str());
            }
        }
    }
};
HIGHWATER_TEST(RecountTest);
#include "recount_test.moc"
