#pragma once

#include <cstdint>
#include <filesystem>

namespace highwater::symbols {

/// What downloads and resolved names fill in a cache folder: `names/*.names`, `name / GUID+age / *` and
/// `buildid / ... / debuginfo`. Whatever else lies in the folder is somebody else's: it is neither counted nor removed.
/// Both walk the folder: call them from a worker.
[[nodiscard]] std::uint64_t cacheBytes(const std::filesystem::path& folder);
/// Bytes that were removed. What cannot be removed stays.
std::uint64_t clearCache(const std::filesystem::path& folder);

} // namespace highwater::symbols
