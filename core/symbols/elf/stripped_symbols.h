#pragma once

#include "core/symbols/elf/elf_contents.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace highwater::symbols {

/// The symbols of an ELF file and, if it is stripped, of its MiniDebugInfo: Fedora and others store the names of
/// functions that are not exported there. Immutable after construction; any thread.
class StrippedSymbols {
  public:
    /// `file` must outlive the object and its names.
    explicit StrippedSymbols(const ElfContents& file);

    /// From both sources, unsorted. Names are valid as long as this object.
    [[nodiscard]] std::vector<ElfSymbol> all() const;
    /// Which functions have no names; "": none.
    [[nodiscard]] std::string remark() const;

  private:
    const ElfContents& file_;
    std::vector<std::byte> unpacked_;
    std::unique_ptr<ElfContents> mini_; ///< nullptr: none, or it cannot be read
};

} // namespace highwater::symbols
