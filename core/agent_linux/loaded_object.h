#pragma once

#include <cstdint>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

extern "C" int _dl_find_object(void* address, dl_find_object* result) noexcept __attribute__((weak));

namespace highwater::agent {

/// Extends the found part to the whole program. glibc lists the parts of a program that are not contiguous (linked to a
/// fixed address, like node) separately, and only the first one starts with its ELF header.
inline void widenProgram(dl_find_object& found) {
    const auto* const program = reinterpret_cast<const Elf64_Phdr*>(getauxval(AT_PHDR));
    if (program == nullptr || getauxval(AT_PHENT) != sizeof *program) return;
    std::uint64_t begin = ~std::uint64_t{0}, end = 0;
    bool isOfProgram = false;
    for (unsigned long i = 0; i < getauxval(AT_PHNUM); ++i) {
        const std::uint64_t at = found.dlfo_link_map->l_addr + program[i].p_vaddr;
        if (program[i].p_type == PT_DYNAMIC)
            isOfProgram = at == reinterpret_cast<std::uint64_t>(found.dlfo_link_map->l_ld);
        if (program[i].p_type != PT_LOAD) continue;
        begin = at < begin ? at : begin;
        end = at + program[i].p_memsz > end ? at + program[i].p_memsz : end;
    }
    if (!isOfProgram || begin >= end) return; // the dynamic linker was started with the program as its argument
    found.dlfo_map_start = reinterpret_cast<void*>(begin & ~std::uint64_t{4095});
    found.dlfo_map_end = reinterpret_cast<void*>(end);
}

/// The module that contains an address. Lock-free, and safe in signal handlers.
[[nodiscard]] inline bool findLoadedObject(std::uint64_t address, dl_find_object& found) {
    if (_dl_find_object == nullptr || _dl_find_object(reinterpret_cast<void*>(address), &found) != 0) return false;
    const char* const name = found.dlfo_link_map->l_name;
    if (name == nullptr || *name == 0) widenProgram(found);
    return true;
}

} // namespace highwater::agent
