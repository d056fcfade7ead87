#include "core/symbols/elf/elf_virtual_tables.h"

#include "core/symbols/demangling/type_name.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace highwater::symbols {
namespace {

constexpr std::string_view kTable = "_ZTV", kTables = "_ZTT";

/// Offset to the whole object and type, before the functions (Itanium C++ ABI).
constexpr std::uint64_t kBeforePoint = 16;

/// Tables of tables, which only classes with virtual bases have, by name. Their first word is the address point of the
/// table of the class itself: offsets of the bases are before it, as many as there are.
std::vector<ElfSymbol> tablesOfTables(std::span<const ElfSymbol> symbols) {
    std::vector<ElfSymbol> tables;
    std::ranges::copy_if(symbols, std::back_inserter(tables),
                         [](const ElfSymbol& symbol) { return symbol.name.starts_with(kTables); });
    std::ranges::sort(tables, {}, &ElfSymbol::name);
    return tables;
}

} // namespace

bool isOfClass(std::string_view symbol) {
    constexpr std::array kKinds{kTable, kTables, std::string_view("_ZTC"), std::string_view("_ZTI"),
                                std::string_view("_ZTS")};
    return std::ranges::any_of(kKinds, [&](std::string_view kind) { return symbol.starts_with(kind); });
}

std::vector<ElfVirtualTable> virtualTablesIn(std::span<const ElfSymbol> symbols, std::uint64_t base) {
    const auto withBases = tablesOfTables(symbols);
    std::vector<ElfVirtualTable> tables;
    for (const auto& symbol : symbols) {
        std::uint64_t end = 0;
        const bool isTable = symbol.name.starts_with(kTable) && symbol.begin >= base && symbol.bytes > kBeforePoint &&
                             !__builtin_add_overflow(symbol.begin, symbol.bytes, &end);
        auto type = isTable ? typeOfVirtualTable(symbol.name) : std::nullopt;
        if (!type) continue;
        const auto name = symbol.name.substr(kTable.size());
        const auto nameOf = [](const ElfSymbol& other) { return other.name.substr(kTables.size()); };
        const auto stored = std::ranges::lower_bound(withBases, name, {}, nameOf);
        const bool isStored = stored != withBases.end() && nameOf(*stored) == name && stored->begin >= base;
        const auto point = isStored ? stored->begin : symbol.begin + kBeforePoint;
        tables.push_back({symbol.begin - base, end - base, point - base, isStored, *std::move(type)});
    }
    return tables;
}

} // namespace highwater::symbols
