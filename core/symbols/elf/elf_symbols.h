#pragma once

#include "core/symbols/elf/elf_contents.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace highwater::symbols {

/// The functions of an ELF symbol table, sorted by address. Names point into the file. Immutable after construction.
class ElfSymbols {
  public:
    ElfSymbols() = default;
    /// Unsorted.
    explicit ElfSymbols(std::vector<ElfSymbol> symbols);

    /// All names of the function at the address: several if functions were folded or have aliases. Empty: none.
    [[nodiscard]] std::span<const ElfSymbol> at(std::uint64_t address) const;

  private:
    std::vector<ElfSymbol> symbols_; ///< sorted by start, without equal names at the same start
};

} // namespace highwater::symbols
