#pragma once

#include "core/export/difference/difference_page.h"
#include "core/export/table_format.h"
#include "core/export/table_walk.h"

#include <ostream>

namespace highwater::exports {

/// Writes the tree within the limits. docs/command-line.md specifies the formats. Only JSON and NDJSON contain the
/// losses of the traces. Works on the calling thread. Errors are those of the stream.
void writeDifference(TableFormat format, const DifferencePage& page, TreeLimits limits, std::ostream& out);

/// Writes both series, slice by slice, as text, CSV or JSON.
void writeDifferenceTimeline(TableFormat format, const DifferencePage& page,
                             const analysis::DifferenceTimeline& timeline, std::ostream& out);

} // namespace highwater::exports
