#include "ui/view/recording/record_bar.h"

#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/theme/theme_colors.h"
#include "ui/view/parts/command_look.h"
#include "ui/view/parts/elided_label.h"
#include "ui/view/parts/plain_widgets.h"
#include "ui/view/parts/sparkline.h"

#include <QAction>
#include <QHBoxLayout>

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {

constexpr int kWideBar = 800;
constexpr int kProgramWidth = 260; ///< longer names are elided if there is not enough room

QString clockWords(qint64 ms) {
    const auto seconds = ms / 1000;
    return QStringLiteral("%1:%2:%3")
        .arg(seconds / 3600, 2, 10, QLatin1Char('0'))
        .arg(seconds / 60 % 60, 2, 10, QLatin1Char('0'))
        .arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

} // namespace

RecordBar::RecordBar(QWidget* parent)
    : QToolBar(parent),
      record_(makeCommand("record", tr("&Record…"), QKeySequence(Qt::CTRL | Qt::Key_R))),
      stop_(makeCommand("stopRecording", tr("S&top"), {})),
      save_(makeCommand("saveRecording", tr("&Save…"), QKeySequence::Save)),
      mark_(makeCommand("markRecording", tr("&Mark"), QKeySequence(Qt::CTRL | Qt::Key_M))),
      snapshot_(makeCommand("takeSnapshot", tr("S&napshot"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S))),
      picture_(makeCommand("takePicture", tr("&Picture of Memory"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_P))),
      discard_(new QAction(tr("&Discard…"), this)),
      follow_(new QAction(tr("&Follow"), this)),
      program_(new ElidedLabel({})),
      numbers_(new PlainLabel),
      memory_(new PlainLabel),
      memoryLine_(new Sparkline) {
    build();
    setLooks();
    setFacts({});
}

QAction* RecordBar::makeCommand(const char* name, const QString& text, const QKeySequence& key) {
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(key);
    return action;
}

void RecordBar::setLooks() {
    setLook(*record_, LineIcon::Record, tr("Record"), tr("Record a program"));
    updateStopLook();
    setLook(*save_, LineIcon::Save, tr("Save"), tr("Save the recording as a trace; recording can continue meanwhile"));
    setLook(*mark_, LineIcon::Mark, tr("Mark"),
            tr("Mark an instant, to return to it or to select the interval between two marks. While recording, it is "
               "the current time; otherwise, the time at the cursor of the graph, the instant shown, the end of a new "
               "recording, or the middle of the visible interval"));
    setLook(*snapshot_, LineIcon::Snapshot, tr("Snapshot"),
            tr("Take a heap snapshot: the outstanding allocations by stack, added to the Heap Snapshot table. While "
               "recording, it shows the current time; otherwise, the time at the cursor of the graph, the instant "
               "shown, or the middle of the visible interval"));
    picture_->setToolTip(tooltipText(
        tr("Find out which variables and stacks hold the heap blocks of the recorded program, and which "
           "blocks are unreachable, for the columns Reachability, Holder, Object Type and Retained of the Heap "
           "table. The program stops for a moment while it is copied")));
}

/// While names are collected, the recorded data is complete, so Stop only skips the names.
void RecordBar::updateStopLook() {
    if (!isCollectingNames_) {
        stop_->setText(tr("S&top"));
        return setLook(*stop_, LineIcon::Stop, tr("Stop"), tr("Stop recording and keep the recorded data"));
    }
    stop_->setText(tr("S&kip Names"));
    setLook(*stop_, LineIcon::Stop, tr("Skip Names"),
            tr("Do not wait for the names of managed code; functions without a name are shown as addresses"));
}

void RecordBar::build() {
    setObjectName(QStringLiteral("recordBar"));
    setWindowTitle(tr("Recording"));
    setMovable(false);
    toggleViewAction()->setVisible(false); // it is shown and hidden with the recording
    discard_->setObjectName(QStringLiteral("discardRecording"));
    discard_->setToolTip(tr("Stop recording and delete the recorded data"));
    follow_->setObjectName(QStringLiteral("followRecording"));
    follow_->setCheckable(true);
    follow_->setToolTip(tr("Keep a zoomed-in graph at the end of the recording. Moving back in time pauses following, "
                           "not the recording."));
    auto* facts = new QWidget;
    auto* row = new QHBoxLayout(facts);
    row->setContentsMargins(8, 0, 8, 0);
    auto strong = program_->font();
    strong.setBold(true);
    program_->setFont(strong);
    program_->setObjectName(QStringLiteral("recordedProgram"));
    numbers_->setObjectName(QStringLiteral("recordNumbers"));
    row->addWidget(program_);
    row->addSpacing(8);
    // It shrinks before the window has to grow.
    numbers_->setMinimumWidth(1);
    row->addWidget(numbers_, 1);
    memory_->setObjectName(QStringLiteral("recordMemory"));
    memory_->setBackgroundRole(QPalette::Window); // a tool bar gives its widgets that of buttons
    memoryLine_->setToolTip(tr("Private bytes of the program over the last two minutes"));
    row->addWidget(memoryLine_);
    row->addWidget(memory_);
    addWidget(facts);
    addAction(follow_);
}

void RecordBar::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    showMemoryLine();
}

