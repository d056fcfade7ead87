#include "ui/view/symbols/modules_view.h"

#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/symbol_format.h"
#include "ui/view/access/row_height.h"
#include "ui/view/parts/elided_label.h"
#include "ui/view/parts/page_widgets.h"
#include "ui/view/parts/plain_widgets.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace highwater::ui {
namespace {

/// Widths of the columns in characters; state and path are the longest.
constexpr int kLetters[ModuleTableModel::kColumns] = {22, 46, 9, 11, 50, 40};

} // namespace

ModulesView::ModulesView(QWidget* parent)
    : QWidget(parent),
      table_(new PageTable("moduleTable", tr("Modules"))),
      tried_(new QTreeWidget),
      summary_(new PlainLabel),
      triedTitle_(new ElidedLabel({})),
      buttons_(new QWidget) {
    build();
    clear(tr("Open a trace to see its modules."));
}

void ModulesView::build() {
    setObjectName(QStringLiteral("modulesView"));
    buildTable();
    auto* row = new QHBoxLayout(buttons_);
    row->setContentsMargins(0, 0, 0, 0);
    cancel_ = addButton("cancelModules", tr("Cancel"),
                        tr("Stop searching for symbols of the selected modules, or of all modules"));
    retry_ = addButton("retryModules", tr("Retry"),
                       tr("Search again for symbols of the selected modules, or of all modules without symbols"));
    locate_ = addButton("locateModule", tr("Locate File…"), tr("Choose the debug file of the selected module"));
    copy_ = addButton("copyModules", tr("Copy"), tr("Copy the selected rows, or all rows, with the places tried"));
    auto* paths = addButton("modulePaths", tr("Symbol Paths…"), tr("Configure where symbols are searched for"));
    row->addStretch(1);
    summary_->setObjectName(QStringLiteral("moduleSummary"));
    row->addWidget(summary_);
    auto* below = new QWidget;
    auto* belowLayout = new QVBoxLayout(below);
    belowLayout->setContentsMargins(0, 0, 0, 0);
    belowLayout->setSpacing(4);
    belowLayout->addWidget(triedTitle_);
    belowLayout->addWidget(tried_);
    auto* layout = makePageLayout(*this);
    layout->addWidget(buttons_);
    layout->addWidget(makeSideBySide(table_, below, 3, 2), 1); // the analysis table needs the height
    connect(cancel_, &QPushButton::clicked, this, [this] { emit cancelWanted(selectedModules()); });
    connect(retry_, &QPushButton::clicked, this, [this] { emit retryWanted(selectedModules()); });
    connect(locate_, &QPushButton::clicked, this, &ModulesView::askForFile);
    connect(copy_, &QPushButton::clicked, table_, &PageTable::copy);
    connect(paths, &QPushButton::clicked, this, &ModulesView::pathsWanted);
}

void ModulesView::buildTable() {
    table_->setSortedModel(model_, ModuleTableModel::kSortRole);
    table_->sortByColumn(ModuleTableModel::kBytes, Qt::DescendingOrder);
    table_->setRootIsDecorated(false);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setLetters(kLetters);
    table_->setCopiedLines([this] { return copiedLines(); });
    tried_->setObjectName(QStringLiteral("triedPlaces"));
    tried_->setAccessibleName(tr("Places tried"));
    tried_->setHeaderLabels({tr("Place"), tr("Outcome")});
    tried_->setRootIsDecorated(false);
    useOneRowHeight(*tried_);
    tried_->setColumnWidth(0, fontMetrics().averageCharWidth() * 44);
    tried_->setTextElideMode(Qt::ElideMiddle); // both ends of a path matter
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ModulesView::followSelection);
    connect(&model_, &QAbstractItemModel::dataChanged, this, &ModulesView::showTried);
}

QPushButton* ModulesView::addButton(const char* name, const QString& text, const QString& toolTip) {
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tooltipText(toolTip));
    button->setAutoDefault(false);
    buttons_->layout()->addWidget(button);
    return button;
}

void ModulesView::setStatus(const symbols::SymbolLoadStatus& status,
                            std::shared_ptr<const store::ProcessTable> processes) {
    const bool wasEmpty = model_.rowCount() == 0;
    status_ = status;
    model_.setStatus(status, std::move(processes));
    if (wasEmpty) table_->scrollToTop();
    const auto sentences = symbolSentences(status).split(QLatin1Char('\n'));
    const bool isEmpty = status.modules.empty();
    summary_->setText(isEmpty ? (status.isBusy ? tr("Looking for modules that appear in stacks…")
                                               : tr("No module appears in stacks."))
                              : sentences.first());
    summary_->setToolTip(tooltipText(sentences.join(QLatin1Char('\n'))));
    followSelection();
}

