#include "core/source/attach/own_allocator_linux.h"

#include "core/base/text.h"
#include "core/event/allocator_libraries.h"
#include "core/source/attach/elf_parts_linux.h"

#include <algorithm>
#include <elf.h>
#include <string_view>

namespace highwater::source {

namespace {

constexpr std::string_view kMalloc = "malloc";
constexpr std::string_view kOwnNames[] = {"je_malloc", "_rjem_malloc",    "_rjem_je_malloc", "mi_malloc",
                                          "tc_malloc", "tcmalloc",        "rpmalloc",        "dlmalloc",
                                          "nedmalloc", "scalable_malloc", "xxmalloc",        "sn_malloc"};

/// Whether a name table contains any known name. Most do not, so their symbols need not be read.
bool hasAnyName(const std::vector<char>& names) {
    const std::string_view all(names.data(), names.size());
    return all.find(kMalloc) != std::string_view::npos || all.find("mallocx") != std::string_view::npos;
}

void note(std::vector<std::string>& list, std::string_view name) {
    if (std::ranges::find(list, name) == list.end()) list.emplace_back(name);
}

void takeSymbol(const Elf64_Sym& symbol, std::string_view name, bool isDynamic, AllocatorSymbols& into) {
    const auto type = ELF64_ST_TYPE(symbol.st_info);
    const bool isDefined = symbol.st_shndx != SHN_UNDEF;
    if (isDefined && type != STT_FUNC && type != STT_GNU_IFUNC) return;
    if (name == kMalloc && isDefined) (isDynamic ? into.exportsMalloc : into.hidesMalloc) = true;
    if (std::ranges::find(kOwnNames, name) == std::end(kOwnNames)) return;
    if (isDefined) note(into.own, name);
    if (isDefined && isDynamic) note(into.exported, name);
    if (!isDefined && isDynamic) note(into.imported, name);
}

void takeTable(ElfParts& file, const std::vector<Elf64_Shdr>& sections, const Elf64_Shdr& table,
               AllocatorSymbols& into) {
    if (table.sh_link >= sections.size() || table.sh_entsize != sizeof(Elf64_Sym)) return;
    const Elf64_Shdr& text = sections[table.sh_link];
    const auto names = file.read<char>(text.sh_offset, text.sh_size);
    if (names.empty() || names.back() != '\0' || !hasAnyName(names)) return;
    for (const Elf64_Sym& symbol : file.read<Elf64_Sym>(table.sh_offset, table.sh_size)) {
        if (symbol.st_name >= names.size()) continue;
        takeSymbol(symbol, names.data() + symbol.st_name, table.sh_type == SHT_DYNSYM, into);
    }
}

bool isAllocatorLibrary(const std::string& path) {
    const auto name = fileName(path);
    return std::ranges::any_of(kAllocatorLibraries, [&](std::string_view begin) { return name.starts_with(begin); });
}

/// It needs memory before the C library is loaded.
bool isDynamicLinker(const std::string& path) { return fileName(path).starts_with("ld-"); }

bool callsIts(const AllocatorModule& module, const std::vector<AllocatorModule>& modules) {
    const auto& symbols = module.symbols;
    // malloc leads to the same functions.
    const bool isForOthers = symbols.exportsMalloc || isAllocatorLibrary(module.path);
    if (module.isProgram || !isForOthers) return !symbols.own.empty();
    return std::ranges::any_of(modules, [&](const AllocatorModule& other) {
        return &other != &module && std::ranges::any_of(other.symbols.imported, [&](const std::string& name) {
            return std::ranges::find(symbols.exported, name) != symbols.exported.end();
        });
    });
}

} // namespace

AllocatorSymbols allocatorSymbolsIn(const std::filesystem::path& path) {
    AllocatorSymbols found;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return found;
    ElfParts file(path);
    const auto sections = elfSections(file);
    for (const Elf64_Shdr& section : sections)
        if (section.sh_type == SHT_DYNSYM || section.sh_type == SHT_SYMTAB) takeTable(file, sections, section, found);
    if (found.exportsMalloc) found.hidesMalloc = false; // one table contains everything in the other
    return found;
}

std::string moduleWithOwnAllocator(const std::vector<AllocatorModule>& modules, bool isHeapSeen) {
    for (const AllocatorModule& module : modules) {
        const auto& symbols = module.symbols;
        // The program's malloc takes precedence over all others, and the program calls it without symbol lookup.
        if (module.isProgram && (symbols.exportsMalloc || symbols.hidesMalloc)) {
            if (!isHeapSeen) return module.path;
            continue;
        }
        if (symbols.hidesMalloc && !isDynamicLinker(module.path)) return module.path;
        if (callsIts(module, modules)) return module.path;
    }
    return {};
}

} // namespace highwater::source
