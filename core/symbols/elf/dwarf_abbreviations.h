#pragma once

#include "core/symbols/elf/dwarf_cursor.h"

#include <llvm/DebugInfo/DWARF/DWARFUnit.h>

#include <cstdint>
#include <vector>

namespace highwater::symbols {

/// How to go over the entries of a DWARF unit without reading what does not matter: for every kind of entry the unit
/// declares, what it is and how long its bytes are. Immutable after construction.
class DwarfAbbreviations {
  public:
    enum class Meaning : std::uint8_t {
        Other,    ///< may have functions inside
        Leaf,     ///< types, variables and the like: nothing inside matters
        Function, ///< a function with code
        Inlined,  ///< a call that was inlined
    };
    struct Entry {
        const llvm::DWARFAbbreviationDeclaration* declaration = nullptr;
        Meaning meaning = Meaning::Other;
        bool hasChildren = false;
        std::vector<DwarfStep> steps;
        int siblingStep = -1;          ///< the step that is the offset of the entry after the children; -1: none
        std::uint8_t siblingBytes = 0; ///< 0: LEB
    };

    explicit DwarfAbbreviations(const llvm::DWARFUnit& unit);

    /// nullptr: no such code.
    [[nodiscard]] const Entry* find(std::uint64_t code) const {
        return code - firstCode_ < entries_.size() ? &entries_[code - firstCode_] : nullptr;
    }

    /// Codes from the lowest to the highest.
    [[nodiscard]] std::size_t codes() const { return entries_.size(); }

  private:
    std::uint64_t firstCode_ = 1;
    std::vector<Entry> entries_; ///< by code; those without declaration are gaps
};

} // namespace highwater::symbols
