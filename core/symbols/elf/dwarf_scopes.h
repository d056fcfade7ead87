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

/// The namespaces, classes and functions of one unit, by the position of their entries: an entry does not contain its
/// scope. Built in one pass over the unit. Immutable; any thread.
class DwarfScopes {
  public:
    DwarfScopes(const DwarfUnits& units, const DwarfUnits::Prepared& unit);

    struct Around {
        std::string prefix;   ///< "std::thread::"; empty: none
        bool isClass = false; ///< whether the innermost scope is a class
    };
    /// For an entry's offset in .debug_info.
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

    std::vector<Scope> scopes_; ///< sorted by start; nested scopes follow their parents
};

/// The scopes of all requested units, each read once. Any thread.
class DwarfScopesOfUnits {
  public:
    /// Both arguments must outlive the object.
    [[nodiscard]] const DwarfScopes& of(const DwarfUnits& units, const DwarfUnits::Prepared& unit);

  private:
    std::mutex mutex_;
    std::map<const DwarfUnits::Prepared*, std::unique_ptr<DwarfScopes>> scopes_;
};

} // namespace highwater::symbols
