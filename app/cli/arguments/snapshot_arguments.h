#pragma once

#include "core/analysis/rows/instances.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater::cli {

/// Parses --snapshot SECONDS, which adds instances to the snapshots of the trace. `whole` ends with kNever before the
/// trace is known. The end of the trace is a valid instant. Errors have the kind Usage.
[[nodiscard]] Result<analysis::SharedInstants> parseInstants(const std::vector<std::string>& texts, TimeRange whole);

/// Parses --snapshots A:B, two different numbers.
[[nodiscard]] Result<std::pair<std::uint32_t, std::uint32_t>> parseSnapshotPair(std::string_view text);
/// Fails unless the trace has an instance with this number.
[[nodiscard]] Result<void> checkInstance(std::uint32_t number, const std::vector<analysis::Instance>& instances);

} // namespace highwater::cli
