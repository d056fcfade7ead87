#include "app/recording/record_controller.h"
#include "tests/app/main_window_test/shown_texts.h"
#include "tests/app/main_window_test/window_user.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/recording/record_bar.h"
#include "ui/view/symbols/modules_view.h"
#include "ui/view/symbols/symbol_paths_dialog.h"
#include "ui/view/timeline/series_legend_view.h"
#include "ui/view/window/loss_banner.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>
#include <QTreeWidget>

#include <sys/inotify.h>
#include <unistd.h>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// If read as HTML, it would load the picture from the current folder. No '/', because it ends a folder name.
const QString kTag = QStringLiteral("<img src=\"file:touched.png\"><b>x&y");
/// A second line, a tab, a reversed name, and characters that no font has.
const QString kHidden = QStringLiteral("two\nlines\t\u202Efdp.\u2066x\x01\x7f");
constexpr int kManyLetters = 12'000; // as many as records have room for
constexpr std::uint32_t kCommit = 0x1000;
constexpr Address kHeap = 0x1D0000;

/// Detects whether the files of a folder are opened.
class OpenedFiles {
  public:
    explicit OpenedFiles(const QString& folder) : watch_(inotify_init1(IN_NONBLOCK)) {
        (void)inotify_add_watch(watch_, qPrintable(folder), IN_OPEN | IN_ACCESS);
    }
    ~OpenedFiles() { close(watch_); }
    OpenedFiles(const OpenedFiles&) = delete;
    OpenedFiles& operator=(const OpenedFiles&) = delete;

    [[nodiscard]] bool isWatching() const { return watch_ >= 0; }
    /// Since the last call.
    QStringList take() {
        QStringList names;
        alignas(inotify_event) char events[4096];
        for (auto bytes = read(watch_, events, sizeof events); bytes > 0; bytes = read(watch_, events, sizeof events)) {
            for (const char* at = events; at < events + bytes;) {
                const auto* event = reinterpret_cast<const inotify_event*>(at);
                if (event->len > 0) names << QString::fromUtf8(event->name);
                at += sizeof(inotify_event) + event->len;
            }
        }
        names.removeDuplicates();
        return names;
    }

  private:
    int watch_;
};

void addProcess(fixtures::TraceBuilder& trace, std::uint32_t pid, const QString& name) {
    const auto program = name.toStdString() + ".exe";
    const auto library = name.toStdString() + ".dll";
    const auto words = QStringLiteral("%1 <a href=\"file:///tmp/x\">%1</a>").arg(name).toStdString();
    trace.addresses().module(library).ntPath = "\\Device\\HarddiskVolume3\\" + name.toStdString() + "\\" + library;
    trace.addresses().module(library).identity.pdbName = library + ".pdb";
    trace.processRunsAlready(
        {.pid = pid, .name = program, .mainTid = pid + 1, .modules = {library}, .commandLine = words});
    const auto stack = program + "!main;" + library + "!take";
    const auto at = 0.1 * pid;
    trace.virtualAlloc({fixtures::seconds(at), pid, pid + 1}, {0x10000000u * pid, fixtures::kMiB}, kCommit, stack);
    trace.heapCreate({fixtures::seconds(at), pid, pid + 1}, kHeap + pid, stack);
    trace.heapAlloc({fixtures::seconds(at + 0.1), pid, pid + 1}, kHeap + pid, {0x2000000 + 0x1000 * pid, 4096}, stack);
    trace.mark(fixtures::seconds(at + 0.2), name.toStdString());
}

/// These names are not meant to be read.
fixtures::TraceBuilder hostileTrace() {
    fixtures::TraceBuilder trace;
    addProcess(trace, 10, kTag);
    addProcess(trace, 20, kHidden);
    addProcess(trace, 30, QString(kManyLetters, 'W'));
    trace.endsAt(fixtures::seconds(6));
    return trace;
}

/// Hovers there, and checks the tooltip.
QString troubleOfHover(QWidget& widget, const QPoint& at) {
    QToolTip::hideText();
    QTest::mouseMove(&widget, at - QPoint(1, 0));
    QTest::mouseMove(&widget, at);
    QHelpEvent event(QEvent::ToolTip, at, widget.mapToGlobal(at));
    QApplication::sendEvent(&widget, &event);
    QCoreApplication::processEvents();
    const auto trouble = troubleOfToolTip(QToolTip::text());
    return trouble.isEmpty() ? QString() : trouble + ": " + QToolTip::text().left(90);
}

/// Every cell on screen.
QStringList troublesOfHover(QAbstractItemView& view) {
    QStringList troubles;
    for (int y = 4; y < view.viewport()->height(); y += 16) {
        for (int x = 4; x < view.viewport()->width(); x += 60) {
            const auto trouble = troubleOfHover(*view.viewport(), {x, y});
            if (!trouble.isEmpty() && !troubles.contains(trouble)) troubles << trouble;
        }
    }
    return troubles;
}

} // namespace

#define VERIFY_NONE(list)                                                                                              \
    do {                                                                                                               \
        const QStringList found = list;                                                                                \
        QVERIFY2(found.isEmpty(), qPrintable("\n" + found.join('\n')));                                                \
    } while (false)

