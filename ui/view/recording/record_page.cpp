#include "ui/view/recording/record_page.h"

#include "ui/format/command_words.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/view/access/row_height.h"
#include "ui/view/parts/plain_widgets.h"
#include "ui/view/parts/sparkline.h"
#include "ui/view/recording/snapshot_plan_box.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QGroupBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QStyle>
#include <QTabBar>
#include <QTabWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {

constexpr QSize kRecordPageSize{960, 664};
constexpr int kOptionsWidth = 290;
constexpr int kNameLetters = 22; ///< more would leave no room for command lines
constexpr int kMostMegabytes = 64 << 20;
constexpr int kMostSeconds = 7 * 24 * 3600;
enum Tab { kLaunchTab, kProcessTab };

template <typename Widget>
Widget* named(Widget* widget, const char* name, const QString& accessible = {}) {
    widget->setObjectName(QLatin1String(name));
    if (!accessible.isEmpty()) widget->setAccessibleName(accessible);
    return widget;
}

/// A relative path was found in PATH or in the process's folder, but may mean another program, or none, here. Links to
/// the executable are not resolved, because the link itself may matter, as in a virtual environment.
QString programOf(const ListedProcess& process, const QString& typed) {
    if (QDir::isAbsolutePath(typed) || !QFileInfo(process.path).isFile()) return typed;
    const auto there = QDir::cleanPath(QDir(process.folder).absoluteFilePath(typed));
    const bool isSame = typed.contains(QLatin1Char('/')) && !process.folder.isEmpty() &&
                        QFileInfo(there).canonicalFilePath() == QFileInfo(process.path).canonicalFilePath();
    return isSame ? there : process.path;
}

} // namespace

RecordPage::RecordPage(Attach attach, QWidget* parent)
    : QDialog(parent),
      attach_(attach),
      model_(new ProcessListModel(this)),
      sorted_(new QSortFilterProxyModel(this)),
      tabs_(named(new QTabWidget, "recordWhat", tr("Program to record"))),
      launch_(new LaunchForm),
      search_(named(new QLineEdit, "processSearch", tr("Search processes"))),
      processes_(named(new QTreeView, "processList", tr("Running processes"))),
      noProcess_(named(new PlainLabel, "noProcess")),
      why_(new PlainLabel),
      cost_(named(new PlainLabel, "recordCost")),
      problem_(named(new MessageStrip, "recordProblem")),
      take_(named(new QPushButton(tr("&Launch This Program")), "takeCommandLine")),
      start_(named(new QPushButton(tr("&Start Recording")), "startRecording")),
      heap_(named(new QCheckBox(tr("&Heap")), "recordHeap")),
      virtualAlloc_(named(new QCheckBox(tr("&VirtualAlloc")), "recordVirtualAlloc")),
      stacksOnFree_(named(new QCheckBox(tr("Stacks of &frees")), "recordFreeStacks")),
      children_(named(new QCheckBox(tr("&Child processes")), "recordChildren")),
      managedNames_(named(new QCheckBox(tr("&Names of managed code")), "recordManagedNames")),
      stopsAtBytes_(named(new QCheckBox(tr("Private &bytes")), "stopsAtBytes")),
      stopsAfter_(named(new QCheckBox(tr("Af&ter")), "stopsAfter")),
      compressed_(named(new QCheckBox(tr("Co&mpressed")), "compressFile")),
      keepsLast_(named(new QCheckBox(tr("&Keep the last")), "keepsLast")),
      stopWhen_(named(new QComboBox, "stopWhen", tr("Condition for private bytes"))),
      keepUnit_(named(new QComboBox, "keepUnit", tr("Minutes or MB"))),
      stopMegabytes_(named(new QSpinBox, "stopMegabytes", tr("Private bytes at which recording stops"))),
      stopSeconds_(named(new QSpinBox, "stopSeconds", tr("Seconds after which recording stops"))),
      keepMinutes_(named(new QSpinBox, "keepMinutes", tr("Minutes to keep"))),
      keepMegabytes_(named(new QSpinBox, "keepMegabytes", tr("MB to keep"))),
      fileCost_(named(new PlainLabel, "fileCost")),
      snapshots_(new SnapshotPlanBox) {
    build();
    connectAll();
    setChoices({});
}

