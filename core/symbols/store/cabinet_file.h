#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace highwater::symbols {

/// The largest PDB that a cabinet may hold; cabinets cannot hold more than that either.
inline constexpr std::uint64_t kMostUnpackedBytes = std::uint64_t{4} << 30;
inline constexpr std::uint64_t kMostUnpackedInMemory = std::uint64_t{512} << 20;

/// Unpacks the only file of a cabinet (`file.pd_`, as symbol servers compress with MSZIP or LZX) to `target`, which is
/// complete when it is there: written under another name and renamed. Only the user can read it. Refuses what becomes
/// larger than `mostBytes`, or 200 times as large as the cabinet: debug files become ten times as large.
[[nodiscard]] Result<void> unpackCabinet(const std::filesystem::path& cabinet, const std::filesystem::path& target,
                                         std::uint64_t mostBytes = kMostUnpackedBytes);
/// The same without a file.
[[nodiscard]] Result<std::vector<std::byte>> unpackCabinetToMemory(const std::filesystem::path& cabinet,
                                                                   std::uint64_t mostBytes = kMostUnpackedInMemory);

} // namespace highwater::symbols
