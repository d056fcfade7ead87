#include "ui/view/table/table_actions.h"

#include "ui/format/column_format.h"
#include "ui/format/qt_text.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/analysis_state.h"
#include "ui/state/table/table_answer.h"
#include "ui/state/table/table_export.h"
#include "ui/view/parts/command_look.h"

#include <QMenu>
#include <QTreeView>

namespace highwater::ui {

using Mode = analysis::RowFilter::Clause::Mode;

std::optional<analysis::KeyPath> heapOf(const analysis::KeyPath& row) {
    analysis::KeyPath heap(2);
    bool hasProcess = false, hasHandle = false;
    for (const auto& step : row) {
        if (step.column == analysis::Column::Process) heap[0] = step, hasProcess = true;
        if (step.column == analysis::Column::Handle && step.key != 0) heap[1] = step, hasHandle = true;
    }
    return hasProcess && hasHandle ? std::optional(heap) : std::nullopt;
}

TableActions::TableActions(GraphState& state, QTreeView& view)
    : QObject(&view),
      state_(state),
      view_(view),
      levels_(std::make_unique<QMenu>()),
      exportMenu_(std::make_unique<QMenu>()) {
    build();
    connectActions();
}

TableActions::~TableActions() = default;

QAction* TableActions::add(const QString& name, const QString& text, const QKeySequence& key) {
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    view_.addAction(action);
    all_ << action;
    return action;
}

void TableActions::addSeparator() {
    auto* separator = new QAction(this);
    separator->setSeparator(true);
    all_ << separator;
}

void TableActions::build() {
    buildFilterActions();
    addSeparator();
    buildTreeActions();
    addSeparator();
    buildAnnotationActions();
    addSeparator();
    copy_ = add(QStringLiteral("copy"), tr("&Copy"), QKeySequence::Copy);
    buildExportActions();
}

void TableActions::buildFilterActions() {
    filterTo_ = add(QStringLiteral("filterTo"), tr("&Filter to Selection"), QKeySequence(Qt::Key_F));
    filterOut_ = add(QStringLiteral("filterOut"), tr("Filter &Out Selection"), QKeySequence(Qt::SHIFT | Qt::Key_F));
    setLook(*filterTo_, LineIcon::Filter, tr("Filter"), tr("Keep only the selected rows"));
    setLook(*filterOut_, LineIcon::FilterOut, tr("Filter Out"), tr("Exclude the selected rows"));
    undo_ = add(QStringLiteral("undo"), tr("U&ndo"), QKeySequence::Undo);
    undoFilter_ = add(QStringLiteral("undoFilter"), tr("&Undo Filter"));
    clearFilter_ = add(QStringLiteral("clearFilterAction"), tr("C&lear Filter"));
}

void TableActions::buildTreeActions() {
    hotPath_ = add(QStringLiteral("hotPath"), tr("Expand &Hot Path"), QKeySequence(Qt::CTRL | Qt::Key_Right));
    expandAll_ = add(QStringLiteral("expandAll"), tr("&Expand All"), QKeySequence(Qt::CTRL | Qt::Key_Asterisk));
    expandTo_ = add(QStringLiteral("expandTo"), tr("Expand &To"));
    expandTo_->setMenu(levels_.get());
    collapseAll_ = add(QStringLiteral("collapseAll"), tr("Collapse &All"), QKeySequence(Qt::CTRL | Qt::Key_Left));
    bottomUp_ = add(QStringLiteral("bottomUp"), tr("Stacks &Bottom-Up"), QKeySequence(Qt::CTRL | Qt::Key_B));
    bottomUp_->setCheckable(true);
    setLook(*bottomUp_, LineIcon::BottomUp, tr("Bottom-up"),
            tr("Show stacks from the allocating function up to its callers. When off, stacks start at the thread's "
               "first function"));
    callers_ = add(QStringLiteral("callersAndCallees"), tr("Calle&rs and Callees"), QKeySequence(Qt::Key_C));
    heap_ = add(QStringLiteral("heapOfSelection"), tr("Show &Heap"), QKeySequence(Qt::Key_H));
    heldBy_ = add(QStringLiteral("holdersOfSelection"), tr("Show Hol&ders"), QKeySequence(Qt::Key_B));
}

void TableActions::buildAnnotationActions() {
    annotate_ = add(QStringLiteral("annotate"), tr("Annotate &Selection As…"), QKeySequence(Qt::Key_A));
    auto* edit = add(QStringLiteral("annotations"), tr("Edit A&nnotations…"));
    note_ = add(QStringLiteral("noteOnRow"), tr("Note on Ro&w…"), QKeySequence(Qt::Key_N));
    connect(note_, &QAction::triggered, this, &TableActions::noteWanted);
    connect(annotate_, &QAction::triggered, this, &TableActions::annotateWanted);
    connect(edit, &QAction::triggered, this, &TableActions::annotationsWanted);
}

void TableActions::buildExportActions() {
    auto* menu = new QAction(tr("E&xport"), this);
    menu->setMenu(exportMenu_.get());
    all_ << menu;
    for (const auto rows : {exports::TableRows::Tree, exports::TableRows::Leaves}) {
        for (const auto& format : exports::tableFormats()) {
            if (!format.suffix.empty()) addExport(format, rows);
        }
        exportMenu_->addSeparator();
    }
    for (const auto& format : formats::traceFormats()) {
        if (formats::isOffered(format.format, state_.table())) addFormat(format);
    }
    exportMenu_->addSeparator();
    auto* quote = exportMenu_->addAction(tr("&Quote Formulas in CSV"));
    quote->setObjectName(QStringLiteral("quoteFormulas"));
    quote->setCheckable(true);
    quote->setToolTip(tr("Put ' before a name such as =1+1, so that spreadsheets do not evaluate it"));
    connect(exportMenu_.get(), &QMenu::aboutToShow, quote, [quote] { quote->setChecked(quotesFormulas()); });
    quote->setChecked(quotesFormulas());
    connect(quote, &QAction::triggered, quote, &quoteFormulas);
}

void TableActions::addFormat(const formats::TraceFormatSpec& format) {
    auto* action = exportMenu_->addAction(tr("%1…").arg(toQString(format.name)));
    action->setObjectName(QStringLiteral("exportAs-%1").arg(toQString(format.word)));
    exports_ << action;
    connect(action, &QAction::triggered, this, [this, format = format.format] { emit formatWanted(format); });
}

void TableActions::addExport(const exports::TableFormatSpec& format, exports::TableRows rows) {
    const bool isTree = rows == exports::TableRows::Tree;
    const auto text = isTree ? tr("Shown Rows as %1…") : tr("All Leaves as %1…");
    auto* action = exportMenu_->addAction(text.arg(toQString(format.name)));
    action->setObjectName(
        (isTree ? QStringLiteral("exportShown-%1") : QStringLiteral("exportLeaves-%1")).arg(toQString(format.word)));
    exports_ << action;
    connect(action, &QAction::triggered, this,
            [this, rows, format = format.format] { emit exportWanted(rows, format); });
}

void TableActions::connectActions() {
    connect(filterTo_, &QAction::triggered, this, [this] { emit filterWanted(Mode::Keep); });
    connect(filterOut_, &QAction::triggered, this, [this] { emit filterWanted(Mode::Remove); });
    connect(undo_, &QAction::triggered, this, [this] { state_.analysis().back(); });
    connect(undoFilter_, &QAction::triggered, &state_, &GraphState::undoFilter);
    connect(clearFilter_, &QAction::triggered, &state_, &GraphState::clearFilter);
    connect(hotPath_, &QAction::triggered, this, &TableActions::hotPathWanted);
    connect(expandAll_, &QAction::triggered, this, [this] { emit levelsWanted(ExpandRequest::kAllLevels); });
    connect(collapseAll_, &QAction::triggered, this, &TableActions::collapseWanted);
    connect(bottomUp_, &QAction::triggered, this, &TableActions::turnWanted);
    connect(callers_, &QAction::triggered, this, &TableActions::callersWanted);
    connect(heap_, &QAction::triggered, this, &TableActions::heapWanted);
    connect(heldBy_, &QAction::triggered, this, &TableActions::holdersWanted);
    connect(copy_, &QAction::triggered, this, &TableActions::copyWanted);
    connect(levels_.get(), &QMenu::aboutToShow, this, &TableActions::fillLevels);
    connect(&state_, &GraphState::changed, this, &TableActions::refresh);
    connect(&state_.analysis(), &AnalysisState::changed, this, [this](AnalysisState::Changes changes) {
        if (changes.testFlag(AnalysisState::History)) undo_->setEnabled(state_.analysis().canGoBack());
    });
}

void TableActions::fillLevels() {
    levels_->clear();
    const auto keys = state_.layout().keyColumns();
    for (std::size_t level = 1; level <= keys.size(); ++level) {
        auto* action = levels_->addAction(columnTitle(state_.table(), keys[level - 1]));
        connect(action, &QAction::triggered, this, [this, level] { emit levelsWanted(level); });
    }
}

void TableActions::refresh() {
    const bool hasSelection = view_.selectionModel() && view_.selectionModel()->hasSelection();
    const bool hasRows = view_.model() && view_.model()->rowCount() > 0;
    for (auto* action : {filterTo_, filterOut_, annotate_, copy_}) {
        action->setEnabled(hasSelection);
    }
    const auto key = hasSelection ? view_.currentIndex().data(GroupedTableModel::PathRole).value<analysis::KeyPath>()
                                  : analysis::KeyPath();
    note_->setEnabled(!key.empty());
    callers_->setEnabled(!key.empty() && showsFrames(key.back().column));
    heap_->setEnabled(heapOf(key).has_value());
    heldBy_->setEnabled(hasSelection && state_.table() == analysis::Table::Heap);
    for (auto* action : {hotPath_, expandAll_, collapseAll_, expandTo_}) {
        action->setEnabled(hasRows);
    }
    for (auto* action : exports_) {
        action->setEnabled(hasRows);
    }
    undo_->setEnabled(state_.analysis().canGoBack());
    undoFilter_->setEnabled(state_.canUndoFilter());
    clearFilter_->setEnabled(!state_.filterSteps().empty());
    bottomUp_->setEnabled(stackDirection(state_.layout()).has_value());
    bottomUp_->setChecked(state_.layout().isBottomUp());
}

} // namespace highwater::ui

#include "moc_table_actions.cpp"
