#pragma once

#include "core/base/result.h"
#include "core/symbols/answers/symbol_file.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace highwater::symbols {

/// Opens a debug file or an image. The kind is told by the content. Damaged content never fails later than here:
/// resolve() then knows less. A new format of debug files is added here.
[[nodiscard]] Result<std::unique_ptr<SymbolFile>> openSymbolFile(const std::filesystem::path& path,
                                                                 const LinkedFiles& linked = {});
/// The same for bytes in memory.
[[nodiscard]] Result<std::unique_ptr<SymbolFile>> openSymbolFileInMemory(std::vector<std::byte> bytes);

/// As openSymbolFile(), but refuses (ErrorKind::NotFound, with both identities in the sentence) a file that does not
/// belong to the wanted identity. A wanted identity that is not known refuses nothing.
[[nodiscard]] Result<std::unique_ptr<SymbolFile>>
openMatchingSymbolFile(const std::filesystem::path& path, const SymbolIdentity& wanted, const LinkedFiles& linked = {});

/// What was opened from `path`, refused in the same way.
[[nodiscard]] Result<std::unique_ptr<SymbolFile>> refuseOtherBuild(Result<std::unique_ptr<SymbolFile>> opened,
                                                                   const std::filesystem::path& path,
                                                                   const SymbolIdentity& wanted);

} // namespace highwater::symbols
