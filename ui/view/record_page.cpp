#include "ui/view/record_page.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTabWidget>
#include <QTreeView>
#include <QVBoxLayout>

namespace highwater::ui {
namespace {

constexpr QSize kFirstSize{860, 480};
constexpr int kOptionsWidth = 250;
enum Tab { kLaunchTab, kProcessTab };

template <typename Widget>
Widget* named(Widget* widget, const char* name, const QString& accessible = {}) {
    widget->setObjectName(QLatin1String(name));
    if (!accessible.isEmpty()) widget->setAccessibleName(accessible);
    return widget;
}

QWidget* withButton(QLineEdit* field, QPushButton* button) {
    auto* both = new QWidget;
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(field, 1);
    row->addWidget(button);
    return both;
}

} // namespace

RecordPage::RecordPage(bool canAttach, QWidget* parent)
    : QDialog(parent),
      canAttach_(canAttach),
      sorted_(new QSortFilterProxyModel(this)),
      tabs_(named(new QTabWidget, "recordWhat")),
      program_(named(new QLineEdit, "launchProgram", tr("Program"))),
      arguments_(named(new QLineEdit, "launchArguments", tr("Arguments"))),
      folder_(named(new QLineEdit, "launchFolder", tr("Folder"))),
      search_(named(new QLineEdit, "processSearch", tr("Search processes"))),
      environment_(named(new QPlainTextEdit, "launchEnvironment", tr("Environment"))),
      processes_(named(new QTreeView, "processList", tr("Running processes"))),
      why_(new QLabel),
      cost_(named(new QLabel, "recordCost")),
      take_(named(new QPushButton(tr("&Launch This Program")), "takeCommandLine")),
      start_(named(new QPushButton(tr("&Start Recording")), "startRecording")),
      heap_(named(new QCheckBox(tr("&Heap")), "recordHeap")),
      virtualAlloc_(named(new QCheckBox(tr("&VirtualAlloc")), "recordVirtualAlloc")),
      stacksOnFree_(named(new QCheckBox(tr("Stacks on &free")), "recordFreeStacks")),
      children_(named(new QCheckBox(tr("&Children of the program")), "recordChildren")) {
    build();
    connectAll();
    setChoices({});
}

void RecordPage::build() {
    setObjectName(QStringLiteral("recordPage"));
    setWindowTitle(tr("Record"));
    resize(kFirstSize);
    tabs_->addTab(makeLaunchTab(), tr("Launch a Program"));
    tabs_->addTab(makeProcessTab(), tr("Running Processes"));
    auto* halves = new QHBoxLayout;
    halves->addWidget(tabs_, 1);
    halves->addWidget(makeOptions());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->addButton(start_, QDialogButtonBox::AcceptRole);
    start_->setDefault(true);
    buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    program_->setFocus();
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(halves, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        const auto chosen = choices();
        accept();
        emit startWanted(chosen);
    });
}

QWidget* RecordPage::makeLaunchTab() {
    program_->setPlaceholderText(tr("A file, or a name to be found where the system looks for programs"));
    folder_->setPlaceholderText(tr("The current one"));
    environment_->setPlaceholderText(tr("NAME=value, one a line, on top of the usual ones"));
    environment_->setTabChangesFocus(true);
    auto* browse = named(new QPushButton(tr("&Browse…")), "browseProgram");
    auto* browseFolder = named(new QPushButton(tr("B&rowse…")), "browseFolder");
    connect(browse, &QPushButton::clicked, this, &RecordPage::browseProgram);
    connect(browseFolder, &QPushButton::clicked, this, &RecordPage::browseFolder);
    for (auto* button : {browse, browseFolder, take_}) {
        button->setAutoDefault(false);
    }
    auto* tab = new QWidget;
    auto* form = new QFormLayout(tab);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->addRow(tr("&Program"), withButton(program_, browse));
    qobject_cast<QLabel*>(form->itemAt(0, QFormLayout::LabelRole)->widget())->setBuddy(program_);
    form->addRow(tr("&Arguments"), arguments_);
    form->addRow(tr("F&older"), withButton(folder_, browseFolder));
    form->addRow(tr("&Environment"), environment_);
    return tab;
}

QWidget* RecordPage::makeProcessTab() {
    sorted_->setSourceModel(&model_);
    sorted_->setSortRole(ProcessListModel::kSortRole);
    sorted_->setFilterKeyColumn(-1);
    sorted_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    sorted_->setSortCaseSensitivity(Qt::CaseInsensitive);
    search_->setPlaceholderText(tr("Search by name, number or user"));
    search_->setClearButtonEnabled(true);
    processes_->setModel(sorted_);
    processes_->setRootIsDecorated(false);
    processes_->setUniformRowHeights(true);
    processes_->setAllColumnsShowFocus(true);
    processes_->setSortingEnabled(true);
    processes_->sortByColumn(ProcessListModel::kPrivateBytes, Qt::DescendingOrder);
    processes_->header()->setStretchLastSection(false);
    processes_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    processes_->header()->setSectionResizeMode(ProcessListModel::kName, QHeaderView::Stretch);
    why_->setWordWrap(true);
    why_->setText(
        tr("On this system a program is recorded from its start on. What is selected can be launched once more, "
           "with the same command line."));
    auto* tab = new QWidget;
    auto* column = new QVBoxLayout(tab);
    column->addWidget(search_);
    column->addWidget(processes_, 1);
    auto* below = new QHBoxLayout;
    below->addWidget(why_, 1);
    below->addWidget(take_);
    if (!canAttach_)
        column->addLayout(below);
    else
        for (auto* unused : {static_cast<QWidget*>(why_), static_cast<QWidget*>(take_)})
            unused->setParent(tab), unused->hide();
    return tab;
}

