#pragma once

#include "core/export/difference/difference_page.h"
#include "core/export/table_format.h"
#include "core/export/table_walk.h"

#include <ostream>

namespace highwater::exports {

/// Writes the tree, opened as far as the limits allow, in the shape of docs/command-line.md. The losses of the traces
/// are in JSON and NDJSON only. Works on the calling thread. Errors are those of the stream.
void writeDifference(TableFormat format, const DifferencePage& page, TreeLimits limits, std::ostream& out);

/// Both lines, slice by slice, as text, CSV or JSON.
void writeDifferenceTimeline(TableFormat format, const DifferencePage& page,
                             const analysis::DifferenceTimeline& timeline, std::ostream& out);

} // namespace highwater::exports
