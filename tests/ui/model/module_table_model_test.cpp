#include "ui/model/module_table_model.h"

#include "tests/support/test_registry.h"
#include "ui/format/symbol_format.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using State = symbols::ModuleLoad::State;

namespace {

std::shared_ptr<const store::ProcessTable> tableOf(std::initializer_list<const char*> modules) {
    auto table = std::make_shared<store::ProcessTable>();
    Address base = 0x10000;
    for (const auto* name : modules) {
        ImageEvent image;
        image.pid = 10;
        image.base = base += 0x10000;
        image.size = 0x1000;
        image.path = std::string("C:\\app\\") + name;
        table->apply(image);
    }
    return table;
}

symbols::ModuleLoad loadOf(std::uint32_t module, State state, ByteCount bytes) {
    symbols::ModuleLoad load;
    load.module = store::ModuleIndex{module};
    load.state = state;
    load.frames = 1234;
    load.bytes = bytes;
    return load;
}

} // namespace

class ModuleTableModelTest : public QObject {
    Q_OBJECT

    static QString text(const ModuleTableModel& model, int row, int column) {
        return model.index(row, column).data().toString();
    }

  private slots:
    void theSummarySaysWhereOnlyPublicNamesAreKnown() {
        const auto table = tableOf({"a.exe", "b.dll", "c.dll"});
        symbols::SymbolLoadStatus status;
        status.modules = {loadOf(0, State::Found, 3), loadOf(1, State::Found, 3), loadOf(2, State::NotFound, 3)};
        QCOMPARE(symbolSummary(status, *table), "symbols 0/3, 2 with public names only");
        status.modules[0].hasPrivateSymbols = true;
        QCOMPARE(symbolSummary(status, *table), "symbols 1/3, 1 with public names only");
        QVERIFY(symbolSentences(status).startsWith(
            "Debug information found for 1 of 3 modules.\n1 with public names only"));
        status.modules[1].hasPrivateSymbols = true;
        QCOMPARE(symbolSummary(status, *table), "symbols 2/3");
        QVERIFY(!symbolSentences(status).contains("public"));
    }
    void showsTheStateOfAModule() {
        ModuleTableModel model;
        const QAbstractItemModelTester tester(&model);
        symbols::SymbolLoadStatus status;
        status.modules = {loadOf(0, State::Loading, 2048), loadOf(1, State::Found, 3),
                          loadOf(2, State::Found, 3),      loadOf(3, State::NotFound, 3),
                          loadOf(4, State::Mismatched, 3), loadOf(5, State::Cancelled, 3),
                          loadOf(6, State::Waiting, 3)};
        status.modules[0].bytesDone = 3355443;
        status.modules[0].bytesTotal = 8493466;
        status.modules[1].path = "/debug/a.pdb";
        status.modules[1].hasPrivateSymbols = true;
        status.modules[2].isFromCache = true;
        model.setStatus(status, tableOf({"a.exe", "b.dll", "c.dll", "d.dll", "e.dll", "f.dll", "g.dll"}));
        QCOMPARE(model.rowCount(), 7);
        QCOMPARE(text(model, 0, ModuleTableModel::kModule), "a.exe");
        QCOMPARE(text(model, 0, ModuleTableModel::kPath), "C:\\app\\a.exe");
        QCOMPARE(text(model, 0, ModuleTableModel::kFrames), "1,234");
        QCOMPARE(text(model, 0, ModuleTableModel::kBytes), "2.0 KB");
        const QStringList states{"downloading 3.2 MB of 8.1 MB",
                                 "debug information in /debug/a.pdb",
                                 "public names only from the cache",
                                 "not found",
                                 "found only for another build",
                                 "cancelled",
                                 "waiting"};
        for (int row = 0; row < states.size(); ++row)
            QCOMPARE(text(model, row, ModuleTableModel::kState), states[row]);
        QVERIFY(!model.index(7, 0).isValid());
    }

    void theIdentityOfALinuxFileIsItsBuildId() {
        const std::vector<std::uint8_t> id{0x0A, 0x1B, 0x2C, 0x3D, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0xEF};
        ModuleIdentity identity{buildIdAsGuid(id), 1, buildIdAsPdb(id)};
        QCOMPARE(moduleIdentity(identity), "build-id 0a1b2c3d0405060708090a0b0c0d0e0f10ef");
        identity.pdbName = "a.pdb";
        QVERIFY2(moduleIdentity(identity).startsWith("GUID "), qPrintable(moduleIdentity(identity)));
        QCOMPARE(moduleIdentity({}), "");
    }

    void aStatusUpdatesOnlyChangedRows() {
        ModuleTableModel model;
        const QAbstractItemModelTester tester(&model);
        const auto processes = tableOf({"a.exe", "b.dll", "c.dll"});
        symbols::SymbolLoadStatus status;
        status.modules = {loadOf(2, State::Waiting, 30), loadOf(0, State::Waiting, 20)};
        model.setStatus(status, processes);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        const QPersistentModelIndex second = model.index(1, 0);
        model.setStatus(status, processes);
        QCOMPARE(changes.count(), 0);
        // Reversed, one changed, one added.
        status.modules = {loadOf(0, State::Found, 20), loadOf(1, State::Waiting, 25), loadOf(2, State::Waiting, 30)};
        model.setStatus(status, processes);
        QCOMPARE(changes.count(), 1);
        QCOMPARE(changes.first().first().toModelIndex().row(), 1);
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(text(model, 2, ModuleTableModel::kModule), "b.dll");
        // One is removed: its row only.
        status.modules.erase(status.modules.begin() + 2);
        model.setStatus(status, processes);
        QCOMPARE(model.rowCount(), 2);
        QVERIFY(second.isValid());
        QCOMPARE(second.data().toString(), "a.exe");
        QCOMPARE(resets.count(), 0);
    }

    void sortsNumbersAsNumbers() {
        ModuleTableModel model;
        symbols::SymbolLoadStatus status;
        status.modules = {loadOf(0, State::Found, 9), loadOf(1, State::Found, 1 << 20), loadOf(2, State::Found, 2048)};
        model.setStatus(status, tableOf({"a.exe", "b.dll", "c.dll"}));
        QSortFilterProxyModel sorted;
        sorted.setSourceModel(&model);
        sorted.setSortRole(ModuleTableModel::kSortRole);
        sorted.sort(ModuleTableModel::kBytes, Qt::DescendingOrder);
        QStringList names;
        for (int row = 0; row < 3; ++row)
            names << sorted.index(row, ModuleTableModel::kModule).data().toString();
        QCOMPARE(names, (QStringList{"b.dll", "c.dll", "a.exe"}));
    }
};
HIGHWATER_TEST(ModuleTableModelTest);
#include "module_table_model_test.moc"
