#pragma once

#include "core/files/mapped_file.h"
#include "core/symbols/answers/symbol_file.h"
#include "core/symbols/elf/elf_contents.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace highwater::symbols {

/// The file that holds what dwz took out of several debug files (.gnu_debugaltlink).
struct ElfAltFile {
    std::shared_ptr<const MappedFile> bytes;
    std::unique_ptr<ElfContents> contents;
};

/// Looks where the link says, if that is a place that `linked` permits, and by build-id in the tree of the debug file
/// (the same places) and in the system's. nullopt: it is not there, may not be looked at, or belongs to another build.
[[nodiscard]] std::optional<ElfAltFile> openAltFile(const ElfContents::AltLink& link,
                                                    const std::filesystem::path& debugFile, const LinkedFiles& linked);

} // namespace highwater::symbols
