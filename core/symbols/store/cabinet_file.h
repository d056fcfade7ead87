#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace highwater::symbols {

/// The largest PDB in a cabinet, which is also the limit of the cabinet format.
inline constexpr std::uint64_t kMostUnpackedBytes = std::uint64_t{4} << 30;
inline constexpr std::uint64_t kMostUnpackedInMemory = std::uint64_t{512} << 20;

/// Unpacks the only file of a cabinet (`file.pd_`, as compressed by symbol servers with MSZIP or LZX) to `target`.
/// Writes under another name and renames, so that an existing `target` is complete. Only the user can read it. Rejects
/// files larger than `mostBytes` or 200 times the size of the cabinet; debug files expand about ten times.
[[nodiscard]] Result<void> unpackCabinet(const std::filesystem::path& cabinet, const std::filesystem::path& target,
                                         std::uint64_t mostBytes = kMostUnpackedBytes);
/// The same in memory.
[[nodiscard]] Result<std::vector<std::byte>> unpackCabinetToMemory(const std::filesystem::path& cabinet,
                                                                   std::uint64_t mostBytes = kMostUnpackedInMemory);

} // namespace highwater::symbols
