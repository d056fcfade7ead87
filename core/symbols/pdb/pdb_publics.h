#pragma once

#include "core/symbols/pdb/pdb_layout.h"

#include <span>
#include <string_view>
#include <vector>

namespace highwater::symbols {

/// The linker's names, by address. They have no length. Immutable after construction.
class PdbPublics {
  public:
    struct Symbol {
        Rva begin = 0;
        std::uint32_t record = 0; ///< offset of its record
    };

    PdbPublics(const MsfFile& msf, const PdbLayout& layout);

    /// All names of the nearest address at or before `linked`: several if functions were folded. Empty: none.
    [[nodiscard]] std::span<const Symbol> nearest(Rva linked) const;
    [[nodiscard]] std::string_view name(const Symbol& symbol) const;

  private:
    StreamBytes records_;
    std::vector<Symbol> symbols_; ///< sorted by start, then by record
};

} // namespace highwater::symbols
