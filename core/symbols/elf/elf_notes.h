#pragma once

#include "core/base/byte_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace highwater::symbols {

/// A note of an ELF file. Its parts point into the bytes that were read.
struct ElfNote {
    std::string_view owner; ///< "GNU", "CORE"; its numbers of types are its own
    std::uint32_t type = 0;
    ByteSpan content;
};

/// Takes the next note of a section or segment. Nothing: the end, or the rest is damaged. Any thread.
[[nodiscard]] std::optional<ElfNote> takeNote(ByteReader& notes);

/// The build-id (bytes) in a note section or segment of an ELF file; "": none. Any thread.
[[nodiscard]] std::string buildIdInNotes(ByteSpan notes);

} // namespace highwater::symbols
