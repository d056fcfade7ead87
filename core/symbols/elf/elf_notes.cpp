#include "core/symbols/elf/elf_notes.h"

#include <algorithm>

namespace highwater::symbols {

/// u32 bytes of the name, u32 bytes of the content, u32 type; name and content are padded to 4 bytes.
std::optional<ElfNote> takeNote(ByteReader& notes) {
    const auto takePadded = [&](std::size_t count) {
        const auto part = notes.takeBytes(count);
        (void)notes.skip(std::min((4 - count % 4) % 4, notes.remaining()));
        return part;
    };
    const auto nameBytes = notes.take<std::uint32_t>();
    const auto contentBytes = notes.take<std::uint32_t>();
    const auto type = notes.take<std::uint32_t>();
    const auto name = type ? takePadded(*nameBytes) : std::nullopt;
    const auto content = name ? takePadded(*contentBytes) : std::nullopt;
    if (!content) return std::nullopt;
    const std::string_view owner(reinterpret_cast<const char*>(name->data()), name->size());
    return ElfNote{owner.substr(0, owner.find('\0')), *type, *content};
}

std::string buildIdInNotes(ByteSpan notes) {
    constexpr std::uint32_t kBuildId = 3; // NT_GNU_BUILD_ID
    ByteReader reader(notes);
    while (const auto note = takeNote(reader))
        if (note->type == kBuildId && note->owner == "GNU")
            return {reinterpret_cast<const char*>(note->content.data()), note->content.size()};
    return {};
}

} // namespace highwater::symbols
