#pragma once

#include <filesystem>

namespace highwater {

/// Opens a nameless file in this folder for reading and writing. If the file system does not support nameless files, a
/// named one is unlinked immediately. Negative on failure, with the reason in errno.
[[nodiscard]] int openNameless(const std::filesystem::path& folder);

} // namespace highwater
