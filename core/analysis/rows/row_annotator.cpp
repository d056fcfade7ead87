#include "core/analysis/rows/row_annotator.h"

namespace highwater::analysis {

RowAnnotator::RowAnnotator(const Annotations& annotations, const KeyReader& reader, FrameLabels& labels) {
    for (const auto& [label, text, query] : annotations) {
        const auto key = label == kNoAnnotation ? 0 : KeyReader::annotationKey(labels.textId(label));
        rules_.push_back({QueryMatcher(query, reader), key});
    }
}

std::optional<std::uint32_t> RowAnnotator::keyOf(const CellKey& cell) {
    std::optional<std::uint32_t> possible;
    for (auto& [query, key] : rules_) {
        const auto truth = query.matches(cell);
        if (truth == Truth::False) continue;
        // If several queries have the same label, it does not matter which of them matches.
        if (possible && *possible != key) return std::nullopt;
        if (truth == Truth::True) return key;
        possible = key;
    }
    return possible && *possible != 0 ? std::nullopt : std::optional(0u);
}

std::uint32_t RowAnnotator::keyOf(const RowFacts& row) {
    for (auto& [query, key] : rules_) {
        if (query.matches(row)) return key;
    }
    return 0;
}

} // namespace highwater::analysis