/// In a narrow window, the numbers need the space.
void RecordBar::showMemoryLine() { memoryLine_->setVisible(!memoryLine_->values().isEmpty() && width() >= kWideBar); }

/// Amber if the graph does not show how the memory grew.
void RecordBar::showMemory(const RecordBarFacts& facts) {
    memoryLine_->setValues(facts.privateBytes);
    showMemoryLine();
    QStringList words;
    if (!facts.privateBytes.isEmpty()) words << tr("private %1").arg(formatBytes(facts.privateBytes.last()));
    const bool isMissing = facts.unrecordedBytes > 0;
    if (isMissing) words << tr("⚠ %1 not recorded").arg(formatBytes(static_cast<qint64>(facts.unrecordedBytes)));
    memory_->setText(words.join(QStringLiteral("   ")));
    const auto tip = tr("The program's memory grew by this amount without recorded allocations, so it is missing from "
                        "graphs and tables");
    memory_->setToolTip(isMissing ? tooltipText(tip) : QString());
    auto colors = palette();
    if (isMissing) colors.setColor(QPalette::Window, amberGround(colors));
    memory_->setAutoFillBackground(isMissing);
    if (memory_->palette() != colors) memory_->setPalette(colors);
}

QString RecordBar::endWords(const RecordBarFacts& facts) {
    if (!facts.end.isEmpty()) return lineText(facts.end);
    if (!facts.isStopped) return tr("ended");
    return facts.ranOn ? tr("stopped while the program was running") : tr("stopped");
}

void RecordBar::setFacts(const RecordBarFacts& facts) {
    isOpen_ = facts.isOpen;
    showIfOpen();
    record_->setEnabled(!facts.isRecording);
    stop_->setEnabled(facts.isRecording);
    if (std::exchange(isCollectingNames_, facts.isCollectingNames) != facts.isCollectingNames) updateStopLook();
    save_->setEnabled(facts.canSave);
    for (auto* ofMoment : {mark_, snapshot_})
        ofMoment->setEnabled(facts.isRecording ? facts.events > 0 : facts.hasTrace);
    discard_->setEnabled(facts.isOpen || facts.isRecovered);
    showMemory(facts);
    follow_->setVisible(facts.isRecording);
    const auto name = lineText(facts.name);
    program_->setText(facts.pid != 0 ? QStringLiteral("%1 (%2)").arg(name, QString::number(facts.pid)) : name);
    program_->setToolTip(tooltipText(program_->text()));
    program_->setMinimumWidth(std::min(program_->sizeHint().width(), kProgramWidth));
    if (!facts.isOpen) {
        numbers_->setToolTip({});
        return numbers_->setText(facts.isRecovered ? tr("not saved   %1").arg(formatBytes(qint64(facts.fileBytes)))
                                                   : QString());
    }
    QStringList words{clockWords(facts.elapsedMs), countText(facts.events, "1 event", "%1 events")};
    if (facts.isCollectingNames)
        words.prepend(tr("collecting names of managed code"));
    else if (facts.isRecording)
        words << tr("%1/s").arg(formatCount(qint64(facts.eventsPerSecond)));
    words << tr("%1 lost").arg(formatCount(qint64(facts.eventsLost)))
          << tr("file %1").arg(formatBytes(qint64(facts.fileBytes)));
    if (facts.keptFromMs > 0) words << tr("kept from %1 on").arg(clockWords(facts.keptFromMs));
    if (!facts.isRecording) words.prepend(endWords(facts));
    numbers_->setText(words.join(QStringLiteral("   ")));
    numbers_->setToolTip(tooltipText(numbers_->text()));
}

void RecordBar::showIfOpen() { setVisible(isOpen_); }

void RecordBar::setFollowing(bool follows) { follow_->setChecked(follows); }

QString RecordBar::words() const { return program_->text() + QLatin1Char(' ') + numbers_->text(); }

} // namespace highwater::ui

#include "moc_record_bar.cpp"
