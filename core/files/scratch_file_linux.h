#pragma once

#include <filesystem>

namespace highwater {

/// A file in this folder that can be read and written, without a name from the start; where the file system cannot do
/// that, its name is taken off at once. Below zero: errno says why not.
[[nodiscard]] int openNameless(const std::filesystem::path& folder);

} // namespace highwater
