#include "app/recording/recovery_controller.h"

#include "tests/support/test_registry.h"
#include "ui/view/window/start_page.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace highwater;
using app::LostRecording;
using app::RecoveryController;

namespace {

struct RecoveryStage {
    QTemporaryDir folder;
    QString path = folder.filePath("app 2026-01-02 03-04-05-678 4711.etl");
    QMainWindow window;
    ui::StartPage& page = *new ui::StartPage;
    RecoveryController* recovery = nullptr;
    std::unique_ptr<QSignalSpy> failed, saved;

    RecoveryStage() {
        write("what was recorded");
        window.setCentralWidget(&page);
        window.show();
        recovery = new RecoveryController(folder.path(), page, window);
        failed = std::make_unique<QSignalSpy>(recovery, &RecoveryController::failed);
        saved = std::make_unique<QSignalSpy>(recovery, &RecoveryController::saved);
        QObject::connect(recovery, &RecoveryController::showWanted, recovery, [this](const LostRecording& recording) {
            if (recovery->begin(recording)) recovery->noteRead();
        });
    }
    ~RecoveryStage() { delete recovery; } // it refers to the page
    void write(const QByteArray& bytes) {
        QFile file(path);
        (void)file.open(QIODevice::WriteOnly);
        file.write(bytes);
    }
    void click(const char* button) { page.findChild<QPushButton*>(button)->click(); }
    bool answer(const char* name, QMessageBox::StandardButton button) {
        auto* question = window.findChild<QMessageBox*>(name);
        if (!question) return false;
        question->button(button)->click();
        return QTest::qWaitFor([&] { return !window.findChild<QMessageBox*>(name); });
    }
    void leave(const std::function<void()>& then) {
        recovery->makeWay([this, then] {
            if (recovery->finishLeaving()) then();
        });
    }
    bool nameIt(const QString& place) {
        auto* dialog = window.findChild<QFileDialog*>("recoverAs");
        if (!dialog) return false;
        emit dialog->fileSelected(place);
        dialog->deleteLater();
        return true;
    }
};

} // namespace

class RecoveryControllerTest : public QObject {
    Q_OBJECT
  private slots:
    void showsExistingRecordings() {
        RecoveryStage stage;
        QVERIFY(!stage.recovery->shown());
        stage.click("recover");
        QVERIFY(stage.recovery->shown() && stage.recovery->canSave());
        QCOMPARE(stage.recovery->shown()->path, stage.path);
        QVERIFY(QFile::exists(stage.path));
    }
    void leavesRecordingsOfOthersAlone() {
        RecoveryStage stage;
        const auto held = OutputFile::hold(stage.path.toStdString());
        stage.click("recover");
        QVERIFY(!stage.recovery->shown());
        QCOMPARE(stage.failed->count(), 1);
        QTRY_VERIFY(!stage.page.findChild<QPushButton*>("recover")); // it is no longer offered
    }
    void staysWhereItCannotBeSaved() {
        RecoveryStage stage;
        stage.click("recover");
        bool isLeft = false;
        stage.leave([&] { isLeft = true; });
        QVERIFY(stage.answer("unsavedRecording", QMessageBox::Save));
        QVERIFY(stage.nameIt(stage.folder.filePath("no such folder/a.etl")));
        QTRY_COMPARE(stage.failed->count(), 1);
        QVERIFY(!isLeft && stage.recovery->canSave() && QFile::exists(stage.path));
        QVERIFY(!QFile::exists(stage.path + ".partial"));
        stage.leave([&] { isLeft = true; });
        QVERIFY(stage.answer("unsavedRecording", QMessageBox::Cancel));
        QVERIFY(!isLeft && stage.recovery->shown());
    }
    void leavesOnceItIsSaved() {
        RecoveryStage stage;
        stage.click("recover");
        int left = 0;
        stage.leave([&] { ++left; });
        QVERIFY(stage.answer("unsavedRecording", QMessageBox::Save));
        QVERIFY(stage.nameIt(stage.folder.filePath("a.etl")));
        stage.leave([&] { ++left; }); // while it is moved there: no question
        QVERIFY(!stage.window.findChild<QMessageBox*>());
        QTRY_COMPARE(stage.saved->count(), 1);
        QCOMPARE(left, 1);
        QVERIFY(!stage.recovery->shown() && !QFile::exists(stage.path));
        QFile file(stage.folder.filePath("a.etl"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), "what was recorded");
    }
    void keepsForLater() {
        RecoveryStage stage;
        stage.click("recover");
        bool isLeft = false;
        stage.leave([&] { isLeft = true; });
        QVERIFY(stage.answer("unsavedRecording", QMessageBox::Ignore));
        QVERIFY(isLeft && !stage.recovery->shown() && QFile::exists(stage.path));
        QVERIFY(!OutputFile::isBeingWritten(stage.path.toStdString())); // other windows may take it again
        QTRY_VERIFY(stage.page.findChild<QPushButton*>("recover"));
    }
    void discardsTheShownRecording() {
        RecoveryStage stage;
        stage.click("recover");
        QSignalSpy discarded(stage.recovery, &RecoveryController::discarded);
        stage.recovery->askToDiscard();
        QVERIFY(stage.answer("discardQuestion", QMessageBox::Cancel));
        QVERIFY(QFile::exists(stage.path) && stage.recovery->shown());
        stage.recovery->askToDiscard();
        QVERIFY(stage.answer("discardQuestion", QMessageBox::Discard));
        QVERIFY(!QFile::exists(stage.path) && !stage.recovery->shown());
        QCOMPARE(discarded.count(), 1);
    }
};
HIGHWATER_TEST(RecoveryControllerTest);
#include "recovery_controller_test.moc"
