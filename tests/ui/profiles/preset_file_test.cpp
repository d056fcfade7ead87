#include "ui/profiles/preset_file.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater::ui;
using highwater::analysis::Aggregation;
using highwater::analysis::Column;
using highwater::analysis::Table;
using highwater::analysis::ValueColumn;

namespace {

std::vector<Preset> presetsOfTwoTables() {
    LayoutColumn size(ValueColumn{Column::Size, Aggregation::Max});
    size.format = {ColumnUnit::Megabytes, 3};
    return {{"Ours",
             {Table::Heap, {Column::Handle, Column::Stack}, {Column::Count, size}, 1, {{Column::Count, true}}},
             ChartType::Bars,
             2},
            {"Theirs", {Table::Frees, {Column::Process}, {Column::Freed}, 0, {}}, ChartType::Line, 1}};
}

} // namespace

class PresetFileTest : public QObject {
    Q_OBJECT
  private slots:
    void reportsTheNumberOfExcessPresets() {
        auto preset = presetsOfTwoTables()[0];
        std::vector<Preset> presets;
        for (int i = 0; i < 2003; ++i) {
            preset.name = QString::number(i);
            presets.push_back(preset);
        }
        const auto read = readPresetFile(presetFileOf(presets));
        QCOMPARE(read.presets.size(), 2000u);
        QCOMPARE(read.leftOut, QStringList{"3 presets after the first 2000"});
    }
    void returnsTheWrittenPresets() {
        const auto presets = presetsOfTwoTables();
        const auto read = readPresetFile(presetFileOf(presets));
        QVERIFY2(read.refusal.isEmpty(), qPrintable(read.refusal));
        QVERIFY(read.leftOut.isEmpty());
        QCOMPARE(read.presets.size(), presets.size());
        for (std::size_t i = 0; i < presets.size(); ++i) {
            QCOMPARE(read.presets[i].name, presets[i].name);
            QVERIFY(read.presets[i].looksLike(presets[i]));
        }
    }
    void refusesOtherFilesAndNewerOnesInASentence_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("word");
        QTest::newRow("nothing") << QByteArray() << "damaged";
        QTest::newRow("text") << QByteArray("hello") << "damaged";
        QTest::newRow("other JSON") << QByteArray("{\"format\":\"x\"}") << "damaged";
        QTest::newRow("half") << presetFileOf(presetsOfTwoTables()).left(100) << "damaged";
        QTest::newRow("newer") << presetFileOf({}).replace("\"version\": 1", "\"version\": 7") << "newer version";
    }
    void refusesOtherFilesAndNewerOnesInASentence() {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QString, word);
        const auto read = readPresetFile(bytes);
        QVERIFY2(read.refusal.contains(word), qPrintable(read.refusal));
        QVERIFY(read.presets.empty());
    }
    void groupsByProcessWhereNothingElseIsKnown() {
        auto bytes = presetFileOf(presetsOfTwoTables());
        bytes.replace("\"Handle\"", "\"Grip\"").replace("\"Stack\"", "\"Pile\"");
        const auto read = readPresetFile(bytes);
        QCOMPARE(read.presets.at(0).layout.keyColumns(), std::vector<Column>{Column::Process});
        QCOMPARE(read.leftOut.size(), 3);
    }
    void reportsUnknownContent() {
        auto bytes = presetFileOf(presetsOfTwoTables());
        bytes.replace("\"Handle\"", "\"Grip\"").replace("\"frees\"", "\"leaks\"");
        const auto read = readPresetFile(bytes);
        QCOMPARE(read.presets.size(), 1u);
        QCOMPARE(read.leftOut, (QStringList{"Ours: column Grip", "preset Theirs of the table leaks"}));
    }
};

HIGHWATER_TEST(PresetFileTest);
#include "preset_file_test.moc"
