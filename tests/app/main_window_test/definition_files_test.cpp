#include "app/symbols/definition_files.h"

#include "app/tools/leaks/page/leaks_view.h"
#include "tests/app/main_window_test/window_user.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/parts/message_strip.h"

#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTreeView>

using namespace highwater;
using namespace highwater::tests;
using analysis::Column;
using analysis::Table;

namespace {

/// A window with the Exercise 2 trace, and definition files.
struct DefinitionsStage : WindowStage {
    WindowUser user{*this};
    ui::FileListDialog* dialog = nullptr;

    QString fileOf(const QString& name, const QByteArray& bytes) {
        QFile file(folder.filePath(name));
        (void)(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        return file.fileName();
    }
    bool begin() {
        const auto path = folder.filePath("exercise2.etl");
        return fixtures::exercise2Trace().writeTo(path.toStdString()).hasValue() && open({path}) &&
               showOnly(Table::Heap);
    }
    bool show(const char* action) {
        window.findChild<QAction*>(action)->trigger();
        dialog = window.findChild<ui::FileListDialog*>(QString(action) + "Dialog");
        return dialog != nullptr && dialog->isVisible() && !dialog->isModal();
    }
    void groupBy(Column column) {
        auto layout = panel().graph().layout();
        layout.keys = {ui::LayoutColumn(column)};
        panel().graph().setLayout(layout);
    }
    QString problems(const char* action) {
        auto* label = dialog->findChild<QLabel*>(QString(action) + "Problems");
        return label->isVisible() ? label->text() : QString();
    }
};

constexpr const char* kTags = "<Tag Name=''><Tag Name='Program'><Entrypoint Module='MemoryTestApp.exe'/></Tag></Tag>";

} // namespace

/// Stack tags and suppressions in the window: chosen in a list of files, and remembered.
class DefinitionFilesTest : public QObject {
    Q_OBJECT
  private slots:
    void stackTagsOfAFileGroupTheTable() {
        DefinitionsStage stage;
        QVERIFY(stage.begin());
        stage.groupBy(Column::StackTag);
        QVERIFY(stage.wait());
        QVERIFY(!stage.row({"Program"}).isValid());
        QVERIFY(stage.show("stackTags"));
        QCOMPARE(stage.dialog->files(), QStringList("built-in"));
        stage.dialog->addFiles({stage.fileOf("mine.stacktags", kTags)});
        QVERIFY(stage.wait());
        QTRY_VERIFY(stage.row({"Program"}).isValid());
        QVERIFY(stage.problems("stackTags").isEmpty());
    }

    void tracePropertiesShowTheListToo() {
        DefinitionsStage stage;
        QVERIFY(stage.begin());
        stage.window.findChild<QAction*>("traceProperties")->trigger();
        QTest::mouseClick(stage.window.findChild<QPushButton*>("tracePropertiesAction"), Qt::LeftButton);
        auto* dialog = stage.window.findChild<ui::FileListDialog*>("stackTagsDialog");
        QVERIFY(dialog != nullptr && dialog->isVisible());
    }

    void theListIsRememberedAndDamageReported() {
        QTemporaryDir folder;
        const auto path = folder.filePath("damaged.stacktags");
        const auto write = [&](const QByteArray& bytes) {
            QFile file(path);
            return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
        };
        QVERIFY(write("<Tag Name='a'>\n</Tog>"));
        DefinitionsStage stage;
        QVERIFY(stage.show("stackTags"));
        stage.dialog->addFiles({path});
        QCOMPARE(
            stage.problems("stackTags"),
            QString(
                "Cannot read stack tags from damaged.stacktags: line 2 is not valid XML: invalid closing tag name."));
        QCOMPARE(stage.settings.stackTagFiles(), (QStringList{"built-in", path}));
        {
            app::MainWindow again(stage.settings);
            again.show();
            QVERIFY(again.findChild<ui::MessageStrip*>("windowMessage")->message().contains("line 2 is not valid XML"));
        }
        QVERIFY(write(kTags));
        QTest::mouseClick(stage.dialog->findChild<QPushButton*>("stackTagsReload"), Qt::LeftButton);
        QVERIFY(stage.problems("stackTags").isEmpty());
        QFile::remove(path);
        QTest::mouseClick(stage.dialog->findChild<QPushButton*>("stackTagsReload"), Qt::LeftButton);
        QCOMPARE(stage.problems("stackTags"), QString("damaged.stacktags cannot be read: the file does not exist."));
    }

    void aMissingFileIsReportedAtStartup() {
        QTemporaryDir folder;
        const auto path = folder.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path.toStdString()).hasValue());
        app::ApplicationSettings settings(folder.filePath("settings.ini"));
        settings.setStackTagFiles({"built-in", folder.filePath("gone.stacktags")});
        app::MainWindow window(settings);
        bool isSettled = false;
        QObject::connect(&window, &app::MainWindow::settled, &window, [&] { isSettled = true; });
        window.openTrace({path});
        window.show();
        QVERIFY(QTest::qWaitFor([&] { return isSettled; }, 20'000));
        auto& message = *window.findChild<ui::MessageStrip*>("windowMessage");
        QVERIFY(message.isVisible());
        QCOMPARE(message.message(), QString("gone.stacktags cannot be read: the file does not exist."));
    }

    void filesAreTakenWhereTheyAreDropped() {
        DefinitionsStage stage;
        QVERIFY(stage.begin());
        stage.groupBy(Column::StackTag);
        QVERIFY(stage.wait());
        const auto path = stage.fileOf("mine.stacktags", kTags);
        stage.window.openFiles({path});
        auto& message = *stage.window.findChild<ui::MessageStrip*>("windowMessage");
        QCOMPARE(message.message(),
                 QString("Stack tags from mine.stacktags are now used. See Trace > Stack Tags for all files."));
        QTRY_VERIFY(stage.row({"Program"}).isValid());
        QCOMPARE(stage.settings.stackTagFiles(), (QStringList{"built-in", path}));
        stage.window.openFiles({stage.fileOf("bad.stacktags", "<Tag")});
        QVERIFY2(message.message().startsWith("Cannot read stack tags from bad.stacktags"),
                 qPrintable(message.message()));
    }

    void suppressionsTakeStacksOutOfTheLeaks() {
        DefinitionsStage stage;
        QVERIFY(stage.begin());
        stage.window.findChild<QAction*>("toggleLeaks")->trigger();
        auto& view = *stage.window.findChild<ui::LeaksView*>();
        QTRY_VERIFY(view.table().model()->rowCount() > 0);
        const auto before = view.table().model()->rowCount();
        QVERIFY(stage.show("suppressions"));
        stage.dialog->addFiles({stage.fileOf("known.supp", "leak:MemoryTestApp.exe\nnonsense\n")});
        QTRY_VERIFY(view.table().model()->rowCount() < before);
        QTRY_VERIFY(view.findChild<QLabel*>("leaksSummary")->text().contains("suppressed: "));
        QCOMPARE(stage.problems("suppressions"),
                 QString("Line 2 of known.supp is not a suppression: \"nonsense\". Write leak:PATTERN."));
        QCOMPARE(stage.settings.suppressionFiles().size(), 1);
        auto* list = stage.dialog->findChild<QListWidget*>("suppressionsFiles");
        list->setCurrentRow(0);
        QTest::mouseClick(stage.dialog->findChild<QPushButton*>("suppressionsRemove"), Qt::LeftButton);
        QTRY_COMPARE(view.table().model()->rowCount(), before);
    }
};
HIGHWATER_TEST(DefinitionFilesTest);
#include "definition_files_test.moc"
