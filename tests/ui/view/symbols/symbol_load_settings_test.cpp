#include "ui/view/symbols/symbol_load_settings.h"

#include "tests/support/test_registry.h"

#include <QCheckBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;

namespace {

struct SymbolLoadSettingsStage {
    QTemporaryDir usual;
    SymbolLoadSettings page{usual.path()};

    QLineEdit& field(const char* name) { return *page.findChild<QLineEdit*>(name); }
    QCheckBox& imagePaths() { return *page.findChild<QCheckBox*>("imagePaths"); }
    QString size() { return page.findChild<QLabel*>("symbolCacheSize")->text(); }
    QPushButton& clearButton() { return *page.findChild<QPushButton*>("clearSymbolCache"); }
    SymbolChoices choices() {
        SymbolChoices choices;
        page.putInto(choices);
        return choices;
    }
    /// A file as the cache creates it.
    static QString cacheFile(const QString& folder) {
        QDir(folder).mkpath("names");
        QFile file(folder + "/names/a.names");
        return file.open(QIODevice::WriteOnly) && file.write(QByteArray(3 << 10, 'x')) > 0 ? file.fileName()
                                                                                           : QString();
    }
};

} // namespace

class SymbolLoadSettingsTest : public QObject {
    Q_OBJECT
  private slots:
    void givesBackWhatItWasGiven() {
        SymbolLoadSettingsStage stage;
        SymbolChoices choices;
        choices.processes = QStringList{"app.exe", "svc*.exe"};
        choices.modules = QStringList{"my*.dll"};
        choices.onlyCached = true;
        choices.cacheFolder = "/elsewhere";
        choices.usesImagePaths = true;
        stage.page.setChoices(choices);
        QCOMPARE(stage.choices(), choices);
        stage.page.setChoices({});
        QCOMPARE(stage.choices(), SymbolChoices());
    }
    void leavesThePathAsItIs() {
        SymbolLoadSettingsStage stage;
        SymbolChoices choices;
        choices.path = symbols::SymbolPath::parse("/a;/b");
        choices.usesTraceFolders = false;
        const auto before = choices;
        stage.page.putInto(choices);
        QCOMPARE(choices, before);
    }
    void readsNamesAsPeopleSeparateThem() {
        SymbolLoadSettingsStage stage;
        stage.field("symbolProcesses").setText("  a.exe ;b.exe,  c d.exe;; ");
        QCOMPARE(stage.choices().processes, (QStringList{"a.exe", "b.exe", "c d.exe"}));
        stage.field("symbolProcesses").setText("  ");
        QCOMPARE(stage.choices().processes, QStringList());
    }
    void asksForImagePathsOnlyOfATraceThatIsOpen() {
        SymbolLoadSettingsStage stage;
        QVERIFY(!stage.imagePaths().isEnabled());
        stage.page.setTrace(true, true);
        QVERIFY(stage.imagePaths().isEnabled() && stage.imagePaths().isChecked());
        stage.page.setTrace(true, false);
        QVERIFY(!stage.imagePaths().isChecked());
        stage.page.setTrace(false, false);
        QVERIFY(!stage.imagePaths().isEnabled());
    }
    void choosesImagePathsOnlyWhenTheReaderDoes() {
        SymbolLoadSettingsStage stage;
        stage.page.setTrace(true, true);
        QCOMPARE(stage.choices().usesImagePaths, std::nullopt); // the default
        stage.imagePaths().setChecked(false);
        QCOMPARE(stage.choices().usesImagePaths, std::optional(false));
        stage.imagePaths().setChecked(true);
        QCOMPARE(stage.choices().usesImagePaths, std::nullopt);
        SymbolChoices given;
        given.usesImagePaths = false;
        stage.page.setChoices(given);
        QVERIFY(!stage.imagePaths().isChecked());
        QCOMPARE(stage.choices().usesImagePaths, std::optional(false));
    }
    void measuresAndClearsTheCache() {
        SymbolLoadSettingsStage stage;
        const auto file = stage.cacheFile(stage.usual.path());
        QVERIFY(!file.isEmpty());
        QFile foreign(stage.usual.filePath("mine.txt"));
        QVERIFY(foreign.open(QIODevice::WriteOnly));
        stage.page.setChoices({});                 // the default folder
        QVERIFY(!stage.clearButton().isEnabled()); // not known yet
        QTRY_COMPARE(stage.size(), "3.0 KB");
        QVERIFY(stage.clearButton().isEnabled());
        stage.clearButton().click();
        QTRY_COMPARE(stage.size(), "empty");
        QVERIFY(!stage.clearButton().isEnabled());
        QVERIFY(!QFile::exists(file));
        QVERIFY(foreign.exists());
    }
    void measuresTheFolderThatIsTyped() {
        SymbolLoadSettingsStage stage;
        const QTemporaryDir other;
        QVERIFY(!stage.cacheFile(other.path()).isEmpty());
        stage.page.setChoices({});
        QTRY_COMPARE(stage.size(), "empty");
        stage.field("symbolCache").setText(' ' + other.path() + ' ');
        QTest::keyClick(&stage.field("symbolCache"), Qt::Key_Return);
        QTRY_COMPARE(stage.size(), "3.0 KB");
        QCOMPARE(stage.choices().cacheFolder, other.path());
    }
};
HIGHWATER_TEST(SymbolLoadSettingsTest);
#include "symbol_load_settings_test.moc"
