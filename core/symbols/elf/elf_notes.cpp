#include "core/symbols/elf/elf_notes.h"

#include <algorithm>

namespace highwater::symbols {

/// u32 bytes of the name, u32 bytes of the content, u32 type; name and content are padded to 4 bytes.
std::string buildIdInNotes(ByteSpan notes) {
    constexpr std::uint32_t kBuildId = 3; // NT_GNU_BUILD_ID
    ByteReader reader(notes);
    const auto takePadded = [&](std::size_t count) {
        const auto part = reader.takeBytes(count);
        (void)reader.skip(std::min((4 - count % 4) % 4, reader.remaining()));
        return part;
    };
    for (;;) {
        const auto nameBytes = reader.take<std::uint32_t>();
        const auto contentBytes = reader.take<std::uint32_t>();
        const auto type = reader.take<std::uint32_t>();
        const auto name = type ? takePadded(*nameBytes) : std::nullopt;
        const auto content = name ? takePadded(*contentBytes) : std::nullopt;
        if (!content) return {};
        if (*type != kBuildId || name->size() != 4 || std::memcmp(name->data(), "GNU", 4) != 0) continue;
        return {reinterpret_cast<const char*>(content->data()), content->size()};
    }
}

} // namespace highwater::symbols