void RecordPage::build() {
    setObjectName(QStringLiteral("recordPage"));
    setWindowTitle(tr("Record"));
    resize(kRecordPageSize);
    tabs_->tabBar()->setAccessibleName(tabs_->accessibleName());
    problem_->setParent(this); // until an error determines its place
    tabs_->addTab(launch_, tr("Launch a Program"));
    tabs_->addTab(makeProcessTab(), tr("Running Processes"));
    auto* halves = new QHBoxLayout;
    halves->addWidget(tabs_, 1);
    halves->addWidget(makeOptions());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->addButton(start_, QDialogButtonBox::AcceptRole);
    buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(halves, 1);
    layout->addWidget(buttons);
    start_->setDefault(true); // only now it is in this window, which would have chosen another one
    launch_->setFocus();      // only now it is in this window
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, &RecordPage::start);
}

void RecordPage::showProblem(const QString& sentence, Field field, MessageLink link) {
    if (tabs_->currentIndex() == kLaunchTab)
        launch_->showProblem(*problem_, field);
    else
        processColumn_->insertWidget(processColumn_->indexOf(processes_) + 1, problem_);
    problem_->showMessage(sentence, MessageStrip::Tone::Warning, std::move(link));
}

void RecordPage::start() {
    if (tabs_->currentIndex() == kLaunchTab) {
        launch_->settle();
        const auto target = launch_->target();
        if (const auto words = commandWords(target.arguments); !words.hasValue())
            return showProblem(toQString(words.error().message), Field::Arguments);
        for (const auto& line : target.environment) {
            if (line.indexOf(QLatin1Char('=')) <= 0)
                return showProblem(tr("%1 is not an environment variable in the form NAME=value.").arg(line),
                                   Field::Environment);
        }
    }
    emit startWanted(choices());
}

QWidget* RecordPage::makeProcessTab() {
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(ProcessListModel::kSortRole);
    sorted_->setFilterKeyColumn(-1);
    sorted_->setFilterRole(ProcessListModel::kSearchRole);
    sorted_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    sorted_->setSortCaseSensitivity(Qt::CaseInsensitive);
    search_->setPlaceholderText(tr("Search by name, PID, user or command line"));
    search_->setClearButtonEnabled(true);
    processes_->setModel(sorted_);
    processes_->setRootIsDecorated(false);
    useOneRowHeight(*processes_);
    processes_->setAllColumnsShowFocus(true);
    processes_->setSortingEnabled(true);
    processes_->setItemDelegateForColumn(ProcessListModel::kPrivateBytes,
                                         new SparklineDelegate(ProcessListModel::kHistoryRole, processes_));
    processes_->sortByColumn(ProcessListModel::kPrivateBytes, Qt::DescendingOrder);
    processes_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    processes_->header()->setSectionResizeMode(ProcessListModel::kName, QHeaderView::Interactive);
    processes_->header()->resizeSection(ProcessListModel::kName,
                                        processes_->fontMetrics().averageCharWidth() * kNameLetters);
    processes_->header()->setSectionResizeMode(ProcessListModel::kCommandLine, QHeaderView::Stretch);
    why_->setWordWrap(true);
    why_->setText(attach_ == Attach::No
                      ? tr("On this system, a program can only be recorded from its start. To record the selected "
                           "program, launch it again with the same command line.")
                      : tr("Recording a running process is experimental on this system and misses its earlier "
                           "allocations. To record them all, launch the program again with the same command line."));
    auto* tab = new QWidget;
    auto* column = processColumn_ = new QVBoxLayout(tab);
    noProcess_->setWordWrap(true);
    noProcess_->hide();
    column->addWidget(search_);
    column->addWidget(noProcess_);
    column->addWidget(processes_, 1);
    auto* below = new QWidget;
    auto* line = new QHBoxLayout(below);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(why_, 1);
    line->addWidget(take_);
    column->addWidget(below);
    below->setVisible(attach_ != Attach::Yes);
    return tab;
}

QWidget* RecordPage::makeOptions() {
    auto* options = new QWidget;
    auto* column = new QVBoxLayout(options);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(makeKinds());
    column->addWidget(snapshots_);
    column->addWidget(makeStop());
    column->addWidget(makeFile());
    column->addStretch(1);
    // With a large font, they do not fit on a screen.
    auto* scrolled = new QScrollArea;
    scrolled->setObjectName(QStringLiteral("recordOptions"));
    scrolled->setFrameShape(QFrame::NoFrame);
    scrolled->setFocusPolicy(Qt::NoFocus); // it follows the focus of its contents
    scrolled->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scrolled->setWidgetResizable(true);
    scrolled->setWidget(options);
    const auto bar = scrolled->style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    scrolled->setFixedWidth(std::max(kOptionsWidth, options->minimumSizeHint().width()) + bar);
    return scrolled;
}

