#include "app/tools/difference/page/difference_chart.h"
#include "app/tools/difference/page/difference_view.h"
#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/view/access/focus.h"
#include "ui/view/flames/tree_flames_view.h"
#include "ui/view/parts/page_table.h"

#include <QComboBox>
#include <QSplitter>
#include <QToolButton>

#include <algorithm>

// Requests and shows the graph and the flame graph of the page.
namespace highwater::ui {

DifferenceView::Shows DifferenceView::shows() const { return static_cast<Shows>(std::max(0, shows_->currentIndex())); }

void DifferenceView::setShows(Shows shows) {
    shows_->setCurrentIndex(static_cast<int>(shows));
    const bool hasLines = shows == Shows::TableAndGraph && !isOfInstants();
    chart_->setVisible(hasLines);
    whole_->setVisible(hasLines);
    splitter_->setVisible(shows != Shows::Flames);
    flames_->setVisible(shows == Shows::Flames);
    passFocus(*this, shows == Shows::Flames ? static_cast<QWidget&>(*flames_) : *tree_);
}

/// Two heap snapshots have no line between them.
bool DifferenceView::isOfInstants() const {
    return model_.answer() && model_.answer()->table == analysis::Table::Snapshot;
}

void DifferenceView::setRenamable(bool isRenamable, std::size_t renames) {
    renames_->setVisible(isRenamable);
    renames_->setText(renames == 0 ? tr("Renames…") : tr("Renames (%1)…").arg(renames));
}

/// The selected rows, or the total if none is selected or all rows are requested.
std::vector<std::uint32_t> DifferenceView::rowsOfLines() const {
    std::vector<std::uint32_t> rows;
    if (!whole_->isChecked()) {
        for (const auto& index : tree_->selectionModel()->selectedRows())
            rows.push_back(DifferenceModel::rowOf(tree_->toSource(index)));
    }
    if (rows.empty()) rows.push_back(0);
    return rows;
}

void DifferenceView::requestPictures() {
    if (!model_.answer()) return;
    if (shows() == Shows::TableAndGraph && !isOfInstants()) emit linesWanted(rowsOfLines());
    if (shows() == Shows::Flames) emit flamesWanted();
}

void DifferenceView::setLines(const DifferenceLines& lines) {
    if (lines.answer != model_.answer()) return;
    const auto rows = lines.rows.size();
    const auto first = lines.rows.front();
    const auto name = first == 0 ? tr("All rows") : lineText(lines.answer->rows[first].text);
    chart_->setSubject(rows == 1 ? name : tr("%1 rows").arg(formatCount(static_cast<std::int64_t>(rows))));
    chart_->setTimeline(std::make_shared<const analysis::DifferenceTimeline>(lines.timeline));
}

void DifferenceView::setFlames(const DifferenceFlames& flames) {
    if (flames.answer != model_.answer()) return;
    const auto title = analysis::tableTitle(flames.answer->table);
    flames_->setSubject(tr("%1; before: %2; after: %3").arg(toQString(title), before_, after_));
    flames_->setAnswer(flames.flames);
}

std::optional<std::uint32_t> DifferenceView::rowOf(const QStringList& path) const {
    if (!model_.answer() || path.isEmpty()) return std::nullopt;
    const auto& rows = model_.answer()->rows;
    std::uint32_t at = 0;
    for (const auto& text : path) {
        const auto& children = rows[at].children;
        const auto found = std::find_if(children.begin(), children.end(),
                                        [&](std::uint32_t child) { return toQString(rows[child].text) == text; });
        if (found == children.end()) return std::nullopt;
        at = *found;
    }
    return at;
}

void DifferenceView::goToRow(const QStringList& path) {
    const auto at = tree_->fromSource(find(path));
    if (!at.isValid()) return;
    setShows(Shows::Table);
    tree_->setCurrentIndex(at);
    tree_->scrollTo(at);
    tree_->setFocus();
}

} // namespace highwater::ui
