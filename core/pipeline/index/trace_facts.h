#pragma once

#include "core/event/record_counts.h"
#include "core/event/recorded_system.h"
#include "core/event/trace_properties.h"
#include "core/source/contract/record_source.h"

#include <optional>

namespace highwater::pipeline {

/// What is known of a trace besides its rows.
struct TraceFacts {
    TraceProperties properties;
    source::EtlFileFacts files;
    RecordCounts counts;                            ///< complete when loading has finished, as what follows
    RecordedSystem system{};                        ///< as the records say
    std::optional<source::ProgramEnd> programEnd{}; ///< of a recording
};

} // namespace highwater::pipeline
