#include "core/analysis/table/standard_presets.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <set>
#include <string>

using namespace highwater;
using namespace highwater::analysis;

namespace {

bool isOffered(Table table, ValueColumn value) {
    const auto offered = aggregationsOf(table, value.column);
    const bool hasAggregation = value.aggregation == Aggregation::Own ||
                                std::find(offered.begin(), offered.end(), value.aggregation) != offered.end();
    return hasColumn(table, value.column) && hasAggregation;
}

} // namespace

/// The presets that every user gets.
class StandardPresetsTest : public QObject {
    Q_OBJECT
  private slots:
    void everyTableHasSomeAndKnowsThemByName() {
        for (const auto table : kTables) {
            const auto presets = standardPresetsOf(table);
            QVERIFY(!presets.empty());
            std::set<std::string_view> names;
            for (const auto& preset : presets) {
                QVERIFY(preset.table == table);
                QVERIFY2(names.insert(preset.name).second, preset.name.data());
                QVERIFY2(findPreset(table, preset.name) == &preset, preset.name.data());
            }
        }
        QVERIFY(findPreset(Table::Managed, "ALLOCATED BY process and type") != nullptr);
        QVERIFY(findPreset(Table::Heap, "Allocated by Process and Type") == nullptr);
    }
    void theirColumnsAreThoseOfTheirTable() {
        for (const auto table : kTables) {
            for (const auto& preset : standardPresetsOf(table)) {
                for (const auto key : preset.keys)
                    QVERIFY2(hasColumn(table, key) && !isAggregate(key), preset.name.data());
                for (const auto& value : preset.columns)
                    QVERIFY2(isOffered(table, value), preset.name.data());
                for (const auto& key : preset.sort)
                    QVERIFY2(isOffered(table, key.value()), preset.name.data());
                QVERIFY2(preset.graphed <= preset.columns.size(), preset.name.data());
                QVERIFY2(preset.levels >= 1 && preset.levels <= preset.keys.size(), preset.name.data());
            }
        }
    }
};
HIGHWATER_TEST(StandardPresetsTest);
#include "standard_presets_test.moc"
