#include "core/symbols/elf/elf_variables.h"

#include "core/files/mapped_file.h"
#include "core/symbols/demangling/function_name.h"
#include "core/symbols/elf/elf_contents.h"

namespace highwater::symbols {
namespace {

/// Compilers number the static variables of functions: "cache.0", "cache.1".
std::string_view withoutNumber(std::string_view name) {
    const auto end = name.find_last_not_of("0123456789");
    const bool isNumbered = end != std::string_view::npos && end > 0 && end + 1 < name.size() && name[end] == '.';
    return isNumbered ? name.substr(0, end) : name;
}

std::vector<ElfVariable> read(const ElfContents& contents, ElfContents::Kind kind, std::uint64_t base) {
    std::vector<ElfVariable> variables;
    for (const auto& symbol : contents.symbols(kind))
        if (symbol.begin >= base)
            variables.push_back(
                {symbol.begin - base, symbol.bytes, readableName(withoutNumber(symbol.name), NameStyle::Short)});
    return variables;
}

} // namespace

ElfVariables variablesOf(const std::filesystem::path& file) {
    const auto mapped = MappedFile::open(file);
    if (!mapped.hasValue()) return {};
    const auto contents = ElfContents::open(mapped.value()->bytes());
    if (!contents.hasValue()) return {};
    const auto& elf = *contents.value();
    return {read(elf, ElfContents::Kind::Variable, elf.linkedBase()), read(elf, ElfContents::Kind::ThreadLocal, 0),
            elf.threadLocalBytes()};
}

} // namespace highwater::symbols
