#pragma once

#include "core/event/code_events.h"
#include "core/source/records/batch_builder.h"

#include <cstdint>

namespace highwater::source {

/// Writes an event of a runtime about its code as a record of Highwater's own (docs/etl-format.md 12.11): new or
/// existing functions, and names of modules.
void addCode(BatchBuilder& batch, std::int64_t ticks, const CodeEvent& event);

} // namespace highwater::source
