#pragma once

#include "core/files/mapped_file.h"

namespace highwater {

/// Maps an open file; `named` is its name in errors. The descriptor is not needed any longer.
[[nodiscard]] Result<std::shared_ptr<const MappedFile>> mapDescriptor(int fd, std::size_t bytes,
                                                                      const std::filesystem::path& named);

} // namespace highwater
