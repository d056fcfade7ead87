#include "app/sessions/profile_controller.h"

#include "tests/app/main_window_test/window_user.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "tests/ui/support/printed_layout.h"
#include "tests/ui/support/wpa_profile_text.h"
#include "ui/view/analysis/preset_box.h"
#include "ui/view/parts/message_strip.h"

#include <QClipboard>
#include <QDialog>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// A window with a trace, and files to be dropped on it.
struct ProfileStage : WindowStage {
    WindowUser user{*this};

    QString fileOf(const QString& name, const QByteArray& bytes) {
        QFile file(folder.filePath(name));
        (void)(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        return file.fileName();
    }
    QString trace() {
        const auto path = folder.filePath("exercise2.etl");
        (void)fixtures::exercise2Trace().writeTo(path.toStdString()).hasValue();
        return path;
    }
    void drop(const QString& path) {
        QMimeData dropped;
        dropped.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QDropEvent drop({50, 50}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &drop);
    }
    QString message() { return window.findChild<ui::MessageStrip*>("windowMessage")->message(); }
    void followMessage() {
        auto* label = window.findChild<ui::MessageStrip*>("windowMessage")->findChild<QLabel*>("messageText");
        emit label->linkActivated("#");
    }
    QStringList tabNames() {
        QStringList names;
        for (int i = 0; i < window.tabs().count(); ++i)
            names << window.tabs().nameOf(i);
        return names;
    }
    QStringList ownPresets(analysis::Table table) {
        QStringList names;
        for (const auto& preset : window.tabs().presets().of(table))
            if (window.tabs().presets().isOwn(table, preset.name)) names << preset.name;
        return names;
    }
    /// In the dialog with that name, as if the file were typed.
    bool choose(const QString& dialog, const QString& path) {
        QFileDialog* asked = nullptr;
        if (!QTest::qWaitFor([&] { return (asked = window.findChild<QFileDialog*>(dialog)); })) return false;
        asked->selectFile(path);
        asked->findChild<QLineEdit*>()->setText(path);
        QMetaObject::invokeMethod(asked, "accept");
        return true;
    }
};

} // namespace

