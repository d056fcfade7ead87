#include "core/analysis/rows/key_reader.h"

#include "core/store/trace_store.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;

/// The values of each column are recounted by random_tables_test; this tests cases that tables do not reach.
class KeyReaderTest : public QObject {
    Q_OBJECT
  private slots:
    /// A graph shows the names of groups that another page colours in it, by any columns, so every key needs a text.
    void everyColumnReadsAsSomething() {
        TraceHealth health;
        store::TraceStore store(health);
        store.onTimeReached(TraceTime{1});
        const auto trace = store.publish();
        FrameLabels labels;
        for (const auto table : kTables) {
            const KeyReader reader(*trace, labels, trace->wholeRange(), table);
            for (std::uint8_t number = 0; number < kColumnCount; ++number) {
                const auto column = static_cast<Column>(number);
                if (isStack(column)) continue; // their keys are labels
                (void)reader.text(column, 0);
                (void)reader.value(column, 0);
            }
            QCOMPARE(reader.text(Column::Allocation, 7), std::string("A single allocation"));
        }
    }
};

HIGHWATER_TEST(KeyReaderTest);
#include "key_reader_test.moc"
