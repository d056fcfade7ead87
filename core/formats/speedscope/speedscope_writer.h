#pragma once

#include "core/analysis/flames/flames.h"

#include <ostream>
#include <string>

namespace highwater::formats {

/// Writes a flame graph in speedscope's format: stacks from the root, and their widths in bytes, or rows for Count. For
/// a comparison two profiles, before and now. Negative amounts have no width and are omitted. Errors are those of the
/// stream. Any thread.
void writeSpeedscope(const analysis::FlameTree& tree, analysis::Column measure, const std::string& title,
                     std::ostream& out);

} // namespace highwater::formats
