#pragma once

#include "core/files/mapped_file.h"
#include "core/symbols/answers/symbol_file.h"
#include "core/symbols/elf/elf_contents.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace highwater::symbols {

/// Another ELF file that a debug file refers to: parts that dwz moved out, or parts that the compiler split off.
struct ElfLinkedFile {
    std::shared_ptr<const MappedFile> bytes;
    std::unique_ptr<ElfContents> contents;
};

/// The base for references to other files, and which of the referenced places may be opened. Any thread.
class ElfLinks {
  public:
    /// `debugFile`: path of the debug file; empty: it is in memory, so no place is permitted.
    ElfLinks(const std::filesystem::path& debugFile, LinkedFiles linked);

    /// Absolute; empty: in memory.
    [[nodiscard]] const std::filesystem::path& debugFile() const { return debugFile_; }
    /// The place, if LinkedFiles permits it. Absolute, or relative to the folder of the debug file. `store`: the store
    /// of the debug file; by default its folder, or the folder of its build-id tree.
    [[nodiscard]] std::optional<std::filesystem::path> permitted(const std::filesystem::path& wanted,
                                                                 const std::filesystem::path& store = {}) const;
    /// Opens a place that permitted() returned; nullopt: not an ordinary file, or not a readable ELF file.
    [[nodiscard]] static std::optional<ElfLinkedFile> open(const std::filesystem::path& place);

  private:
    std::filesystem::path debugFile_;
    std::filesystem::path store_;
    LinkedFiles linked_;
};

} // namespace highwater::symbols
