#pragma once

#include "core/symbols/elf/elf_contents.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace highwater::symbols {

/// The symbols of an ELF file, with those of its MiniDebugInfo where it is stripped: Fedora and others leave the names
/// of functions that are not exported there. Immutable after construction; any thread.
class StrippedSymbols {
  public:
    /// `file` must outlive it, and the names that it gives.
    explicit StrippedSymbols(const ElfContents& file);

    /// Of both, in no order. Names live as long as this object.
    [[nodiscard]] std::vector<ElfSymbol> all() const;
    /// What names functions lack; "": nothing.
    [[nodiscard]] std::string remark() const;

  private:
    const ElfContents& file_;
    std::vector<std::byte> unpacked_;
    std::unique_ptr<ElfContents> mini_; ///< nullptr: none, or it cannot be read
};

} // namespace highwater::symbols
