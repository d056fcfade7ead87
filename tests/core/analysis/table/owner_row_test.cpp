#include "core/analysis/table/grouped_table.h"
#include "tests/core/analysis/named_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

/// The row of the owner's frame on the way to a row of a grouped table.
class OwnerRowTest : public QObject {
    Q_OBJECT

    NamedTrace trace_;

    /// The text of the owner's row on the way to the innermost of the only rows; "" : there is none.
    std::string ownerIn(std::vector<Column> keys) {
        const auto table = trace_.table(heapQuery(std::move(keys)));
        auto node = GroupedTable::kRoot;
        while (table->hasChildren(node) || node == GroupedTable::kRoot)
            node = table->children(node).front();
        const auto owner = table->ownerOnWayTo(node);
        return owner ? table->keyText(*owner) : "";
    }

  private slots:
    void init() {
        trace_ = NamedTrace();
        trace_.block(10, "main;cart;libstdc++.so.6;libc.so.6");
        trace_.name("main", {{0, "main"}});
        trace_.name("cart", {{0, "add"}});
        trace_.name("libstdc++.so.6", {{0, "operator new(unsigned long)"}});
        trace_.name("libc.so.6", {{0, "malloc"}});
    }
    void isTheSameInBothDirections() {
        QCOMPARE(ownerIn({Column::Process, Column::Stack}), std::string("cart!add"));
        QCOMPARE(ownerIn({Column::Process, Column::StackBottomUp}), std::string("cart!add"));
    }
    void needsNoProcessColumn() { QCOMPARE(ownerIn({Column::Stack}), std::string("cart!add")); }
    void isThatOfTheStackAboveOtherColumns() {
        QCOMPARE(ownerIn({Column::Stack, Column::Handle}), std::string("cart!add"));
    }
    /// As in Leaks: a function with many callers that request different sizes allocates on their behalf.
    void isTheCallerOfAWrapper() {
        for (const std::string caller : {"a", "b", "c", "d", "e", "f"}) {
            const auto size = ByteCount{1000} * static_cast<ByteCount>(caller.front());
            trace_.block(size, "main;" + caller + ";pool;libc.so.6");
            trace_.name(caller, {{0, "request"}});
        }
        trace_.name("pool", {{0, "take"}});
        QCOMPARE(ownerIn({Column::Process, Column::Stack}), std::string("f!request"));
        QCOMPARE(ownerIn({Column::Process, Column::StackBottomUp}), std::string("f!request"));
    }
    void isMissingWithoutFrames() { QCOMPARE(ownerIn({Column::Process, Column::Handle}), std::string()); }
};

HIGHWATER_TEST(OwnerRowTest);
#include "owner_row_test.moc"
