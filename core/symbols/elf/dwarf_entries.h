#pragma once

#include "core/base/seeded_hash.h"
#include "core/symbols/answers/resolved_addresses.h"
#include "core/symbols/elf/dwarf_range_lists.h"
#include "core/symbols/elf/dwarf_scopes.h"
#include "core/symbols/elf/dwarf_units.h"

#include <optional>
#include <span>
#include <string_view>
#include <tsl/robin_map.h>
#include <vector>

namespace highwater::symbols {

/// A function or an inlined call that contains requested addresses.
struct DwarfFrame {
    std::uint64_t entry = 0; ///< offset in .debug_info, for its name
    std::uint64_t begin = 0; ///< lowest address
    std::uint32_t callFile = 0;
    std::uint32_t callLine = 0;
    bool isInlined = false;
};

/// The frames at an address: a list from the innermost outwards, inside DwarfFrames.
struct DwarfFrames {
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
    struct Link {
        std::uint32_t frame = 0;
        std::uint32_t outer = kNone; ///< index of a link
    };
    std::vector<DwarfFrame> frames;
    std::vector<Link> links;
    std::vector<std::uint32_t> innermost; ///< link per address, or kNone
};

/// Reads the entries of one unit. One thread.
class DwarfEntries {
  public:
    /// All arguments must outlive the object.
    DwarfEntries(DwarfUnits& units, const DwarfUnits::Prepared& unit, DwarfScopesOfUnits& scopes)
        : units_(units), unit_(unit), scopes_(scopes) {}

    /// The frames at each of the sorted addresses.
    [[nodiscard]] DwarfFrames framesAt(std::span<const std::uint64_t> sortedAddresses);
    /// The linkage name, otherwise the name of the function's entry with its classes and namespaces; "" if there is
    /// none. Points into the file or into `texts`.
    [[nodiscard]] std::string_view functionName(std::uint64_t entry, StringIds& texts);

  private:
    struct Range {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
    };
    struct FunctionAttributes;
    struct NameAttributes;
    /// An entry of this file or of its supplement.
    struct EntryPlace {
        DwarfUnits* units = nullptr;
        std::uint64_t offset = 0;
    };
    class Walk;

    [[nodiscard]] FunctionAttributes readFunction(const DwarfAbbreviations::Entry& abbreviation,
                                                  std::uint64_t attributesAt) const;
    [[nodiscard]] std::vector<Range> rangesOf(const FunctionAttributes& attributes, DwarfRangeLists& lists) const;
    [[nodiscard]] NameAttributes readNames(EntryPlace place) const;
    [[nodiscard]] std::string_view qualified(std::string_view name, EntryPlace declaration, bool isExternal,
                                             StringIds& texts) const;

    DwarfUnits& units_;
    const DwarfUnits::Prepared& unit_;
    DwarfScopesOfUnits& scopes_;
    tsl::robin_map<std::uint64_t, std::string_view, SeededHash> names_;
};

} // namespace highwater::symbols
