#pragma once

#include "core/event/record_counts.h"
#include "core/event/recorded_system.h"
#include "core/event/trace_properties.h"
#include "core/source/contract/record_source.h"

#include <optional>

namespace highwater::pipeline {

/// Facts about a trace besides its rows.
struct TraceFacts {
    TraceProperties properties;
    source::EtlFileFacts files;
    RecordCounts counts;                            ///< complete when loading has finished, as are the following
    RecordedSystem system{};                        ///< from the records
    std::optional<source::ProgramEnd> programEnd{}; ///< only for a recording
};

} // namespace highwater::pipeline
