#pragma once

#include "core/analysis/frames/frame_facts.h"

#include <QStringList>

namespace highwater::ui {

/// What is known of the frames behind a row, as lines of a tool tip, the most useful first. None: no more than its
/// text.
[[nodiscard]] QStringList factsLines(const analysis::FrameFacts& facts);

} // namespace highwater::ui
