#include "core/analysis/rows/indexed_population.h"

#include <algorithm>

namespace highwater::analysis {

bool IndexedPopulation::annotate(LabelsOfRows& labels, const std::stop_token& stop) {
    const auto hasSeveral = annotateCells(labels);
    auto annotated = std::optional(AnnotatedRows());
    const bool isByRow = std::find(hasSeveral.begin(), hasSeveral.end(), 1) != hasSeveral.end();
    if (isByRow) annotated = annotateRows(hasSeveral, labels, stop);
    if (!annotated) return false;
    plain_ = std::move(index_);
    for (std::size_t i = 0; i < cells_.size(); ++i)
        annotationOfPlain_.push_back(hasSeveral[i] != 0 ? kNoCell : cells_[i].key.annotation);
    for (const auto& [row, cell] : annotated->rows)
        annotationOfRow_.emplace(row, annotated->cells[cell].key.annotation);
    index_ = CellIndex();
    (void)replaceCells(hasSeveral, std::move(annotated->cells));
    for (std::uint32_t i = 0; i < cells_.size(); ++i)
        index_.add(cells_[i].key, i);
    return !stop.stop_requested();
}

RowFacts IndexedPopulation::facts(RowRef row) const {
    auto facts = plainFacts(row);
    facts.row = row;
    if (annotationOfPlain_.empty()) return facts;
    const auto plain = plain_.find(facts.key);
    if (plain == kNoCell) return facts;
    const auto label = annotationOfPlain_[plain];
    facts.key.annotation = label == kNoCell ? annotationOfRow_.at(row) : label;
    return facts;
}

} // namespace highwater::analysis
