#pragma once

#include "ui/state/table/table_answer.h"

#include <QStringList>

#include <memory>
#include <stop_token>

namespace highwater::ui {

/// Request for facts about the frames of a row beyond its text, for the row under the pointer.
struct FactsRequest {
    std::shared_ptr<const TableAnswer> answer;
    analysis::GroupedTable::NodeId node = analysis::GroupedTable::kRoot;
};

/// Tooltip lines; empty: no further facts. Workers only.
[[nodiscard]] Result<QStringList> answerFacts(const FactsRequest& request, std::stop_token stop);

} // namespace highwater::ui
