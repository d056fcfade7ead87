#pragma once

#include "core/symbols/elf/dwarf_units.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater::symbols {

/// The namespaces, classes and functions of one unit, by where their entries lie: an entry does not say what it is in.
/// One pass over the unit. Never changes; any thread.
class DwarfScopes {
  public:
    DwarfScopes(const DwarfUnits& units, const DwarfUnits::Prepared& unit);

    struct Around {
        std::string prefix;   ///< "std::thread::"; empty: none
        bool isClass = false; ///< the innermost
    };
    /// Of an entry's offset in .debug_info.
    [[nodiscard]] Around around(std::uint64_t entry) const;

  private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
    struct Scope {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::uint32_t parent = kNone;
        bool isClass = false;
        std::string_view name; ///< in the file
    };
    class Walk;

    std::vector<Scope> scopes_; ///< by begin; those in others behind them
};

/// Those of all units that somebody asked about, each read once. Any thread.
class DwarfScopesOfUnits {
  public:
    /// Both must outlive it.
    [[nodiscard]] const DwarfScopes& of(const DwarfUnits& units, const DwarfUnits::Prepared& unit);

  private:
    std::mutex mutex_;
    std::map<const DwarfUnits::Prepared*, std::unique_ptr<DwarfScopes>> scopes_;
};

} // namespace highwater::symbols
