#pragma once

#include "core/analysis/frames/frame_facts.h"

#include <QStringList>

namespace highwater::ui {

/// Known facts about the frames of a row as tooltip lines, the most useful first. Empty: nothing beyond the row's text.
[[nodiscard]] QStringList factsLines(const analysis::FrameFacts& facts);

} // namespace highwater::ui