/// WPA profiles and preset files, by menu and by drag and drop.
class ProfileControllerTest : public QObject {
    Q_OBJECT
  private slots:
    void aDroppedProfileBecomesTabsWithItsColumns() {
        ProfileStage stage;
        QVERIFY(stage.open({stage.trace()}));
        stage.drop(stage.fileOf("ours.wpaProfile", virtualAllocProfile()));
        QVERIFY(stage.wait());
        QCOMPARE(stage.tabNames(), (QStringList{"Analysis 1", "Commits"}));
        QCOMPARE(stage.panel().findChild<ui::PresetBox*>()->shownName(), QString("Commits by Size"));
        QCOMPARE(
            printed(stage.panel().graph().layout()),
            QString(
                "Process Name Process Stack Tag Commit Stack | Count Size Impacting Size Peak(Count) | Peak(Size)"));
        QCOMPARE(stage.ownPresets(analysis::Table::VirtualAlloc),
                 (QStringList{"Commits by Size", "Commits over Time"}));
        QVERIFY(stage.user.choosePreset("Commits over Time"));
        QVERIFY(printed(stage.panel().graph().layout()).endsWith("| Min(Commit Time) Max(Decommit Time)"));
        // The numbers are those of the program's own presets.
        QVERIFY(stage.row({"MemoryTestApp.exe"}).isValid());
    }
    void unknownContentIsListedOnACopyablePage() {
        ProfileStage stage;
        QVERIFY(stage.open({stage.trace()}));
        stage.drop(stage.fileOf("ours.wpaProfile", virtualAllocProfile()));
        QCOMPARE(
            stage.message(),
            QString(
                "Presets from ours.wpaProfile: Commits by Size, Commits over Time. 1 unsupported item was skipped."));
        stage.followMessage();
        auto* page = stage.window.findChild<QDialog*>("importReportPage");
        QVERIFY(page && page->isVisible() && !page->isModal());
        const auto text = page->findChild<QPlainTextEdit*>("importReportText")->toPlainText();
        QVERIFY2(text.contains("stack tags from the file our.stacktags"), qPrintable(text));
        QTest::mouseClick(page->findChild<QPushButton*>("importReportCopy"), Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(), text);
    }
    void aProfileBeforeTheTraceWaitsForIt() {
        ProfileStage stage;
        stage.window.openFiles({stage.fileOf("heap.wpaProfile", heapProfile()), stage.trace()});
        QVERIFY(QTest::qWaitFor([&] { return stage.tabNames().contains("Heap View"); }, 20'000));
        QVERIFY(stage.wait());
        QCOMPARE(printed(stage.panel().graph().layout()), QString("Process Type Stack | Count Impacting Size | Size"));
        QCOMPARE(stage.ownPresets(analysis::Table::Heap), QStringList("Heap by Stack"));
    }
    void importedPresetsAreKept() {
        ProfileStage stage;
        stage.drop(stage.fileOf("heap.wpaProfile", heapProfile()));
        QVERIFY(stage.settings.presets().contains("Heap by Stack"));
        stage.drop(stage.fileOf("heap.wpaProfile", heapProfile()));
        QVERIFY2(stage.message().startsWith("All presets of heap.wpaProfile already exist."),
                 qPrintable(stage.message()));
        QCOMPARE(stage.ownPresets(analysis::Table::Heap), QStringList("Heap by Stack"));
    }
    void exportedPresetsCanBeImported() {
        ProfileStage stage, other;
        stage.drop(stage.fileOf("heap.wpaProfile", heapProfile()));
        const auto path = stage.folder.filePath("shared.highwater-presets");
        stage.window.findChild<QAction*>("exportPresets")->trigger();
        QVERIFY(stage.choose("exportPresetsAs", path));
        QVERIFY2(stage.message().startsWith("Saved these presets as"), qPrintable(stage.message()));
        other.window.findChild<QAction*>("importProfile")->trigger();
        QVERIFY(other.choose("importProfileFrom", path));
        QCOMPARE(other.ownPresets(analysis::Table::Heap), QStringList("Heap by Stack"));
        QCOMPARE(other.message(), QString("Presets from shared.highwater-presets: Heap by Stack."));
    }
    void withoutPresetsOfOnesOwnThereIsNothingToExport() {
        ProfileStage stage;
        QVERIFY(stage.open({stage.trace()}));
        QVERIFY(stage.user.chooseInMenuBar("Profiles", "Export Presets…"));
        QVERIFY(stage.message().startsWith("You have no presets of your own yet"));
        QVERIFY(!stage.window.findChild<QFileDialog*>());
        auto own = ui::standardPresets(analysis::Table::Heap).front();
        own.name = "Mine";
        QVERIFY(stage.window.tabs().presets().save(own));
        QVERIFY(stage.window.findChild<ui::MessageStrip*>("windowMessage")->isHidden());
    }
    void unreadableProfilesAreReported_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("XML")
            << QByteArray("<html/>")
            << "Nothing was imported from x.wpaProfile: it is not a Windows Performance Analyzer profile.";
        QTest::newRow("text")
            << QByteArray("hello")
            << "Nothing was imported from x.wpaProfile: it is neither a profile nor a preset file, or it is damaged.";
        QTest::newRow("other graphs")
            << wpaProfile("v", wpaGraph("c58f5fea-0319-4046-932d-e695ebe20b47", "<Preset Name=\"CPU\"/>"))
            << "x.wpaProfile does not contain anything that can be shown here. 1 unsupported item was skipped.";
    }
    void unreadableProfilesAreReported() {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QString, sentence);
        ProfileStage stage;
        stage.drop(stage.fileOf("x.wpaProfile", bytes));
        QCOMPARE(stage.message(), sentence);
        QCOMPARE(stage.window.tabs().count(), 1);
    }
    void aMissingFileIsReported() {
        ProfileStage stage;
        stage.drop(stage.folder.filePath("gone.wpaProfile"));
        QCOMPARE(stage.message(), QString("gone.wpaProfile cannot be read: the file does not exist."));
    }
};

HIGHWATER_TEST(ProfileControllerTest);
#include "profile_controller_test.moc"
