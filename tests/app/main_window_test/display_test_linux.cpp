#include "app/settings/display.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <array>

using namespace highwater;

namespace {

struct Ending {
    int code = -1;
    QByteArray answers;
    QByteArray messages;
};

/// Runs the program where there is no display.
Ending runWithoutDisplay(const QStringList& arguments, const QString& home) {
    QProcess program;
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const auto* name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
        environment.remove(QLatin1String(name));
    environment.insert(QStringLiteral("HOME"), home);
#if defined(__SANITIZE_THREAD__)
    // Qt's libraries are built without ThreadSanitizer. Tests teach it Qt's posted calls (tsan_qt.cpp) and look for
    // races in the same window; the program does not know them, so its reports are about these alone.
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
    void aPictureOfWhatCannotBeOpenedIsAFailure_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes"); // null: there is no such file
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("damaged session") << "a.highwater" << QByteArray("{\"format\":") << QByteArray("or damaged");
        QTest::newRow("empty session") << "a.highwater" << QByteArray("") << QByteArray("or damaged");
        QTest::newRow("newer session") << "a.highwater"
                                       << QByteArray("{\"format\":\"highwater-session\",\"version\":9}")
                                       << QByteArray("newer version");
        QTest::newRow("no session") << "a.highwater" << QByteArray() << QByteArray("there is no such file");
        QTest::newRow("session of a trace that is gone")
            << "a.highwater"
            << QByteArray("{\"format\":\"highwater-session\",\"version\":1,\"trace\":[{\"path\":\"/gone.etl\"}]}")
            << QByteArray("/gone.etl was not found");
        QTest::newRow("no profile") << "a.wpaProfile" << QByteArray() << QByteArray("there is no such file");
        QTest::newRow("damaged profile") << "a.wpaProfile" << QByteArray("<a") << QByteArray("Nothing was taken");
        QTest::newRow("no stack tags") << "a.stacktags" << QByteArray() << QByteArray("there is no such file");
    }
    void aPictureOfWhatCannotBeOpenedIsAFailure() {
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
        QVERIFY(ending.messages.contains("There is no display"));
        QVERIFY(ending.messages.contains("highwater-cli"));
    }
    void whoNamesAPlatformIsBelieved() {
        std::array name{QByteArray("highwater"), QByteArray("-platform"), QByteArray("minimal")};
        std::array<char*, 3> arguments{name[0].data(), name[1].data(), name[2].data()};
        QVERIFY(app::hasDisplay(3, arguments.data()));
    }
};
HIGHWATER_TEST(DisplayTest);
#include "display_test_linux.moc"
