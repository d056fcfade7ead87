#pragma once

#include "core/base/result.h"
#include "core/etl/etl_reader.h"
#include "core/event/trace_properties.h"

#include <span>
#include <string>

namespace highwater::source {

/// Checks that the times of all files are comparable: same clock, same speed, same boot. Small differences in boot time
/// are allowed because it is rounded and follows corrections of the wall clock. The error names the file that does not
/// fit.
[[nodiscard]] Result<void> checkSameBoot(std::span<const etl::EtlReader> readers);

/// Describes the widest gap between files of more than one second in which no file has data, which suggests separate
/// recordings. Empty if there is no such gap.
[[nodiscard]] std::string gapSentence(std::span<const etl::EtlReader> readers);

/// The properties of all files as one trace: time 0 is the earliest header record. Needs at least one reader.
[[nodiscard]] TraceProperties combinedProperties(std::span<const etl::EtlReader> readers);

} // namespace highwater::source
