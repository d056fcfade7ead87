#pragma once

#include "core/etl/file_image.h"
#include "core/source/contract/record_source.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace highwater::source {

/// File name patterns of profiles, for file dialogs: "dhat.out.* *.heap".
[[nodiscard]] std::string profilePatterns();

/// Whether a file is from another memory profiler (packed or not), by its first bytes; openProfile() reports errors.
/// False if it cannot be read.
[[nodiscard]] bool isProfile(const std::filesystem::path& path);

/// Whether a file is packed with gzip or Zstandard, whatever its contents; traces are not. openProfile() describes the
/// contents.
[[nodiscard]] bool isPacked(const std::filesystem::path& path);

/// Opens such a file. Errors name the file, the reason and the solution.
[[nodiscard]] Result<std::unique_ptr<RecordSource>> openProfile(const std::filesystem::path& path);
/// Reads a profile from memory, for tests and fuzzing; `name` replaces the path in messages.
[[nodiscard]] Result<std::unique_ptr<RecordSource>> profileFromMemory(std::vector<std::byte> bytes, std::string name);

} // namespace highwater::source
