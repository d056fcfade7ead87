#pragma once

#include "core/analysis/flames/flames.h"

#include <ostream>
#include <string>

namespace highwater::formats {

/// A flame graph as speedscope reads it: stacks from the root, and how wide each is, in bytes, or of Count in rows. Of
/// a comparison two profiles, before and now; what is less than nothing has no width there, and none here. `title`:
/// what it is of. Errors are those of the stream. Any thread.
void writeSpeedscope(const analysis::FlameTree& tree, analysis::Column measure, const std::string& title,
                     std::ostream& out);

} // namespace highwater::formats