QWidget* RecordPage::makeStop() {
    auto* box = new QGroupBox(tr("Stop Automatically"));
    stopWhen_->addItem(tr("exceed"), static_cast<int>(RecordChoices::StopWhen::Above));
    stopWhen_->addItem(tr("grow by"), static_cast<int>(RecordChoices::StopWhen::Growth));
    stopMegabytes_->setRange(1, kMostMegabytes);
    stopMegabytes_->setGroupSeparatorShown(true);
    stopMegabytes_->setSuffix(tr(" MB"));
    stopMegabytes_->setSingleStep(128);
    stopSeconds_->setRange(1, kMostSeconds);
    stopSeconds_->setGroupSeparatorShown(true);
    stopSeconds_->setSuffix(tr(" s"));
    stopsAtBytes_->setToolTip(tr("Stop at this amount of private memory, which the program does not share with others. "
                                 "It is checked ten times a second"));
    auto* grid = new QGridLayout(box);
    grid->addWidget(stopsAtBytes_, 0, 0);
    grid->addWidget(stopWhen_, 0, 1);
    grid->addWidget(stopMegabytes_, 1, 1);
    grid->addWidget(stopsAfter_, 2, 0);
    grid->addWidget(stopSeconds_, 2, 1);
    grid->setColumnStretch(1, 1);
    return box;
}

QWidget* RecordPage::makeFile() {
    auto* box = new QGroupBox(tr("File"));
    auto* column = new QVBoxLayout(box);
    compressed_->setToolTip(tr("Use the trace compression of Windows 8 and later, which Windows tools can read"));
    fileCost_->setWordWrap(true);
    keepsLast_->setToolTip(tr("Keep the newest part of a long recording, and older allocations that have not been "
                              "freed"));
    keepUnit_->addItem(tr("minutes"), static_cast<int>(RecordChoices::Keep::LastMinutes));
    keepUnit_->addItem(tr("MB"), static_cast<int>(RecordChoices::Keep::LastMegabytes));
    keepMinutes_->setRange(1, kMostSeconds / 60);
    keepMegabytes_->setRange(10, kMostMegabytes);
    keepMegabytes_->setSingleStep(100);
    auto* amount = new QHBoxLayout;
    amount->addWidget(keepMinutes_, 1);
    amount->addWidget(keepMegabytes_, 1);
    amount->addWidget(keepUnit_, 1);
    column->addWidget(compressed_);
    column->addWidget(keepsLast_);
    column->addLayout(amount);
    column->addWidget(fileCost_);
    return box;
}

QWidget* RecordPage::makeKinds() {
    auto* box = new QGroupBox(tr("What to Record"));
    auto* column = new QVBoxLayout(box);
    heap_->setToolTip(tr("Record malloc, new and other heap allocations, each with its stack"));
    virtualAlloc_->setToolTip(tr("Record memory that the program requests directly from the system, such as with "
                                 "VirtualAlloc or mmap"));
    stacksOnFree_->setToolTip(tr("Also record the stack that freed each block"));
    children_->setToolTip(tr("Also record the programs that it starts"));
    managedNames_->setToolTip(
        tooltipText(tr("Record names of .NET, JavaScript, Java and Python functions that are compiled at run time. A "
                       "launched program is started with settings that make its runtime report them.")));
    for (auto* tick : {heap_, virtualAlloc_, stacksOnFree_, children_, managedNames_}) {
        column->addWidget(tick);
    }
    column->addSpacing(8);
    cost_->setWordWrap(true);
    column->addWidget(cost_);
    return box;
}

