#pragma once

#include "core/symbols/elf/elf_contents.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::symbols {

/// The table of virtual functions of a class. Each object of exactly this class begins with an address in it, its
/// address point.
struct ElfVirtualTable {
    std::uint64_t begin = 0; ///< from the lowest loaded address of the file, as the next two
    std::uint64_t end = 0;
    std::uint64_t point = 0; ///< the address point; of a class with virtual bases: where it is stored
    bool isStored = false;   ///< the latter
    std::string type;        ///< as from typeOfVirtualTable()
};

/// Whether the compiler has made the data to describe a class: no variable.
[[nodiscard]] bool isOfClass(std::string_view symbol);

/// Those among the symbols of a file. `base`: its lowest loaded address. In no order. Time: O(n log n). Any thread.
[[nodiscard]] std::vector<ElfVirtualTable> virtualTablesIn(std::span<const ElfSymbol> symbols, std::uint64_t base);

} // namespace highwater::symbols