/// A trace whose names are HTML, have invisible characters, or are wider than any screen: the window shows all of it as
/// plain text.
class HostileNamesTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString trace_, before_;

    /// Expands the whole table.
    static bool expandAll(WindowStage& stage) {
        auto& table = stage.panel().table();
        for (int level = 0; level < 8; ++level) {
            auto& model = stage.panel().model();
            std::vector<QModelIndex> open{QModelIndex()};
            while (!open.empty()) {
                const auto at = open.back();
                open.pop_back();
                if (at.isValid()) table.expand(at);
                for (int row = 0; row < model.rowCount(at); ++row)
                    open.push_back(model.index(row, 0, at));
            }
            if (!stage.wait()) return false;
            QTest::qWait(20);
        }
        return true;
    }
    static QModelIndex rowOf(WindowStage& stage, const QString& part) {
        auto& model = stage.panel().model();
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.keyText(model.index(row, 0)).contains(part)) return model.index(row, 0);
        }
        return {};
    }
    static bool filterTo(WindowStage& stage, const QString& part) {
        const auto row = rowOf(stage, part);
        if (!row.isValid()) return false;
        stage.panel().table().setCurrentIndex(row);
        stage.panel().table().setFocus();
        QTest::keyClick(&stage.panel().table(), Qt::Key_F);
        return stage.wait();
    }
    QStringList touched() {
        auto names = opened_->take();
        names.removeIf([](const QString& name) { return name != "touched.png"; });
        return names;
    }

    std::unique_ptr<OpenedFiles> opened_;

  private slots:
    void initTestCase() {
        QImage picture(8, 8, QImage::Format_RGB32);
        picture.fill(Qt::red);
        QVERIFY(picture.save(folder_.filePath("touched.png")));
        trace_ = folder_.filePath(kTag + " [*].etl");
        QVERIFY(hostileTrace().writeTo(trace_.toStdString()).hasValue());
        before_ = QDir::currentPath();
        QDir::setCurrent(folder_.path()); // the base of relative picture paths
        opened_ = std::make_unique<OpenedFiles>(folder_.path());
        QVERIFY(opened_->isWatching());
    }
    void cleanupTestCase() { QDir::setCurrent(before_); }

    /// Otherwise the other tests would never find anything.
    void itsMeansNoticeAPicture() {
        opened_->take();
        QVERIFY(!troubleOfToolTip(kTag).isEmpty());
        QVERIFY(!troubleOfLine(kHidden).isEmpty());
        QWidget widget;
        widget.setToolTip(kTag);
        widget.show();
        QVERIFY(!troubleOfHover(widget, {5, 5}).isEmpty());
        QVERIFY(QTest::qWaitFor([this] { return !touched().isEmpty(); }));
        QVERIFY(!troublesOfAllWidgets().isEmpty());
        QToolTip::hideText();
    }

    void tablesAndGraphs_data() {
        QTest::addColumn<int>("table");
        QTest::newRow("heap") << static_cast<int>(analysis::Table::Heap);
        QTest::newRow("VirtualAlloc") << static_cast<int>(analysis::Table::VirtualAlloc);
    }
    void tablesAndGraphs() {
        QFETCH(int, table);
        WindowStage stage;
        QVERIFY(stage.open({trace_}));
        QVERIFY(stage.showOnly(static_cast<analysis::Table>(table)));
        QVERIFY(rowOf(stage, "<img").isValid()); // shown under its own name
        QVERIFY(expandAll(stage));
        VERIFY_NONE(troublesOfAllWidgets());
        VERIFY_NONE(troublesOfHover(stage.panel().table()));
        auto* legend = stage.window.findChild<ui::SeriesLegendView*>();
        QVERIFY(legend->topLevelItemCount() > 0);
        VERIFY_NONE(troublesOfHover(*legend));
        auto& timeline = stage.panel().timeline();
        for (int x = 2; x < timeline.width(); x += 25) {
            QCOMPARE(troubleOfHover(timeline, {x, timeline.height() / 2}), QString());
        }
        VERIFY_NONE(touched());
    }

    void chipsAndHistory() {
        WindowStage stage;
        QVERIFY(stage.open({trace_}));
        QVERIFY(stage.showOnly(analysis::Table::Heap));
        for (const auto* part : {"<img", "lines", "WWW"}) {
            QVERIFY2(filterTo(stage, part), part);
            VERIFY_NONE(troublesOfAllWidgets());
            for (auto* chip : stage.window.findChildren<QPushButton*>("filterChip")) {
                QCOMPARE(troubleOfHover(*chip, chip->rect().center()), QString());
            }
            for (auto* crumb : stage.window.findChildren<QToolButton*>("crumb")) {
                QCOMPARE(troubleOfHover(*crumb, crumb->rect().center()), QString());
            }
            stage.panel().graph().clearFilter();
            QVERIFY(stage.wait());
        }
        stage.window.resize(500, 500); // so that the history becomes a menu
        QTest::qWait(10);
        VERIFY_NONE(troublesOfAllWidgets());
        VERIFY_NONE(touched());
    }

    void marks() {
        WindowStage stage;
        QVERIFY(stage.open({trace_}));
        auto* list = stage.window.findChild<QTreeView*>("marks");
        QTRY_COMPARE(list->model()->rowCount(), 3);
        VERIFY_NONE(troublesOfAllWidgets());
        VERIFY_NONE(troublesOfHover(*list));
        VERIFY_NONE(touched());
    }

    void modulesAndSymbolPaths() {
        WindowStage stage;
        QVERIFY(stage.open({trace_}));
        QVERIFY(stage.showOnly(analysis::Table::Heap));
        stage.window.findChild<QAction*>("toggleModules")->trigger();
        QVERIFY(expandAll(stage));
        auto* modules = stage.window.findChild<ui::ModulesView*>();
        QTRY_VERIFY(modules->table().model()->rowCount() >= 6);
        QTRY_VERIFY(!stage.window.symbolSession().status().isBusy);
        for (int row = 0; row < modules->table().model()->rowCount(); ++row) {
            modules->table().setCurrentIndex(modules->table().model()->index(row, 0));
            VERIFY_NONE(troublesOfAllWidgets());
        }
        VERIFY_NONE(troublesOfHover(modules->table()));
        VERIFY_NONE(troublesOfHover(*modules->findChild<QTreeWidget*>("triedPlaces")));
        stage.window.findChild<QAction*>("configureSymbolPaths")->trigger();
        auto* dialog = stage.window.findChild<ui::SymbolPathsDialog*>();
        QVERIFY(QTest::qWaitForWindowExposed(dialog));
        VERIFY_NONE(troublesOfAllWidgets());
        VERIFY_NONE(troublesOfHover(*dialog->findChild<QTreeView*>("symbolPaths")));
        VERIFY_NONE(touched());
    }

    void recentFilesAndLostRecordings() {
        WindowStage first;
        QVERIFY(first.open({trace_}));
        QVERIFY(QDir(first.settings.recordingsFolder()).mkpath("."));
        QFile lost(first.settings.recordingsFolder() + "/" + kTag + " \u202Ex 2024-01-01 10-00-00 1.etl");
        QVERIFY(lost.open(QIODevice::WriteOnly));
        lost.close();
        app::MainWindow window(first.settings);
        window.show();
        auto* recent = window.findChild<QTreeWidget*>("recentTraces");
        QCOMPARE(recent->topLevelItemCount(), 1);
        QVERIFY(window.findChild<QWidget*>("lostRecording"));
        VERIFY_NONE(troublesOfAllWidgets());
        VERIFY_NONE(troublesOfHover(*recent));
        auto* strip = window.findChild<QWidget*>("lostRecording");
        QCOMPARE(troubleOfHover(*strip, strip->rect().center()), QString());
        for (auto* menu : window.findChildren<QMenu*>()) {
            if (!menu->toolTipsVisible()) continue;
            menu->popup({0, 0});
            for (auto* action : menu->actions())
                QCOMPARE(troubleOfHover(*menu, menu->actionGeometry(action).center()), QString());
            menu->close();
        }
        VERIFY_NONE(touched());
        QVERIFY(first.window.windowTitle().contains("[*][*]")); // otherwise Qt takes it for its own marker and drops it
    }

    void messages() {
        WindowStage stage;
        QSignalSpy failed(&stage.window, &app::MainWindow::openFailed);
        stage.window.openTrace({folder_.filePath(kTag + kHidden + QString(150, 'W') + ".etl")});
        QVERIFY(failed.wait(20'000));
        auto* message = stage.window.findChild<ui::MessageStrip*>("windowMessage");
        QVERIFY(message->isVisible() && message->message().contains("<img"));
        VERIFY_NONE(troublesOfAllWidgets());
        QCOMPARE(troubleOfHover(*message, message->rect().center()), QString());
        message->showMessage(QString(kManyLetters, 'W'), ui::MessageStrip::Tone::Warning, {kTag, [] {}});
        VERIFY_NONE(troublesOfAllWidgets());
        HealthReport health;
        health.remarks = {kTag.toStdString(), kHidden.toStdString(), std::string(kManyLetters, 'W')};
        auto* losses = stage.window.findChild<ui::LossBanner*>();
        losses->setHealth(health);
        losses->setDetailsVisible(true);
        VERIFY_NONE(troublesOfAllWidgets());
        VERIFY_NONE(touched());
    }

    void barOfARecording() {
        WindowStage stage;
        auto& pages = stage.window.recordController();
        pages.startReplay(trace_, 0);
        QTRY_VERIFY(pages.session().isOpen() && !pages.session().isRecording());
        QVERIFY(stage.window.findChild<ui::RecordBar*>()->words().contains("<img"));
        VERIFY_NONE(troublesOfAllWidgets());
        auto* name = stage.window.findChild<QLabel*>("recordedProgram");
        QCOMPARE(troubleOfHover(*name, name->rect().center()), QString());
        VERIFY_NONE(touched());
    }
};
HIGHWATER_TEST(HostileNamesTest);
#include "hostile_names_test_linux.moc"
