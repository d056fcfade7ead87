#pragma once

#include "core/base/result.h"
#include "core/symbols/answers/symbol_file.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace highwater::symbols {

/// Opens a debug file or an image. The content determines the format. Damage is reported only here: resolve() then
/// returns fewer names. New debug file formats are added here.
[[nodiscard]] Result<std::unique_ptr<SymbolFile>> openSymbolFile(const std::filesystem::path& path,
                                                                 const LinkedFiles& linked = {});
/// The same from memory.
[[nodiscard]] Result<std::unique_ptr<SymbolFile>> openSymbolFileInMemory(std::vector<std::byte> bytes);

/// Like openSymbolFile(), but rejects a file with another identity than `wanted` (ErrorKind::NotFound, with both
/// identities in the message). An unknown identity rejects nothing.
[[nodiscard]] Result<std::unique_ptr<SymbolFile>>
openMatchingSymbolFile(const std::filesystem::path& path, const SymbolIdentity& wanted, const LinkedFiles& linked = {});

/// Applies the same check to a file that was opened from `path`.
[[nodiscard]] Result<std::unique_ptr<SymbolFile>> refuseOtherBuild(Result<std::unique_ptr<SymbolFile>> opened,
                                                                   const std::filesystem::path& path,
                                                                   const SymbolIdentity& wanted);

} // namespace highwater::symbols