void RecordPage::connectAll() {
    connect(launch_, &LaunchForm::changed, this, &RecordPage::follow);
    connect(launch_, &LaunchForm::changed, problem_, &QWidget::hide);
    connect(launch_, &LaunchForm::formerTargetsChanged, this, &RecordPage::formerTargetsChanged);
    connect(launch_, &LaunchForm::startWanted, start_, &QPushButton::click);
    connect(tabs_, &QTabWidget::currentChanged, this, &RecordPage::follow);
    for (const auto* tick : {heap_, virtualAlloc_, stacksOnFree_, children_, managedNames_, stopsAtBytes_, stopsAfter_,
                             compressed_, keepsLast_}) {
        connect(tick, &QCheckBox::toggled, this, &RecordPage::follow);
    }
    connect(keepUnit_, &QComboBox::currentIndexChanged, this, &RecordPage::follow);
    connect(search_, &QLineEdit::textChanged, this, &RecordPage::search);
    processes_->installEventFilter(this);
    connect(processes_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RecordPage::follow);
    connect(processes_, &QTreeView::doubleClicked, this, [this] {
        if (attach_ == Attach::No) takeCommandLine();
    });
    connect(take_, &QPushButton::clicked, this, &RecordPage::takeCommandLine);
    connect(processes_->selectionModel(), &QItemSelectionModel::selectionChanged, problem_, &QWidget::hide);
    connect(tabs_, &QTabWidget::currentChanged, problem_, &QWidget::hide);
}

void RecordPage::search() {
    sorted_->setFilterFixedString(search_->text());
    showFound();
}

/// A single match is selected automatically, even if it appears after the search text was typed.
void RecordPage::showFound() {
    const auto text = search_->text();
    if (!text.isEmpty() && sorted_->rowCount() == 1) selectRow(0);
    noProcess_->setText(tr("No running process matches %1.").arg(text));
    noProcess_->setVisible(!text.isEmpty() && model_->rowCount() > 0 && sorted_->rowCount() == 0);
}

void RecordPage::selectRow(int row) { processes_->setCurrentIndex(sorted_->index(row, 0)); }

bool RecordPage::eventFilter(QObject* watched, QEvent* event) {
    const bool isKey = watched == processes_ && event->type() == QEvent::KeyPress;
    return (isKey && press(*static_cast<QKeyEvent*>(event))) || QDialog::eventFilter(watched, event);
}

/// A list that receives the focus has a current row that is not selected; with only one row, arrow keys could not
/// select it.
bool RecordPage::press(const QKeyEvent& key) {
    const bool isEnter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
    if (!isEnter && key.key() != Qt::Key_Down && key.key() != Qt::Key_Up) return false;
    if (!selectedProcess()) {
        if (sorted_->rowCount() > 0) selectRow(std::max(0, processes_->currentIndex().row()));
        return true;
    }
    if (!isEnter) return false;
    if (attach_ == Attach::No)
        takeCommandLine();
    else
        start_->click();
    return true;
}

void RecordPage::takeCommandLine() {
    const auto* process = selectedProcess();
    if (!process || process->commandLine.isEmpty()) return;
    const auto line = process->commandLine;
    const auto quote = line.startsWith(QLatin1Char('"'));
    const auto end = quote ? line.indexOf(QLatin1Char('"'), 1) : line.indexOf(QLatin1Char(' '));
    LaunchTarget target;
    target.program = programOf(*process, end < 0 ? line : line.mid(quote ? 1 : 0, quote ? end - 1 : end));
    target.folder = process->folder;
    target.arguments = end < 0 ? QString() : line.mid(end + 1).trimmed();
    tabs_->setCurrentIndex(kLaunchTab);
    launch_->take(target);
}

const ListedProcess* RecordPage::selectedProcess() const {
    const auto rows = processes_->selectionModel()->selectedRows();
    return rows.isEmpty() ? nullptr : &model_->process(sorted_->mapToSource(rows.first()).row());
}

QString RecordPage::cost() const {
    if (!heap_->isChecked() && !virtualAlloc_->isChecked()) return tr("Select at least one kind of allocation.");
    if (!heap_->isChecked()) return tr("Recording VirtualAlloc with stacks costs almost no time or disk space.");
    const auto words = stacksOnFree_->isChecked()
                           ? tr("Heap with stacks, including those of frees, adds about half a microsecond, and %1 "
                                "bytes to the file, for each allocation and its free together.")
                           : tr("Heap with stacks adds about half a microsecond, and %1 bytes to the file, for each "
                                "allocation and its free together.");
    return words.arg(bytesPerAllocation());
}

/// Measured with a program with 5,000 different stacks that only allocates and frees.
int RecordPage::bytesPerAllocation() const {
    if (stacksOnFree_->isChecked()) return compressed_->isChecked() ? 40 : 155;
    return compressed_->isChecked() ? 30 : 115;
}

QString RecordPage::fileCost() const {
    if (keepsLast_->isChecked()) return tr("Older freed blocks are discarded from memory and file.");
    return compressed_->isChecked()
               ? tr("Compression makes the file about four times smaller. Highwater does the work, not the program.")
               : tr("Without compression, the file is about four times larger, but recording needs the least work.");
}

