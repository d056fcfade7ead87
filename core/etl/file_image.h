#pragma once

#include "core/base/byte_reader.h"
#include "core/files/mapped_file.h"

#include <memory>
#include <string>

namespace highwater::etl {

/// The bytes of one .etl file, what keeps them alive, and what to call the file in messages.
struct FileImage {
    ByteSpan bytes;
    std::shared_ptr<const void> memory;
    std::string name;
    std::shared_ptr<const MappedFile> file{}; ///< whose bytes these are; null: they were in memory, or unpacked
};

} // namespace highwater::etl
