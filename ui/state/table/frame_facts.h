#pragma once

#include "ui/state/table/table_answer.h"

#include <QStringList>

#include <memory>
#include <stop_token>

namespace highwater::ui {

/// What is known of the frames behind a row, besides its text: asked for when someone points at it.
struct FactsRequest {
    std::shared_ptr<const TableAnswer> answer;
    analysis::GroupedTable::NodeId node = analysis::GroupedTable::kRoot;
};

/// Lines for a tool tip; none: nothing more is known. Workers only.
[[nodiscard]] Result<QStringList> answerFacts(const FactsRequest& request, std::stop_token stop);

} // namespace highwater::ui
