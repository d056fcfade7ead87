#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace highwater::symbols {

/// Unpacks the only file of a cabinet (`file.pd_`, as symbol servers compress with MSZIP or LZX) to `target`, which is
/// complete when it is there: written under another name and renamed.
[[nodiscard]] Result<void> unpackCabinet(const std::filesystem::path& cabinet, const std::filesystem::path& target);

} // namespace highwater::symbols
