#pragma once

#include "core/etl/file_image.h"
#include "core/source/contract/record_source.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace highwater::source {

/// Patterns of the names that such files have, for file dialogs: "dhat.out.* *.heap".
[[nodiscard]] std::string profilePatterns();

/// Whether a file is of another memory profiler (packed or not), judging by its first bytes: openProfile() says what
/// is to be said of it then. False where it cannot be read.
[[nodiscard]] bool isProfile(const std::filesystem::path& path);

/// Whether a file is packed with gzip or Zstandard, whatever is in it: no trace is. openProfile() says what it is.
[[nodiscard]] bool isPacked(const std::filesystem::path& path);

/// Opens such a file. Errors name it and say what is wrong, and what to do.
[[nodiscard]] Result<std::unique_ptr<RecordSource>> openProfile(const std::filesystem::path& path);
/// The same of bytes, for tests and fuzzing; `name` stands for the path in messages.
[[nodiscard]] Result<std::unique_ptr<RecordSource>> profileFromMemory(std::vector<std::byte> bytes, std::string name);

} // namespace highwater::source
