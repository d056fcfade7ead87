#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QImage>
#include <QMap>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;

namespace {

struct Ending {
    int code = -1;
    QByteArray answers;
    QByteArray messages;
};

using Variables = QMap<QString, QString>;

/// Runs the program where there is no display, with these environment variables.
Ending runWithoutDisplay(const QStringList& arguments, const QString& home, const Variables& variables = {}) {
    QProcess program;
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const auto* name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
        environment.remove(QLatin1String(name));
    environment.insert(QStringLiteral("HOME"), home);
    for (auto variable = variables.begin(); variable != variables.end(); ++variable)
        environment.insert(variable.key(), variable.value());
#if defined(__SANITIZE_THREAD__)
    // Qt's libraries are built without ThreadSanitizer. Tests teach it Qt's posted calls (tsan_qt.cpp) and look for
    // races in the same window. The program does not have this, so it would report only such calls.
    environment.insert(QStringLiteral("TSAN_OPTIONS"), QStringLiteral("exitcode=0"));
#endif
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(HIGHWATER_PROGRAM), arguments);
    if (!program.waitForFinished(60'000) || program.exitStatus() != QProcess::NormalExit) return {};
    return {program.exitCode(), program.readAllStandardOutput(), program.readAllStandardError()};
}

} // namespace

class DisplayTest : public QObject {
    Q_OBJECT
  private slots:
    void helpAndVersionNeedNone() {
        const QTemporaryDir home;
        const auto help = runWithoutDisplay({"--help"}, home.path());
        QCOMPARE(help.code, 0);
        QVERIFY(help.answers.startsWith("Usage: highwater"));
        const auto version = runWithoutDisplay({"--version"}, home.path());
        QCOMPARE(version.code, 0);
        QVERIFY(version.answers.startsWith("Highwater "));
        QCOMPARE(runWithoutDisplay({"--frobnicate"}, home.path()).code, 1);
    }
    void aPictureOfAnUnreadableFileFails_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes"); // null: no such file
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("damaged session") << "a.highwater" << QByteArray("{\"format\":") << QByteArray("it is damaged");
        QTest::newRow("empty session") << "a.highwater" << QByteArray("") << QByteArray("it is damaged");
        QTest::newRow("newer session") << "a.highwater"
                                       << QByteArray("{\"format\":\"highwater-session\",\"version\":9}")
                                       << QByteArray("newer version");
        QTest::newRow("no session") << "a.highwater" << QByteArray() << QByteArray("the file does not exist");
        QTest::newRow("session of a trace that is gone")
            << "a.highwater"
            << QByteArray("{\"format\":\"highwater-session\",\"version\":1,\"trace\":[{\"path\":\"/gone.etl\"}]}")
            << QByteArray("/gone.etl was not found");
        QTest::newRow("no profile") << "a.wpaProfile" << QByteArray() << QByteArray("the file does not exist");
        QTest::newRow("damaged profile") << "a.wpaProfile" << QByteArray("<a") << QByteArray("Nothing was imported");
        QTest::newRow("no stack tags") << "a.stacktags" << QByteArray() << QByteArray("the file does not exist");
    }
    void aPictureOfAnUnreadableFileFails() {
        QFETCH(const QString, name);
        QFETCH(const QByteArray, bytes);
        QFETCH(const QByteArray, words);
        const QTemporaryDir home;
        const auto path = home.filePath(name), picture = home.filePath("p.png");
        if (!bytes.isNull()) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        }
        const auto ending = runWithoutDisplay({path, "--screenshot", picture}, home.path());
        QCOMPARE(ending.code, 2);
        QVERIFY2(ending.messages.contains("highwater: ") && ending.messages.contains(words),
                 ending.messages.constData());
        QVERIFY(!QFile::exists(picture));
    }
    void aPictureWithDefinitionsAloneIsOfTheStartPage() {
        const QTemporaryDir home;
        const auto path = home.filePath("a.supp"), picture = home.filePath("p.png");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("leak:a\n") > 0);
        file.close();
        const auto ending = runWithoutDisplay({path, "--screenshot", picture}, home.path());
        QVERIFY2(ending.code == 0, ending.messages.constData());
        QVERIFY(QFile::exists(picture));
    }
    void aPictureNeedsNone() {
        const QTemporaryDir home;
        const auto trace = home.filePath("t.etl"), picture = home.filePath("p.png");
        QVERIFY(fixtures::exercise2Trace().writeTo(trace.toStdString()).hasValue());
        const auto ending = runWithoutDisplay({trace, "--screenshot", picture, "--size", "1000x700"}, home.path());
        QVERIFY2(ending.code == 0, ending.messages.constData());
        QCOMPARE(QImage(picture).size(), QSize(1000, 700));
    }
    void aWindowSaysThatThereIsNone() {
        const QTemporaryDir home;
        const auto ending = runWithoutDisplay({}, home.path());
        QCOMPARE(ending.code, 2);
        QVERIFY(ending.messages.contains("No display is available"));
        QVERIFY(ending.messages.contains("highwater-cli"));
    }
    void noDisplayIsASentenceWhateverIsNamed_data() {
        QTest::addColumn<Variables>("variables");
        QTest::newRow("nothing") << Variables{};
        QTest::newRow("X without a display") << Variables{{"QT_QPA_PLATFORM", "xcb"}};
        QTest::newRow("a display that is gone") << Variables{{"DISPLAY", ":7654"}};
        QTest::newRow("X and a display that is gone") << Variables{{"QT_QPA_PLATFORM", "xcb"}, {"DISPLAY", ":7654"}};
        QTest::newRow("no name of a display") << Variables{{"DISPLAY", "\x1B[31m"}};
        QTest::newRow("Wayland without a socket") << Variables{{"QT_QPA_PLATFORM", "wayland"}};
        QTest::newRow("a Wayland that is gone")
            << Variables{{"WAYLAND_DISPLAY", "wayland-76"}, {"XDG_SESSION_TYPE", "wayland"}};
        QTest::newRow("no such platform") << Variables{{"QT_QPA_PLATFORM", "frobnicate"}};
        QTest::newRow("empty platforms") << Variables{{"QT_QPA_PLATFORM", ";"}};
        QTest::newRow("several platforms") << Variables{{"QT_QPA_PLATFORM", "wayland;xcb:a=b"}};
        QTest::newRow("no plugins") << Variables{{"QT_QPA_PLATFORM", "xcb"}, {"QT_QPA_PLATFORM_PLUGIN_PATH", "/gone"}};
        QTest::newRow("no surface") << Variables{{"QT_QPA_PLATFORM", "minimalegl"}};
        QTest::newRow("no frame buffer") << Variables{{"QT_QPA_PLATFORM", "linuxfb:fb=/gone"}};
    }
    void noDisplayIsASentenceWhateverIsNamed() {
        QFETCH(const Variables, variables);
        const QTemporaryDir home;
        const auto trace = home.filePath("t.etl"), picture = home.filePath("p.png");
        QVERIFY(fixtures::exercise2Trace().writeTo(trace.toStdString()).hasValue());
        for (const QStringList& words : {QStringList{}, {trace}, {"--ask-what-to-record"}, {"--record", "true"}}) {
            const auto ending = runWithoutDisplay(words, home.path(), variables);
            QVERIFY2(ending.code == 2, ending.messages.constData());
            QVERIFY2(ending.messages.startsWith("highwater: No display is available"), ending.messages.constData());
            QVERIFY(ending.messages.contains("QT_QPA_PLATFORM") && ending.messages.contains("highwater-cli"));
            QVERIFY(!ending.messages.contains('\x1B'));
            QCOMPARE(ending.messages.count('\n'), 1);
        }
        QCOMPARE(runWithoutDisplay({"--version"}, home.path(), variables).code, 0);
        QVERIFY(runWithoutDisplay({"-h"}, home.path(), variables).answers.startsWith("Usage: highwater"));
        QVERIFY(runWithoutDisplay({"--manual-page"}, home.path(), variables).answers.startsWith(".TH"));
        QCOMPARE(runWithoutDisplay({"--frobnicate"}, home.path(), variables).code, 1);
        const auto pictured = runWithoutDisplay({trace, "--screenshot", picture}, home.path(), variables);
        QVERIFY2(pictured.code == 0, pictured.messages.constData());
        QVERIFY(QFile::exists(picture));
    }
    void anOptionOfQtIsAsGoodAsItsVariable() {
        const QTemporaryDir home;
        const auto ending = runWithoutDisplay({"-platform", "frobnicate"}, home.path());
        QCOMPARE(ending.code, 2);
        QVERIFY2(ending.messages.contains("frobnicate"), ending.messages.constData());
        QCOMPARE(runWithoutDisplay({"-platform", "xcb", "--version"}, home.path()).code, 0);
        QCOMPARE(runWithoutDisplay({"-platform", "frobnicate", "--frobnicate"}, home.path()).code, 1);
    }
};
HIGHWATER_TEST(DisplayTest);
#include "display_test_linux.moc"
