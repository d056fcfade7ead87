#include "core/analysis/rows/key_reader.h"

#include "core/store/trace_store.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;

/// What each column's values are is recounted by random_tables_test: here is what no table asks for.
class KeyReaderTest : public QObject {
    Q_OBJECT
  private slots:
    /// A graph names what another page paints in it, of whatever columns: each key reads as something.
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
