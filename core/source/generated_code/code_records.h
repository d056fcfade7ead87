#pragma once

#include "core/event/code_events.h"
#include "core/source/records/batch_builder.h"

#include <cstdint>

namespace highwater::source {

/// What a runtime said of its code, as a record of Highwater's own (docs/etl-format.md 12.11): functions that begin or
/// were there, and names of modules.
void addCode(BatchBuilder& batch, std::int64_t ticks, const CodeEvent& event);

} // namespace highwater::source
