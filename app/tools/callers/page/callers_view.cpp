#include "app/tools/callers/page/callers_view.h"

#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/view/access/focus.h"
#include "ui/view/parts/elided_label.h"
#include "ui/view/parts/narrow_text.h"
#include "ui/view/parts/page_table.h"
#include "ui/view/parts/page_widgets.h"
#include "ui/view/parts/shortcuts_first.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QSplitter>
#include <QVBoxLayout>

namespace highwater::ui {
namespace {

constexpr int kNumberLetters = 18;
constexpr int kOpenLevels = 1; ///< children of the function

} // namespace

CallersView::CallersView(QWidget* parent)
    : QWidget(parent),
      callersModel_(CallTreeModel::Side::Callers),
      calleesModel_(CallTreeModel::Side::Callees),
      function_(new QLineEdit),
      summary_(new ElidedLabel({})),
      callers_(makeTree("callersTree", tr("Callers"), callersModel_)),
      callees_(makeTree("calleesTree", tr("Callees"), calleesModel_)) {
    build();
    clear(emptyText());
}

QTreeView* CallersView::makeTree(const char* name, const QString& title, CallTreeModel& model) {
    auto* tree = new PageTable(name, title);
    tree->setModel(&model);
    tree->setItemDelegateForColumn(CallTreeModel::kFunction, new FrameDelegate(tree));
    tree->setExpandsOnDoubleClick(false);
    tree->header()->setStretchLastSection(false);
    tree->header()->setSectionResizeMode(CallTreeModel::kFunction, QHeaderView::Stretch);
    for (int column = 1; column < CallTreeModel::kColumns; ++column)
        tree->setColumnWidth(column, fontMetrics().averageCharWidth() * kNumberLetters);
    connect(tree, &QTreeView::activated, this,
            [this](const QModelIndex& index) { emit functionWanted(index.data(CallTreeModel::kNameRole).toString()); });
    return tree;
}

void CallersView::build() {
    setObjectName(QStringLiteral("callersView"));
    passFocus(*this, *function_);
    function_->setObjectName(QStringLiteral("callersFunction"));
    function_->setAccessibleName(tr("Function"));
    function_->setPlaceholderText(tr("module!function"));
    function_->setClearButtonEnabled(true);
    preferWindowShortcuts(*function_);
    summary_->setObjectName(QStringLiteral("callersSummary"));
    auto* line = new QHBoxLayout;
    line->addWidget(function_, 2);
    line->addWidget(summary_, 3);
    auto* layout = makePageLayout(*this);
    layout->addLayout(line);
    layout->addWidget(makeSideBySide(callers_, callees_, 0, 0), 1);
    connect(function_, &QLineEdit::returnPressed, this, [this] { emit functionWanted(function_->text()); });
}

void CallersView::setFunction(const QString& function) { function_->setText(lineText(function)); }

void CallersView::setAnswer(std::shared_ptr<const analysis::Callers> answer, analysis::Table table,
                            TimeRange interval) {
    const auto where = tr("%1, %2").arg(toQString(analysis::tableTitle(table)), formatRange(interval));
    callersModel_.setAnswer(answer);
    calleesModel_.setAnswer(answer);
    for (auto* tree : {callers_, callees_}) {
        tree->expandToDepth(kOpenLevels);
        tree->setCurrentIndex(tree->model()->index(0, 0));
    }
    const auto& sums = answer->callees.nodes()[0].sums;
    words_ = sums.count == 0 ? tr("%1: no stack in this interval and filter contains this function. Write it as "
                                  "module!function, as shown in tables.")
                                   .arg(where)
                             : tr("%1: %2, Impacting Size %3, Size %4")
                                   .arg(where, rowCountText(table, sums.count),
                                        formatBytes(static_cast<SignedByteCount>(sums.impacting)),
                                        formatBytes(static_cast<SignedByteCount>(sums.size)));
    summary_->setText(words_);
}

void CallersView::clear(const QString& why) {
    callersModel_.setAnswer(nullptr);
    calleesModel_.setAnswer(nullptr);
    words_ = why.isEmpty() ? tr("Type a function as module!function, as shown in tables, or choose Callers and Callees "
                                "in the context menu of a frame in a table.")
                           : why;
    summary_->setText(words_);
}

void CallersView::setBusy(bool busy) { summary_->setText(busy ? tr("Searching for calls…") : words_); }

} // namespace highwater::ui

#include "moc_callers_view.cpp"
