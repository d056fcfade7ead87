#pragma once

#include "core/base/mapped_file.h"
#include "core/symbols/elf_contents.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace highwater::symbols {

/// The file that holds what dwz took out of several debug files (.gnu_debugaltlink).
struct ElfAltFile {
    std::shared_ptr<const MappedFile> bytes;
    std::unique_ptr<ElfContents> contents;
};

/// Looks where the link says, and by build-id beside the debug file and in the system's folder. nullopt: it is not
/// there or belongs to another build.
[[nodiscard]] std::optional<ElfAltFile> openAltFile(const ElfContents::AltLink& link,
                                                    const std::filesystem::path& debugFile);

} // namespace highwater::symbols
