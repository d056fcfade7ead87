#include "core/symbols/elf/elf_symbols.h"

#include <algorithm>
#include <utility>

namespace highwater::symbols {

ElfSymbols::ElfSymbols(std::vector<ElfSymbol> symbols) : symbols_(std::move(symbols)) {
    using Symbol = ElfSymbol;
    std::stable_sort(symbols_.begin(), symbols_.end(), [](const Symbol& a, const Symbol& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.name < b.name;
    });
    const auto isSame = [](const Symbol& a, const Symbol& b) { return a.begin == b.begin && a.name == b.name; };
    symbols_.erase(std::unique(symbols_.begin(), symbols_.end(), isSame), symbols_.end());
    // If several symbols have the same start, only the end of the last one is checked: there may be any number of them.
    for (std::size_t i = 1; i < symbols_.size(); ++i) {
        if (symbols_[i].begin == symbols_[i - 1].begin)
            symbols_[i].bytes = std::max(symbols_[i].bytes, symbols_[i - 1].bytes);
    }
}

std::span<const ElfSymbol> ElfSymbols::at(std::uint64_t address) const {
    const auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                        [](std::uint64_t a, const ElfSymbol& symbol) { return a < symbol.begin; });
    if (after == symbols_.begin()) return {};
    const auto start = std::prev(after)->begin;
    const auto begin = std::lower_bound(symbols_.begin(), after, start,
                                        [](const ElfSymbol& symbol, std::uint64_t a) { return symbol.begin < a; });
    if (address - start >= std::prev(after)->bytes) return {};
    return {begin, after};
}

} // namespace highwater::symbols
