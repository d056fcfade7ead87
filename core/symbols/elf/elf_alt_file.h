#pragma once

#include "core/symbols/elf/elf_linked_file.h"

#include <optional>

namespace highwater::symbols {

/// The file that holds what dwz took out of several debug files (.gnu_debugaltlink). Looks where the link says, and by
/// build-id in the tree of the debug file and in the system's, as far as those places are permitted. nullopt: it is not
/// there, may not be looked at, or belongs to another build.
[[nodiscard]] std::optional<ElfLinkedFile> openAltFile(const ElfContents::AltLink& link, const ElfLinks& links);

} // namespace highwater::symbols
