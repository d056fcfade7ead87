#include "app/application_settings.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;

class ApplicationSettingsTest : public QObject {
    Q_OBJECT
  private slots:
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
        QFile::remove(b);
        recent = settings.recentTraces();
        QCOMPARE(recent.size(), 1); // a trace that is gone is not offered
    }
};
HIGHWATER_TEST(ApplicationSettingsTest);
#include "application_settings_test.moc"
