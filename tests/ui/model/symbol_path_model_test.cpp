#include "ui/model/symbol_path_model.h"

#include "tests/support/test_registry.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using symbols::SymbolPath;

class SymbolPathModelTest : public QObject {
    Q_OBJECT

    static symbols::Environment environment(const QString& home) {
        return [home](const std::string& name) -> std::optional<std::string> {
            if (name == "SYMBOLS") return home.toStdString();
            return std::nullopt;
        };
    }
    static QStringList places(const SymbolPathModel& model) {
        QStringList texts;
        for (int row = 0; row < model.rowCount(); ++row)
            texts << model.index(row, SymbolPathModel::kPlace).data().toString();
        return texts;
    }
    static QString note(const SymbolPathModel& model, int row) {
        return model.index(row, SymbolPathModel::kNote).data().toString();
    }
    static bool tick(SymbolPathModel& model, int row, Qt::CheckState state) {
        return model.setData(model.index(row, SymbolPathModel::kPlace), state, Qt::CheckStateRole);
    }

  private slots:
    void listsAPathAndGivesItBack() {
        SymbolPathModel model(environment("/nowhere"));
        const QAbstractItemModelTester tester(&model);
        const std::string text = "/a;!cache*/b;srv*/c*https://server;/d/.build-id;debuginfod:https://e";
        model.setPath(SymbolPath::parse(text));
        QCOMPARE(model.text().toStdString(), text);
        QCOMPARE(places(model),
                 (QStringList{"/a", "cache*/b", "srv*/c*https://server", "/d/.build-id", "debuginfod:https://e"}));
        QCOMPARE(model.index(1, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        QVERIFY(tick(model, 1, Qt::Checked));
        QVERIFY(tick(model, 0, Qt::Unchecked));
        QVERIFY(model.text().startsWith("!/a;cache*/b;"));
    }

    void movesEditsAndRemovesEntries() {
        SymbolPathModel model(environment("/nowhere"));
        const QAbstractItemModelTester tester(&model);
        model.setPath(SymbolPath::parse("/a;/b;/c"));
        QVERIFY(!model.move(0, -1));
        QVERIFY(model.move(0, 1));
        QVERIFY(model.move(2, -2));
        QCOMPARE(model.text(), "/c;/b;/a");
        QVERIFY(model.setData(model.index(1, 0), "srv**https://server"));
        QCOMPARE(model.index(1, SymbolPathModel::kKind).data().toString(), "Server");
        QVERIFY(!model.setData(model.index(1, 0), "  "));
        model.remove(0);
        QCOMPARE(model.text(), "srv**https://server;/a");
        QCOMPARE(model.insert(0, symbols::parseSymbolPathEntry("/new")), 1);
        QCOMPARE(model.paste("/x;!/y\n/z\r\n"), 3);
        QCOMPARE(model.text(), "srv**https://server;/new;/a;/x;!/y;/z");
        QCOMPARE(model.paste(" ; "), 0);
    }

    void marksMissingFoldersAndExpandsVariables() {
        const QTemporaryDir folder;
        SymbolPathModel model(environment(folder.path()));
        QSignalSpy checked(&model, &SymbolPathModel::placesChecked);
        model.setPath(SymbolPath::parse("%SYMBOLS%;%SYMBOLS%/no;cache*%SYMBOLS%/no;srv*https://server;%OTHER%/x"));
        QVERIFY(checked.wait());
        QCOMPARE(note(model, 0), "");
        QCOMPARE(note(model, 1), "does not exist");
        QCOMPARE(note(model, 2), "created when needed");
        QCOMPARE(note(model, 3), "");
        QCOMPARE(note(model, 4), "does not exist");
        QCOMPARE(model.index(1, 0).data().toString(), "%SYMBOLS%/no");
        QVERIFY(model.index(1, 0).data(Qt::ToolTipRole).toString().startsWith(folder.filePath("no")));
    }

    void listsSymbolsBesideTheTrace() {
        const QTemporaryDir folder;
        SymbolPathModel model(environment("/nowhere"));
        QSignalSpy changed(&model, &SymbolPathModel::traceFoldersChanged);
        QSignalSpy checked(&model, &SymbolPathModel::placesChecked);
        model.setTraces({});
        QVERIFY(checked.wait());
        QVERIFY(model.traceFoldersNote().isEmpty());
        model.setTraces({folder.filePath("trace.etl")});
        QVERIFY(model.traceFoldersNote().isEmpty()); // not searched yet
        QVERIFY(checked.wait());
        QVERIFY(model.traceFoldersNote().contains("No folder of .NET symbols"));
        QVERIFY(QDir().mkpath(folder.filePath("trace.etl.NGENPDB")));
        QFile file(folder.filePath("trace.etl.NGENPDB/x.pdb"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(2 << 20, 'x')) > 0);
        file.close();
        model.setTraces({folder.filePath("trace.etl")});
        QVERIFY(checked.wait());
        QCOMPARE(model.traceFoldersNote(), "Total size: 2.0 MB.");
        model.setTraces({"/nowhere/packed.etl.zip"});
        QTRY_VERIFY(model.traceFoldersNote().startsWith("The folder “symbols” in the trace archive"));
        changed.clear();
        model.setUsesTraceFolders(false);
        model.setUsesTraceFolders(false);
        QCOMPARE(changed.count(), 1);
    }

    void listsTheFolderBesideTheTraceLast() {
        const QTemporaryDir folder;
        const auto trace = folder.filePath("trace.etl");
        QVERIFY(QDir().mkpath(trace + ".NGENPDB/a/b"));
        QFile file(trace + ".NGENPDB/a/b/big.pdb");
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(3 << 20, 'x')) > 0);
        file.close();
        SymbolPathModel model(environment("/nowhere"));
        const QAbstractItemModelTester tester(&model);
        model.setPath(SymbolPath::parse("/a;/b"));
        QSignalSpy checked(&model, &SymbolPathModel::placesChecked);
        model.setTraces({trace, folder.filePath("other.etl")});
        QVERIFY(checked.wait());
        QCOMPARE(places(model), (QStringList{"/a", "/b", "NGENPDB for trace.etl"}));
        QCOMPARE(note(model, 2), "3.0 MB");
        QVERIFY(!model.isEntry(2));
        QVERIFY(!model.move(1, 1)); // it stays last
        model.remove(2);
        QCOMPARE(model.rowCount(), 3);
        QVERIFY(model.usesTraceFolders());
        QVERIFY(tick(model, 2, Qt::Unchecked));
        QVERIFY(!model.usesTraceFolders());
        QCOMPARE(model.text(), "/a;/b");
    }
};
HIGHWATER_TEST(SymbolPathModelTest);
#include "symbol_path_model_test.moc"