void ModulesView::clear(const QString& why) {
    model_.clear();
    status_ = {};
    summary_->setText(why);
    summary_->setToolTip({});
    followSelection();
}

std::vector<int> ModulesView::selectedRows() const {
    std::vector<int> rows;
    for (const auto& index : table_->selectionModel()->selectedRows())
        rows.push_back(table_->toSource(index).row());
    return rows;
}

std::vector<store::ModuleIndex> ModulesView::selectedModules() const {
    std::vector<store::ModuleIndex> modules;
    for (const auto row : selectedRows())
        modules.push_back(model_.load(row).module);
    return modules;
}

void ModulesView::followSelection() {
    const auto rows = selectedRows();
    const bool isAll = rows.empty();
    const auto isOpen = [&](const symbols::ModuleLoad& load) {
        return load.state == symbols::ModuleLoad::State::Waiting || load.state == symbols::ModuleLoad::State::Loading;
    };
    const bool hasOpen = isAll
                             ? status_.isBusy
                             : std::any_of(rows.begin(), rows.end(), [&](int row) { return isOpen(model_.load(row)); });
    cancel_->setText(isAll ? tr("Cancel All") : tr("Cancel"));
    cancel_->setEnabled(hasOpen);
    retry_->setText(isAll ? tr("Retry All") : tr("Retry"));
    retry_->setEnabled(model_.rowCount() > 0);
    locate_->setEnabled(rows.size() == 1);
    copy_->setEnabled(model_.rowCount() > 0);
    showTried();
}

/// Rebuilds the list only when it differs, to preserve scrolling.
void ModulesView::showTried() {
    const auto rows = selectedRows();
    const bool isOne = rows.size() == 1;
    const auto places = isOne ? model_.load(rows.front()).tried : std::vector<symbols::TriedPlace>();
    bool isSame = tried_->topLevelItemCount() == static_cast<int>(places.size());
    for (int i = 0; isSame && i < tried_->topLevelItemCount(); ++i) {
        const auto& place = places[static_cast<std::size_t>(i)];
        isSame = tried_->topLevelItem(i)->text(0) == lineText(place.place) &&
                 tried_->topLevelItem(i)->text(1) == lineText(place.outcome);
    }
    followTitle();
    if (isSame) return;
    tried_->clear();
    for (const auto& place : places) {
        auto* item = new QTreeWidgetItem(tried_, {lineText(place.place), lineText(place.outcome)});
        item->setToolTip(0, tooltipText(toQString(place.place)));
        item->setToolTip(1, tooltipText(toQString(place.outcome)));
    }
}

void ModulesView::followTitle() {
    const auto rows = selectedRows();
    if (rows.size() != 1)
        return triedTitle_->setText(tr("Select a module to see where its symbols were searched for."));
    const auto& load = model_.load(rows.front());
    const auto name = model_.index(rows.front(), ModuleTableModel::kModule).data().toString();
    if (load.tried.empty())
        return triedTitle_->setText(load.isFromCache
                                        ? tr("%1: the names came from the cache; no place was tried.").arg(name)
                                        : tr("%1: no place has been tried yet.").arg(name));
    triedTitle_->setText(tr("%1: places tried, in order").arg(name));
}

void ModulesView::askForFile() {
    const auto modules = selectedModules();
    if (modules.size() != 1) return;
    const auto name = model_.index(selectedRows().front(), ModuleTableModel::kModule).data().toString();
    auto* dialog = new QFileDialog(this, tr("Locate the Debug File of %1").arg(name), {},
                                   tr("Debug files (*.pdb *.pd_ *.debug *.elf *.so* *.exe *.dll);;All files (*)"));
    dialog->setObjectName(QStringLiteral("locateDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, module = modules.front()](const QString& file) { emit locateWanted(module, file); });
    dialog->open();
}

QStringList ModulesView::copiedLines() const {
    auto rows = selectedRows();
    if (rows.empty()) {
        for (int i = 0; i < model_.rowCount(); ++i)
            rows.push_back(table_->toSource(table_->model()->index(i, 0)).row());
    }
    QStringList titles;
    for (int column = 0; column < ModuleTableModel::kColumns; ++column)
        titles << model_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    QStringList lines{titles.join(QLatin1Char('\t'))};
    for (const auto row : rows) {
        lines << tabbedCells(model_.index(row, 0));
        for (const auto& tried : model_.load(row).tried)
            lines << QStringLiteral("\t%1: %2").arg(visibleText(tried.place), visibleText(tried.outcome));
    }
    return lines;
}

} // namespace highwater::ui

#include "moc_modules_view.cpp"
