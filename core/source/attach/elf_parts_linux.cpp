#include "core/source/attach/elf_parts_linux.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace highwater::source {
namespace {

constexpr std::uint64_t kMostSections = 65536;

/// As linked. Libraries usually begin at 0.
std::uint64_t lowestAddress(ElfParts& file) {
    constexpr std::uint64_t kPage = 4096;
    const auto header = file.read<Elf64_Ehdr>(0, sizeof(Elf64_Ehdr));
    if (header.empty() || header[0].e_phentsize != sizeof(Elf64_Phdr)) return 0;
    auto lowest = std::numeric_limits<std::uint64_t>::max();
    for (const auto& segment : file.read<Elf64_Phdr>(header[0].e_phoff, header[0].e_phnum * sizeof(Elf64_Phdr)))
        if (segment.p_type == PT_LOAD) lowest = std::min(lowest, segment.p_vaddr / kPage * kPage);
    return lowest;
}

bool isFunction(const Elf64_Sym& symbol) {
    return symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC;
}

} // namespace

ElfParts::ElfParts(const std::filesystem::path& path) : file_(path, std::ios::binary) {
    file_.seekg(0, std::ios::end);
    const auto end = file_.tellg();
    bytes_ = end < 0 ? 0 : static_cast<std::uint64_t>(end);
}

std::vector<Elf64_Shdr> elfSections(ElfParts& file) {
    const auto header = file.read<Elf64_Ehdr>(0, sizeof(Elf64_Ehdr));
    if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
        header[0].e_ident[EI_CLASS] != ELFCLASS64 || header[0].e_shentsize != sizeof(Elf64_Shdr))
        return {};
    std::uint64_t count = header[0].e_shnum;
    if (count == 0) { // more than the field can hold
        const auto first = file.read<Elf64_Shdr>(header[0].e_shoff, sizeof(Elf64_Shdr));
        count = first.empty() ? 0 : first[0].sh_size;
    }
    return file.read<Elf64_Shdr>(header[0].e_shoff, std::min(count, kMostSections) * sizeof(Elf64_Shdr));
}

std::optional<std::uint64_t> offsetOfFunction(const std::filesystem::path& library, std::string_view name) {
    ElfParts file(library);
    const auto sections = elfSections(file);
    for (const auto& table : sections) {
        if (table.sh_type != SHT_DYNSYM || table.sh_link >= sections.size()) continue;
        const auto& text = sections[table.sh_link];
        const auto names = file.read<char>(text.sh_offset, text.sh_size);
        if (names.empty() || names.back() != '\0') continue;
        const auto lowest = lowestAddress(file);
        for (const auto& symbol : file.read<Elf64_Sym>(table.sh_offset, table.sh_size))
            if (isFunction(symbol) && symbol.st_value >= lowest && symbol.st_name < names.size() &&
                name == names.data() + symbol.st_name)
                return symbol.st_value - lowest;
    }
    return std::nullopt;
}

} // namespace highwater::source
