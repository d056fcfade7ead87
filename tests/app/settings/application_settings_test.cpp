#include "app/settings/application_settings.h"

#include "app/settings/reduced_motion.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;

class ApplicationSettingsTest : public QObject {
    Q_OBJECT
  private slots:
    void keepsRenamesOfTheLastPairs() {
        const QTemporaryDir folder;
        const auto file = folder.filePath("settings.ini");
        {
            app::ApplicationSettings settings(file);
            settings.setRenamesBetween("a.etl\nb.etl", "old.exe = new.exe\n");
            settings.setRenamesBetween("c.etl\nd.etl", "x = y\n");
            settings.setRenamesBetween("c.etl\nd.etl", {});
        }
        app::ApplicationSettings settings(file);
        QCOMPARE(settings.renamesBetween("a.etl\nb.etl"), "old.exe = new.exe\n");
        QCOMPARE(settings.renamesBetween("c.etl\nd.etl"), QString());
        for (const auto& [name, value] : settings.withoutPaths())
            QVERIFY2(!value.contains("old.exe") && name != "renames", qPrintable(name));
        for (int i = 0; i < 100; ++i)
            settings.setRenamesBetween(QString::number(i), "x = y\n");
        QCOMPARE(settings.renamesBetween("a.etl\nb.etl"), QString()); // long ago
        QCOMPARE(settings.renamesBetween("0"), "x = y\n");
    }
    void remembersWhetherThingsMove() {
        const QTemporaryDir folder;
        const auto file = folder.filePath("settings.ini");
        QVERIFY(!app::ApplicationSettings(file).reducesMotion().has_value()); // as the system is set
        app::ApplicationSettings(file).setReducesMotion(false);
        QCOMPARE(app::ApplicationSettings(file).reducesMotion(), std::optional(false));
        app::ApplicationSettings(file).setReducesMotion(true);
        QCOMPARE(app::ApplicationSettings(file).reducesMotion(), std::optional(true));
    }
    void readsHowMuchMemoryRowsMayTake() {
        const QTemporaryDir folder;
        const auto file = folder.filePath("settings.ini");
        QCOMPARE(app::ApplicationSettings(file).memoryBudget(), quint64{0}); // the default amount
        QSettings(file, QSettings::IniFormat).setValue("memory/budgetMegabytes", 4096);
        QCOMPARE(app::ApplicationSettings(file).memoryBudget(), quint64{4} << 30);
        QSettings(file, QSettings::IniFormat).setValue("memory/budgetMegabytes", "much");
        QCOMPARE(app::ApplicationSettings(file).memoryBudget(), quint64{0});
    }
#ifdef Q_OS_LINUX
    void readsWhetherTheDesktopMoves() {
        const QTemporaryDir folder;
        const auto before = qgetenv("XDG_CONFIG_HOME");
        qputenv("XDG_CONFIG_HOME", folder.path().toLocal8Bit());
        const auto write = [&](const char* name, const QByteArray& text) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        QVERIFY(!app::systemReducesMotion());
        QVERIFY(write("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n"));
        QVERIFY(app::systemReducesMotion());
        QVERIFY(write("kdeglobals", "[KDE]\nAnimationDurationFactor=0.5\n"));
        QVERIFY(!app::systemReducesMotion());
        QVERIFY(QDir(folder.path()).mkdir("gtk-3.0") &&
                write("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=false\n"));
        QVERIFY(app::systemReducesMotion());
        QVERIFY(write("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=1\n"));
        QVERIFY(!app::systemReducesMotion());
        before.isNull() ? qunsetenv("XDG_CONFIG_HOME") : qputenv("XDG_CONFIG_HOME", before);
    }
#endif
    void remembersTracesNewestFirst() {
        const QTemporaryDir folder;
        const auto make = [&](const QString& name) {
            QFile file(folder.filePath(name));
            (void)file.open(QIODevice::WriteOnly);
            file.write("1234");
            return file.fileName();
        };
        const auto a = make("a.etl");
        const auto b = make("b.etl");
        {
            app::ApplicationSettings settings(folder.filePath("settings.ini"));
            settings.addRecentTrace({a});
            settings.addRecentTrace({a, b});
            settings.addRecentTrace({a});
        }
        app::ApplicationSettings settings(folder.filePath("settings.ini"));
        auto recent = settings.recentTraces();
        QCOMPARE(recent.size(), 2);
        QCOMPARE(recent[0].paths, QStringList{a});
        QCOMPARE(recent[1].paths, (QStringList{a, b}));
        QCOMPARE(recent[1].bytes, 8);
        using State = ui::RecentTrace::State;
        QVERIFY(recent[0].state == State::Same && recent[1].state == State::Same);
        QFile::remove(b);
        QFile grown(a);
        QVERIFY(grown.open(QIODevice::Append) && grown.write("5") == 1);
        grown.close();
        recent = settings.recentTraces();
        QVERIFY(recent[0].state == State::Changed);
        QCOMPARE(recent[0].bytes, 5);
        QVERIFY(recent[1].state == State::Missing);
        QCOMPARE(recent[1].bytes, 8); // as it was
    }
    void tenFleetsAreKeptNewestFirst() {
        const QTemporaryDir folder;
        {
            app::ApplicationSettings settings(folder.filePath("settings.ini"));
            for (int i = 0; i < 12; ++i)
                settings.addRecentFleet(QStringLiteral("/fleets/%1.sqlite").arg(i));
            settings.addRecentFleet("/fleets/7.sqlite");
        }
        const auto recent = app::ApplicationSettings(folder.filePath("settings.ini")).recentFleets();
        QCOMPARE(recent.size(), 10);
        QCOMPARE(recent[0], "/fleets/7.sqlite");
        QCOMPARE(recent[1], "/fleets/11.sqlite");
        QCOMPARE(recent.count("/fleets/7.sqlite"), 1);
    }
    void otherUsersCannotReadThem() {
#ifdef _WIN32
        QSKIP("there the rights of the folder above hold");
#else
        const QTemporaryDir folder;
        const auto file = folder.filePath("settings.ini");
        constexpr auto kOthers =
            QFileDevice::ReadGroup | QFileDevice::ReadOther | QFileDevice::WriteGroup | QFileDevice::WriteOther;
        for (const bool isThere : {false, true}) {
            if (isThere)
                QVERIFY(QFile::setPermissions(file, QFile::permissions(file) | kOthers)); // written by an older version
            {
                app::ApplicationSettings settings(file);
                settings.addRecentTrace({folder.filePath("a.etl")});
            }
            QVERIFY(QFile(file).size() > 0);
            QVERIFY(!(QFile::permissions(file) & kOthers));
        }
#endif
    }
    void remembersHowLongATraceIs() {
        const QTemporaryDir folder;
        app::ApplicationSettings settings(folder.filePath("settings.ini"));
        settings.addRecentTrace({folder.filePath("a.etl")}, 34'000'000'000);
        settings.addRecentTrace({folder.filePath("b.etl")});
        QCOMPARE(settings.recentTraces()[1].durationNs, 34'000'000'000);
        QCOMPARE(settings.recentTraces()[0].durationNs, 0);
    }
    /// Newest first, eight of them, each with its own arguments.
    void remembersLaunchedPrograms() {
        const QTemporaryDir folder;
        const auto file = folder.filePath("settings.ini");
        const auto launch = [](const QString& program, const QString& arguments) {
            ui::RecordChoices choices;
            choices.program = program;
            choices.arguments = arguments;
            return choices;
        };
        {
            app::ApplicationSettings settings(file);
            for (int i = 0; i < 9; ++i)
                settings.setRecordChoices(launch(QString("app%1").arg(i), "--all"));
            settings.setRecordChoices(launch("app5", "--all"));
            settings.setRecordChoices(launch("app5", "--none")); // other arguments make another entry
            auto running = launch("app8", "--left over");
            running.pid = 7; // which is not launched
            settings.setRecordChoices(running);
        }
        app::ApplicationSettings settings(file);
        auto targets = settings.launchTargets();
        QStringList names;
        for (const auto& target : targets)
            names << target.program + " " + target.arguments;
        QCOMPARE(names, (QStringList{"app5 --none", "app5 --all", "app8 --all", "app7 --all", "app6 --all",
                                     "app4 --all", "app3 --all", "app2 --all"}));
        targets.removeFirst();
        settings.setLaunchTargets(targets);
        QCOMPARE(settings.launchTargets(), targets);
        for (const auto& [name, value] : settings.withoutPaths())
            QVERIFY2(!value.contains("app5"), qPrintable(name));
    }
    void storesAnEnvironmentOnlyOnRequest() {
        const QTemporaryDir folder;
        const auto file = folder.filePath("settings.ini");
        const auto stored = [&] {
            QFile text(file);
            (void)text.open(QIODevice::ReadOnly);
            return text.readAll();
        };
        ui::RecordChoices choices;
        choices.program = "app";
        choices.environment = {"TOKEN=secret"};
        {
            app::ApplicationSettings settings(file);
            settings.setRecordChoices(choices);
            QCOMPARE(settings.recordChoices(), choices); // for this run
            QCOMPARE(settings.launchTargets()[0].environment, choices.environment);
            ui::RecordChoices other;
            other.program = "other";
            settings.setRecordChoices(other);
            QCOMPARE(settings.recordChoices().environment, QStringList());
            QCOMPARE(settings.launchTargets()[1].environment, choices.environment);
            settings.setRecordChoices(choices);
        }
        QVERIFY(stored().contains("app"));
        QVERIFY(!stored().contains("secret") && stored().contains("TOKEN")); // only its name
        {
            app::ApplicationSettings settings(file);
            QCOMPARE(settings.recordChoices().program, "app");
            QCOMPARE(settings.recordChoices().environment, QStringList());
            QCOMPARE(settings.recordChoices().forgotten, QStringList{"TOKEN"});
            settings.setRecordChoices(settings.recordChoices()); // started without: its name is kept
            QCOMPARE(settings.launchTargets()[0].forgotten, QStringList{"TOKEN"});
            choices.keepsEnvironment = true;
            settings.setRecordChoices(choices);
        }
        QVERIFY(stored().contains("secret"));
        app::ApplicationSettings settings(file);
        QCOMPARE(settings.recordChoices(), choices);
        choices.keepsEnvironment = false; // no longer
        settings.setRecordChoices(choices);
        QCOMPARE(settings.recordChoices(), choices);
        settings.setTheme(app::Theme::Dark);
        {
            app::ApplicationSettings again(file);
            QCOMPARE(again.recordChoices().environment, QStringList());
        }
    }
    void remembersTheUsersChoices() {
        const QTemporaryDir folder;
        {
            app::ApplicationSettings settings(folder.filePath("settings.ini"));
            QCOMPARE(settings.theme(), app::Theme::System);
            QVERIFY(!settings.allocatorFrames() && !settings.processExitFreesHeap());
            settings.setTheme(app::Theme::Dark);
            settings.setProcessExitFreesHeap(true);
            settings.setAllocatorFrames(QString("a.dll!*\nb.dll!*"));
            settings.setPresets("{\"presets\":[]}");
            settings.setLinksTabs(true);
            settings.setSplitterStates({"one", QByteArray("two\0", 4)});
        }
        app::ApplicationSettings settings(folder.filePath("settings.ini"));
        QCOMPARE(settings.theme(), app::Theme::Dark);
        QVERIFY(settings.processExitFreesHeap());
        QVERIFY(settings.linksTabs());
        QCOMPARE(*settings.allocatorFrames(), "a.dll!*\nb.dll!*");
        QCOMPARE(settings.presets(), "{\"presets\":[]}");
        QCOMPARE(settings.splitterStates(), (QList<QByteArray>{"one", QByteArray("two\0", 4)}));
        settings.setAllocatorFrames({});
        QVERIFY(!settings.allocatorFrames());
    }
};
HIGHWATER_TEST(ApplicationSettingsTest);
#include "application_settings_test.moc"
