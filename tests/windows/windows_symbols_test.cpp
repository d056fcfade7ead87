#include "core/symbols/store/symbol_file_opener.h"
#include "tests/built_programs/built_programs.h"
#include "tests/core/symbols/symbol_server.h"
#include "tests/support/test_registry.h"
#include "tests/symbol_names/symbol_names.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

/// Compares names from a Windows program (DbgHelp, no LLVM), run under Wine, with those of this system (LLVM).
/// same_symbols.py prepares Wine and starts this with HIGHWATER_SYMBOL_NAMES, the path of the program.
class WindowsSymbolsTest : public QObject {
    Q_OBJECT
  private slots:
    void gives_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<Rva>("end");
        QTest::addColumn<Rva>("step");
        const auto& built = BuiltPrograms::instance();
        if (built.problem().isEmpty()) {
            for (const auto* name : {"exercise2.pdb", "MemoryTestApp.pdb", "Inlined.pdb"})
                QTest::newRow(name) << built.path(name) << Rva{0x3000} << Rva{1};
        }
        if (sharedTracesFolder().empty()) return;
        const auto folder = QString::fromStdString(sharedTracesFolder()) + "/symbols/";
        QTest::newRow("softokn3.pdb: clang, x64") << folder + "softokn3.pdb" << Rva{0x34000} << Rva{7};
        QTest::newRow("softokn3.dll: its exports") << folder + "softokn3.dll" << Rva{0x34000} << Rva{7};
        QTest::newRow("crash.pdb: MSVC, x86") << folder + "crash.pdb" << Rva{0x3900} << Rva{3};
        QTest::newRow("WriteArgument.pdb: MSVC, x64") << folder + "WriteArgument.pdb" << Rva{0x1D00} << Rva{1};
    }
    void gives() {
        if (!qEnvironmentVariableIsSet("HIGHWATER_SYMBOL_NAMES")) QSKIP("The program for Windows was not built.");
        QFETCH(QString, file);
        QFETCH(Rva, end);
        QFETCH(Rva, step);
        const auto opened = openSymbolFile(file.toStdString());
        QVERIFY2(opened.hasValue(), opened.hasValue() ? "" : opened.error().message.c_str());
        const auto here = QByteArray::fromStdString(symbolNames(*opened.value(), end, step)).split('\n');

        const QTemporaryDir folder;
        const auto there =
            underWine({"names", file, QString::number(end), QString::number(step)}, folder.filePath("out")).split('\n');
        QVERIFY(here.size() > 10);
        for (qsizetype i = 0; i < std::min(here.size(), there.size()); ++i)
            QCOMPARE(there[i], here[i]);
        QCOMPARE(there.size(), here.size());
    }

    void fetches_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("expected");
        QTest::newRow("at once") << "ok/a"
                                 << "0";
        QTest::newRow("redirected") << "redirect/a"
                                    << "0";
        QTest::newRow("slowly") << "slow/a"
                                << "0";
        QTest::newRow("cut off once") << "cut-once/a"
                                      << "0";
        QTest::newRow("cut off, the server sends all again") << "no-range/a"
                                                             << "0";
        QTest::newRow("cut off, the file changes meanwhile") << "changing/a"
                                                             << "0";
        QTest::newRow("packed") << "gzip/a"
                                << "0";
        QTest::newRow("busy once") << "busy-once/a"
                                   << "0";
        QTest::newRow("404") << "ok/b"
                             << "1";
        QTest::newRow("500") << "error/a"
                             << "1";
        QTest::newRow("redirects without end") << "loop/a"
                                               << "1";
        QTest::newRow("another file") << "wrong/a"
                                      << "7";
        QTest::newRow("too many requests") << "limited/a"
                                           << "2";
        QTest::newRow("cut off every time") << "cut/a"
                                            << "4";
        QTest::newRow("stalls") << "stall/a"
                                << "4";
    }
    void fetches() {
        if (!qEnvironmentVariableIsSet("HIGHWATER_SYMBOL_NAMES")) QSKIP("The program for Windows was not built.");
        QFETCH(QString, path);
        QFETCH(QString, expected);
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("server"));
        write(folder.filePath("server/a"), QByteArray(300'000, 'a'));
        write(folder.filePath("server/wrong"), "w");
        QString answers[2];
        QStringList requests[2];
        QByteArray contents[2];
        for (int i = 0; i < 2; ++i) {
            SymbolServer server(folder.filePath("server"));
            if (!server.isRunning()) QSKIP("python3 is not installed (installer/packages-test.txt)");
            const auto url = QString::fromStdString(server.url(path));
            const auto target = folder.filePath(QString("target%1").arg(i));
            answers[i] = QString::fromUtf8(
                i == 0 ? QByteArray::fromStdString(fetchedText(url.toStdString(), target.toStdString(), 300'000))
                       : underWine({"fetch", url, target, "300000"}, folder.filePath("out")));
            requests[i] = server.requests();
            contents[i] = read(target);
        }
        QVERIFY2(answers[0].startsWith(expected), qPrintable(answers[0]));
        QCOMPARE(answers[1], answers[0]);
        QCOMPARE(contents[1], contents[0]);
        QCOMPARE(requests[1], requests[0]);
    }

  private:
    static void write(const QString& path, const QByteArray& bytes) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
    static QByteArray read(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// The output that the Windows program writes to `out`, its last argument.
    static QByteArray underWine(const QStringList& arguments, const QString& out) {
        runTool("wine", QStringList{qEnvironmentVariable("HIGHWATER_SYMBOL_NAMES")} + arguments + QStringList{out});
        return read(out);
    }
};
HIGHWATER_TEST(WindowsSymbolsTest);
#include "windows_symbols_test.moc"
