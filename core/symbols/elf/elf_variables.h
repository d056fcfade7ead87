#pragma once

#include "core/base/byte_reader.h"
#include "core/symbols/elf/elf_virtual_tables.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace highwater::symbols {

/// A variable of an ELF file.
struct ElfVariable {
    std::uint64_t begin = 0; ///< from the lowest loaded address of the file; of thread-local data: from its start
    std::uint64_t bytes = 0;
    std::string name; ///< readable, without the module: "Server::sessions", "cache", "(anonymous namespace)::table"
};

/// The variables of a program or library, and the tables of its classes, from its symbol table.
struct ElfVariables {
    std::vector<ElfVariable> shared; ///< within dataEnd
    std::vector<ElfVariable> threadLocal;
    std::vector<ElfVirtualTable> virtualTables;
    /// Where its writable data ends, from the lowest loaded address. 0: it has none, or the file is no ELF file.
    /// Nothing: the file cannot be opened.
    std::optional<std::uint64_t> dataEnd;
    std::uint64_t threadLocalSize = 0;
    std::uint64_t threadLocalBytes = 0; ///< that the thread-local data of a program needs before the thread pointer
    std::string buildId = {};           ///< bytes; "": none
};

/// Reads them from a file; none if it cannot be read, or has no symbols. Takes time proportional to the size of the
/// symbol table. Any thread.
[[nodiscard]] ElfVariables variablesOf(const std::filesystem::path& file);

/// The same without variables, from the start of a program or library in the memory of a process, where its headers
/// are. `memory`: its first page. dataEnd is nothing if that is no such page.
[[nodiscard]] ElfVariables layoutOf(ByteSpan memory);

} // namespace highwater::symbols
