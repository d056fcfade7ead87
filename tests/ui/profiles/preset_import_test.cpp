#include "ui/profiles/preset_import.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater::ui;
using highwater::analysis::Column;
using highwater::analysis::Table;

namespace {

Preset named(const QString& name, Column key) { return {name, {Table::Heap, {key}, {Column::Size}, 1, {}}}; }

} // namespace

class PresetImportTest : public QObject {
    Q_OBJECT
  private slots:
    void addsNewPresets() {
        Presets presets;
        const auto done = addPresets(presets, {named("A", Column::Process), named("B", Column::Handle)});
        QCOMPARE(done.added, (QStringList{"A", "B"}));
        QVERIFY(presets.isOwn(Table::Heap, "A") && presets.isOwn(Table::Heap, "B"));
    }
    void keepsExistingPresets() {
        Presets presets;
        QVERIFY(presets.save(named("A", Column::Process)));
        const auto done = addPresets(presets, {named("A", Column::Process)});
        QVERIFY(done.added.isEmpty());
        QCOMPARE(done.alreadyThere, QStringList("A"));
        QCOMPARE(done.presets.at(0).name, QString("A"));
    }
    void neverReplacesOneThatLooksDifferent() {
        Presets presets;
        QVERIFY(presets.save(named("A", Column::Process)));
        const auto done = addPresets(presets, {named("A", Column::Handle)});
        QCOMPARE(done.renamed, QStringList("A as A (2)"));
        QVERIFY(presets.find(Table::Heap, "A")->looksLike(named("A", Column::Process)));
        QVERIFY(presets.find(Table::Heap, "A (2)")->looksLike(named("A", Column::Handle)));
        // And again: it is found under its other name.
        QCOMPARE(addPresets(presets, {named("A", Column::Handle)}).alreadyThere, QStringList("A (2)"));
    }
    void leavesStandardPresetsAsTheyAre() {
        Presets presets;
        const auto standard = standardPresets(Table::Heap).front().name;
        const auto done = addPresets(presets, {named(standard, Column::Handle)});
        QCOMPARE(done.presets.at(0).name, standard + " (2)");
        QVERIFY(!presets.isOwn(Table::Heap, standard));
    }
};

HIGHWATER_TEST(PresetImportTest);
#include "preset_import_test.moc"
