#pragma once

#include "core/files/mapped_file.h"
#include "core/symbols/answers/symbol_file.h"
#include "core/symbols/elf/elf_contents.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace highwater::symbols {

/// Another ELF file that a debug file names: what dwz took out of it, or what the compiler split off.
struct ElfLinkedFile {
    std::shared_ptr<const MappedFile> bytes;
    std::unique_ptr<ElfContents> contents;
};

/// From where a debug file names others, and which of those places may be looked at. Any thread.
class ElfLinks {
  public:
    /// `debugFile`: where the debug file lies; empty: in memory, so that no place may be looked at.
    ElfLinks(const std::filesystem::path& debugFile, LinkedFiles linked);

    /// Absolute; empty: in memory.
    [[nodiscard]] const std::filesystem::path& debugFile() const { return debugFile_; }
    /// The place, if LinkedFiles permits to look at it. Absolute, or from the folder of the debug file. `store`: what
    /// counts as the store of the debug file; by default its folder, or what its build-id tree lies in.
    [[nodiscard]] std::optional<std::filesystem::path> permitted(const std::filesystem::path& wanted,
                                                                 const std::filesystem::path& store = {}) const;
    /// What lies at a place that permitted() gave; nullopt: no ordinary file, or no ELF file that can be read.
    [[nodiscard]] static std::optional<ElfLinkedFile> open(const std::filesystem::path& place);

  private:
    std::filesystem::path debugFile_;
    std::filesystem::path store_;
    LinkedFiles linked_;
};

} // namespace highwater::symbols
