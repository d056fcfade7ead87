#pragma once

#include "core/symbols/elf/elf_linked_file.h"

#include <optional>

namespace highwater::symbols {

/// The file with the parts that dwz moved out of several debug files (.gnu_debugaltlink). Searches the path of the
/// link, and the build-id trees of the debug file and of the system, as far as permitted. nullopt: it does not exist,
/// is not permitted, or belongs to another build.
[[nodiscard]] std::optional<ElfLinkedFile> openAltFile(const ElfContents::AltLink& link, const ElfLinks& links);

} // namespace highwater::symbols
