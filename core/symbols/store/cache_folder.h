#pragma once

#include <cstdint>
#include <filesystem>

namespace highwater::symbols {

/// Size of the downloads and resolved names in a cache folder: `names/*.names`, `name / GUID+age / *` and `buildid /
/// ... / debuginfo`. Other files in the folder do not belong to Highwater and are neither counted nor removed. Both
/// functions walk the folder: call them from a worker.
[[nodiscard]] std::uint64_t cacheBytes(const std::filesystem::path& folder);
/// Returns the number of removed bytes. Ignores files that cannot be removed.
std::uint64_t clearCache(const std::filesystem::path& folder);

} // namespace highwater::symbols
