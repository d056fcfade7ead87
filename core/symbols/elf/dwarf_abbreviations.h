#pragma once

#include "core/symbols/elf/dwarf_cursor.h"

#include <llvm/DebugInfo/DWARF/DWARFUnit.h>

#include <cstdint>
#include <vector>

namespace highwater::symbols {

/// Table for skipping over the entries of a DWARF unit without reading irrelevant attributes: the kind and byte length
/// of every kind of entry that the unit declares. Immutable after construction.
class DwarfAbbreviations {
  public:
    enum class Meaning : std::uint8_t {
        Other,    ///< may contain functions
        Leaf,     ///< types, variables and the like: nothing inside is relevant
        Function, ///< a function with code
        Inlined,  ///< a call that was inlined
    };
    struct Entry {
        const llvm::DWARFAbbreviationDeclaration* declaration = nullptr;
        Meaning meaning = Meaning::Other;
        bool hasChildren = false;
        std::vector<DwarfStep> steps;
        int siblingStep = -1;          ///< the step with the offset of the entry after the children; -1: none
        std::uint8_t siblingBytes = 0; ///< 0: LEB
    };

    explicit DwarfAbbreviations(const llvm::DWARFUnit& unit);

    /// nullptr: no such code.
    [[nodiscard]] const Entry* find(std::uint64_t code) const {
        return code - firstCode_ < entries_.size() ? &entries_[code - firstCode_] : nullptr;
    }

    /// Number of codes from the lowest to the highest, including gaps.
    [[nodiscard]] std::size_t codes() const { return entries_.size(); }

  private:
    std::uint64_t firstCode_ = 1;
    std::vector<Entry> entries_; ///< by code; gaps are codes without a declaration
};

} // namespace highwater::symbols