QWidget* RecordPage::makeOptions() {
    auto* box = new QGroupBox(tr("What"));
    box->setFixedWidth(kOptionsWidth);
    auto* column = new QVBoxLayout(box);
    heap_->setToolTip(tr("malloc, new and what else takes blocks of a heap, each with its stack"));
    virtualAlloc_->setToolTip(tr("What the program asks of the system itself: VirtualAlloc, mmap and the like"));
    stacksOnFree_->setToolTip(tr("Also who gave a block back; costs as much again"));
    children_->setToolTip(tr("Programs that it starts are recorded, too"));
    for (auto* tick : {heap_, virtualAlloc_, stacksOnFree_, children_}) {
        column->addWidget(tick);
    }
    column->addSpacing(10);
    cost_->setWordWrap(true);
    column->addWidget(cost_);
    column->addStretch(1);
    return box;
}

void RecordPage::connectAll() {
    connect(program_, &QLineEdit::textChanged, this, &RecordPage::follow);
    connect(tabs_, &QTabWidget::currentChanged, this, &RecordPage::follow);
    for (const auto* tick : {heap_, virtualAlloc_, stacksOnFree_, children_}) {
        connect(tick, &QCheckBox::toggled, this, &RecordPage::follow);
    }
    connect(search_, &QLineEdit::textChanged, sorted_, &QSortFilterProxyModel::setFilterFixedString);
    connect(processes_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RecordPage::follow);
    connect(processes_, &QTreeView::doubleClicked, this, [this] {
        if (!canAttach_) takeCommandLine();
    });
    connect(take_, &QPushButton::clicked, this, &RecordPage::takeCommandLine);
}

void RecordPage::browseProgram() {
    auto* dialog = new QFileDialog(this, tr("Program to Record"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, program_, &QLineEdit::setText);
    dialog->open();
}

void RecordPage::browseFolder() {
    auto* dialog = new QFileDialog(this, tr("Folder to Run In"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, folder_, &QLineEdit::setText);
    dialog->open();
}

void RecordPage::takeCommandLine() {
    const auto* process = selectedProcess();
    if (!process || process->commandLine.isEmpty()) return;
    const auto line = process->commandLine;
    const auto quote = line.startsWith(QLatin1Char('"'));
    const auto end = quote ? line.indexOf(QLatin1Char('"'), 1) : line.indexOf(QLatin1Char(' '));
    program_->setText(end < 0 ? line : line.mid(quote ? 1 : 0, quote ? end - 1 : end));
    arguments_->setText(end < 0 ? QString() : line.mid(end + 1).trimmed());
    tabs_->setCurrentIndex(kLaunchTab);
    program_->setFocus();
}

const ListedProcess* RecordPage::selectedProcess() const {
    const auto rows = processes_->selectionModel()->selectedRows();
    return rows.isEmpty() ? nullptr : &model_.process(sorted_->mapToSource(rows.first()).row());
}

QString RecordPage::cost() const {
    if (!heap_->isChecked() && !virtualAlloc_->isChecked()) return tr("Tick what to record.");
    if (!heap_->isChecked()) return tr("VirtualAlloc with stacks: hardly anything.");
    return stacksOnFree_->isChecked() ? tr("Heap with stacks on free, too: about 0.6 µs and 160 bytes per allocation.")
                                      : tr("Heap with stacks: about 0.3 µs and 100 bytes per allocation.");
}

void RecordPage::follow() {
    const auto* process = selectedProcess();
    const bool isLaunch = tabs_->currentIndex() == kLaunchTab;
    const bool hasTarget = isLaunch ? !program_->text().trimmed().isEmpty() : canAttach_ && process;
    start_->setEnabled(hasTarget && (heap_->isChecked() || virtualAlloc_->isChecked()));
    take_->setEnabled(process && !process->commandLine.isEmpty());
    children_->setEnabled(isLaunch);
    cost_->setText(cost());
}

RecordChoices RecordPage::choices() const {
    RecordChoices choices;
    const auto* process = selectedProcess();
    if (tabs_->currentIndex() == kProcessTab && process) choices.pid = process->pid;
    choices.program = program_->text().trimmed();
    choices.arguments = arguments_->text();
    choices.folder = folder_->text().trimmed();
    for (const auto& line : environment_->toPlainText().split(QLatin1Char('\n'))) {
        if (!line.trimmed().isEmpty()) choices.environment << line.trimmed();
    }
    choices.heap = heap_->isChecked();
    choices.virtualAlloc = virtualAlloc_->isChecked();
    choices.stacksOnFree = stacksOnFree_->isChecked();
    choices.children = children_->isChecked();
    return choices;
}

void RecordPage::setChoices(const RecordChoices& choices) {
    program_->setText(choices.program);
    arguments_->setText(choices.arguments);
    folder_->setText(choices.folder);
    environment_->setPlainText(choices.environment.join(QLatin1Char('\n')));
    heap_->setChecked(choices.heap);
    virtualAlloc_->setChecked(choices.virtualAlloc);
    stacksOnFree_->setChecked(choices.stacksOnFree);
    children_->setChecked(choices.children);
    follow();
}

void RecordPage::setProcesses(const QList<ListedProcess>& processes) {
    model_.setProcesses(processes);
    follow();
}

} // namespace highwater::ui
