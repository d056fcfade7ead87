#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace llvm::object {
class ELFObjectFileBase;
}

namespace highwater::symbols {

/// The functions of an ELF symbol table, by address. Names point into the file. Immutable after construction.
class ElfSymbols {
  public:
    struct Symbol {
        std::uint64_t begin = 0; ///< virtual address as linked
        std::uint64_t bytes = 0; ///< 0: not said, reaches to the next one
        std::string_view name;
    };

    ElfSymbols() = default;
    /// Reads .symtab, and .dynsym where there is no .symtab.
    explicit ElfSymbols(const llvm::object::ELFObjectFileBase& file);

    /// All names of the function at the address: several when functions were folded or have aliases. Empty: none.
    [[nodiscard]] std::span<const Symbol> at(std::uint64_t address) const;

  private:
    std::vector<Symbol> symbols_; ///< by begin, without equal names at the same begin
};

} // namespace highwater::symbols
