#include "core/symbols/elf_symbols.h"

#include "core/symbols/llvm_results.h"

#include <llvm/Object/ELFObjectFile.h>

#include <algorithm>

namespace highwater::symbols {
namespace {

void addSymbol(const llvm::object::ELFSymbolRef& symbol, std::vector<ElfSymbols::Symbol>& out) {
    const auto kind = symbol.getELFType();
    if (kind != llvm::ELF::STT_FUNC && kind != llvm::ELF::STT_GNU_IFUNC && kind != llvm::ELF::STT_NOTYPE) return;
    const auto flags = valueOf(symbol.getFlags());
    if (!flags || (*flags & llvm::object::SymbolRef::SF_Undefined) != 0) return;
    // Marks such as $x and _end have no type and no length.
    if (kind == llvm::ELF::STT_NOTYPE && symbol.getSize() == 0) return;
    const auto address = valueOf(symbol.getAddress());
    const auto name = valueOf(symbol.getName());
    if (!address || !name || name->empty()) return;
    out.push_back({*address, symbol.getSize(), {name->data(), name->size()}});
}

} // namespace

ElfSymbols::ElfSymbols(const llvm::object::ELFObjectFileBase& file) {
    for (const llvm::object::ELFSymbolRef symbol : file.symbols())
        addSymbol(symbol, symbols_);
    if (symbols_.empty()) {
        for (const llvm::object::ELFSymbolRef symbol : file.getDynamicSymbolIterators())
            addSymbol(symbol, symbols_);
    }
    std::stable_sort(symbols_.begin(), symbols_.end(), [](const Symbol& a, const Symbol& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.name < b.name;
    });
    const auto isSame = [](const Symbol& a, const Symbol& b) { return a.begin == b.begin && a.name == b.name; };
    symbols_.erase(std::unique(symbols_.begin(), symbols_.end(), isSame), symbols_.end());
}

std::span<const ElfSymbols::Symbol> ElfSymbols::at(std::uint64_t address) const {
    const auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                        [](std::uint64_t a, const Symbol& symbol) { return a < symbol.begin; });
    if (after == symbols_.begin()) return {};
    const auto start = std::prev(after)->begin;
    const auto begin = std::lower_bound(symbols_.begin(), after, start,
                                        [](const Symbol& symbol, std::uint64_t a) { return symbol.begin < a; });
    const bool reaches = std::any_of(
        begin, after, [&](const Symbol& symbol) { return symbol.bytes == 0 || address - start < symbol.bytes; });
    if (!reaches) return {};
    return {begin, after};
}

} // namespace highwater::symbols
