#include "core/symbols/elf/elf_variables.h"

#include "core/files/mapped_file.h"
#include "core/symbols/demangling/function_name.h"
#include "core/symbols/elf/elf_contents.h"
#include "core/symbols/elf/elf_virtual_tables.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

namespace highwater::symbols {
namespace {

/// Compilers number the static variables of functions: "cache.0", "cache.1".
std::string_view withoutNumber(std::string_view name) {
    const auto end = name.find_last_not_of("0123456789");
    const bool isNumbered = end != std::string_view::npos && end > 0 && end + 1 < name.size() && name[end] == '.';
    return isNumbered ? name.substr(0, end) : name;
}

/// Those that begin in [base, end). A size beyond the end would give the variable memory of others.
std::vector<ElfVariable> variablesIn(std::span<const ElfSymbol> symbols, std::uint64_t base, std::uint64_t end) {
    std::vector<ElfVariable> variables;
    for (const auto& symbol : symbols)
        if (symbol.begin >= base && symbol.begin < end && !isOfClass(symbol.name))
            variables.push_back({symbol.begin - base, std::min(symbol.bytes, end - symbol.begin),
                                 readableName(withoutNumber(symbol.name), NameStyle::Short)});
    return variables;
}

ElfVariables layoutIn(const ElfContents& elf) {
    const auto base = elf.linkedBase();
    return {
        {},           {}, {}, std::max(elf.writableEnd(), base) - base, elf.threadLocalSize(), elf.threadLocalBytes(),
        elf.buildId()};
}

} // namespace

ElfVariables variablesOf(const std::filesystem::path& file) {
    const auto mapped = MappedFile::open(file);
    if (!mapped.hasValue()) return {};
    const auto contents = ElfContents::open(mapped.value()->bytes());
    if (!contents.hasValue()) return {{}, {}, {}, 0, 0, 0, {}};
    const auto& elf = *contents.value();
    const auto base = elf.linkedBase(), end = std::max(elf.writableEnd(), base);
    auto found = layoutIn(elf);
    const auto symbols = elf.symbols(ElfContents::Kind::Variable);
    found.shared = variablesIn(symbols, base, end);
    found.threadLocal = variablesIn(elf.symbols(ElfContents::Kind::ThreadLocal), 0, elf.threadLocalSize());
    found.virtualTables = virtualTablesIn(symbols, base);
    return found;
}

ElfVariables layoutOf(ByteSpan memory) {
    constexpr std::string_view kMagic = "\x7F"
                                        "ELF";
    if (memory.size() < kMagic.size() || std::memcmp(memory.data(), kMagic.data(), kMagic.size()) != 0) return {};
    const auto contents = ElfContents::open(memory);
    return contents.hasValue() ? layoutIn(*contents.value()) : ElfVariables{};
}

} // namespace highwater::symbols
