#pragma once

#include "core/base/byte_reader.h"

#include <string>

namespace highwater::symbols {

/// The build-id (bytes) in a note section or segment of an ELF file; "": none. Any thread.
[[nodiscard]] std::string buildIdInNotes(ByteSpan notes);

} // namespace highwater::symbols
