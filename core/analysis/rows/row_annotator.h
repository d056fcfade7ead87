#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/query/annotations.h"
#include "core/analysis/rows/key_reader.h"
#include "core/analysis/rows/query_matcher.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::analysis {

/// Determines labels by their queries, for cells if the cell has enough data, otherwise for rows. Both arguments must
/// outlive it; the reader must contain the stacks of the queries' columns.
class RowAnnotator final : public LabelsOfRows {
  public:
    RowAnnotator(const Annotations& annotations, const KeyReader& reader, FrameLabels& labels);

    /// A key of Column::Annotation; nothing: its rows may have different labels.
    [[nodiscard]] std::optional<std::uint32_t> keyOf(const CellKey& cell) override;
    [[nodiscard]] std::uint32_t keyOf(const RowFacts& row) override;

  private:
    struct Rule {
        QueryMatcher query;
        std::uint32_t key = 0;
    };
    std::vector<Rule> rules_;
};

} // namespace highwater::analysis
