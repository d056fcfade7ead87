#pragma once

#include "core/event/resident_sample.h"
#include "core/source/systems/memory_regions.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::source {

/// Most regions that are listed.
inline constexpr std::size_t kMostSampledRegions = 200'000;
/// Where the system has its own memory, of which the process has page tables in its working set.
inline constexpr Address kSystemMemory = Address{0xFFFF'8000} << 32;

/// All regions, in ascending order, without overlap, whatever the process does meanwhile.
[[nodiscard]] std::vector<MemoryRegion> regionsOf(MemoryRegions& memory);

/// Makes mappings of regions, and names them (mapping_names.h). One thread.
class RegionNames {
  public:
    /// `regions`: all of the process, as from regionsOf().
    RegionNames(MemoryRegions& memory, const std::vector<MemoryRegion>& regions);

    /// With addresses, flags and name.
    [[nodiscard]] Mapping mappingOf(const MemoryRegion& region);
    /// Whether the region is part of a stack: one with a guard, which Windows extends downwards.
    [[nodiscard]] bool isOfStack(const MemoryRegion& region) const;
    [[nodiscard]] std::uint32_t numberOf(std::string_view name);
    /// Of the mappings so far.
    [[nodiscard]] std::vector<std::string> takeNames() { return std::move(list_); }

  private:
    [[nodiscard]] std::string nameOf(const MemoryRegion& region);

    MemoryRegions& memory_;
    std::vector<Address> stacks_;  ///< starts of their allocations, ascending
    std::optional<Address> named_; ///< allocation whose file is `file_`
    std::string file_;
    std::map<std::string, std::uint32_t, std::less<>> names_; ///< to their numbers
    std::vector<std::string> list_;
};

} // namespace highwater::source
