#pragma once

#include "core/base/byte_reader.h"
#include "core/files/mapped_file.h"

#include <memory>
#include <string>

namespace highwater::etl {

/// The bytes of one .etl file, the owner of the bytes, and the name of the file in messages.
struct FileImage {
    ByteSpan bytes;
    std::shared_ptr<const void> memory;
    std::string name;
    std::shared_ptr<const MappedFile> file{}; ///< the owner of these bytes; null if they were in memory, or unpacked
};

} // namespace highwater::etl
