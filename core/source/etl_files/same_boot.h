#pragma once

#include "core/base/result.h"
#include "core/etl/etl_reader.h"
#include "core/event/trace_properties.h"

#include <span>
#include <string>

namespace highwater::source {

/// Whether the times of all files can be compared: same clock, same speed, same boot (whose recorded time is rounded
/// and follows corrections of the wall clock, so small differences are allowed). The Error names the file that does not
/// fit.
[[nodiscard]] Result<void> checkSameBoot(std::span<const etl::EtlReader> readers);

/// A sentence about the widest gap between files, if they are hardly of one recording: none of them has anything for
/// longer than a second there. Empty: there is no such gap.
[[nodiscard]] std::string whatLiesApart(std::span<const etl::EtlReader> readers);

/// The facts of all files as one trace: time 0 is the earliest header record. At least one reader.
[[nodiscard]] TraceProperties combinedProperties(std::span<const etl::EtlReader> readers);

} // namespace highwater::source