void RecordPage::follow() {
    const auto* process = selectedProcess();
    const bool isLaunch = tabs_->currentIndex() == kLaunchTab;
    const bool hasTarget = isLaunch ? launch_->hasProgram() : attach_ != Attach::No && process;
    start_->setEnabled(hasTarget && (heap_->isChecked() || virtualAlloc_->isChecked()));
    take_->setEnabled(process && !process->commandLine.isEmpty());
    children_->setEnabled(isLaunch);
    snapshots_->setEnabled(heap_->isChecked());
    for (auto* field : {static_cast<QWidget*>(stopWhen_), static_cast<QWidget*>(stopMegabytes_)}) {
        field->setEnabled(stopsAtBytes_->isChecked());
    }
    stopSeconds_->setEnabled(stopsAfter_->isChecked());
    const bool keepsMinutes = keepUnit_->currentIndex() == 0;
    keepMinutes_->setVisible(keepsMinutes);
    keepMegabytes_->setVisible(!keepsMinutes);
    for (auto* field : {static_cast<QWidget*>(keepUnit_), static_cast<QWidget*>(keepMinutes_),
                        static_cast<QWidget*>(keepMegabytes_)}) {
        field->setEnabled(keepsLast_->isChecked());
    }
    cost_->setText(cost());
    fileCost_->setText(fileCost());
}

RecordChoices RecordPage::choices() const {
    RecordChoices choices;
    const auto* process = selectedProcess();
    if (tabs_->currentIndex() == kProcessTab && process)
        choices.pid = process->pid, choices.processName = process->name;
    setTargetOf(choices, launch_->target());
    choices.heap = heap_->isChecked();
    choices.virtualAlloc = virtualAlloc_->isChecked();
    choices.stacksOnFree = stacksOnFree_->isChecked();
    choices.children = children_->isChecked();
    choices.managedNames = managedNames_->isChecked();
    if (stopsAtBytes_->isChecked())
        choices.stopWhen = static_cast<RecordChoices::StopWhen>(stopWhen_->currentData().toInt());
    choices.stopMegabytes = stopMegabytes_->value();
    choices.stopsAfter = stopsAfter_->isChecked();
    choices.stopSeconds = stopSeconds_->value();
    choices.compressed = compressed_->isChecked();
    if (keepsLast_->isChecked()) choices.keep = static_cast<RecordChoices::Keep>(keepUnit_->currentData().toInt());
    choices.keepMinutes = keepMinutes_->value();
    choices.keepMegabytes = keepMegabytes_->value();
    snapshots_->readInto(choices);
    return choices;
}

void RecordPage::setChoices(const RecordChoices& choices) {
    launch_->setTarget(targetOf(choices));
    heap_->setChecked(choices.heap);
    virtualAlloc_->setChecked(choices.virtualAlloc);
    stacksOnFree_->setChecked(choices.stacksOnFree);
    children_->setChecked(choices.children);
    managedNames_->setChecked(choices.managedNames);
    stopsAtBytes_->setChecked(choices.stopWhen != RecordChoices::StopWhen::Never);
    stopWhen_->setCurrentIndex(choices.stopWhen == RecordChoices::StopWhen::Growth ? 1 : 0);
    stopMegabytes_->setValue(static_cast<int>(std::clamp<qint64>(choices.stopMegabytes, 1, kMostMegabytes)));
    stopsAfter_->setChecked(choices.stopsAfter);
    stopSeconds_->setValue(choices.stopSeconds);
    compressed_->setChecked(choices.compressed);
    keepsLast_->setChecked(choices.keep != RecordChoices::Keep::All);
    keepUnit_->setCurrentIndex(choices.keep == RecordChoices::Keep::LastMegabytes ? 1 : 0);
    keepMinutes_->setValue(choices.keepMinutes);
    keepMegabytes_->setValue(choices.keepMegabytes);
    snapshots_->setChoices(choices);
    follow();
}

void RecordPage::setFormerTargets(const QList<LaunchTarget>& targets) { launch_->setFormerTargets(targets); }

void RecordPage::showRunning() {
    tabs_->setCurrentIndex(kProcessTab);
    search_->setFocus();
}

void RecordPage::setProcesses(const QList<ListedProcess>& processes) {
    model_->setProcesses(processes);
    showFound();
    follow();
}

} // namespace highwater::ui

#include "moc_record_page.cpp"
