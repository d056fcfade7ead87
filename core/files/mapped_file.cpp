#include "core/files/mapped_file.h"

#include <algorithm>

namespace highwater {

ByteSpan MappedFile::read(std::uint64_t offset, std::span<std::byte> room) const {
    if (offset >= bytes_.size()) return {};
    const auto there = bytes_.subspan(static_cast<std::size_t>(offset));
    const auto piece = there.first(std::min(there.size(), room.size()));
    std::copy(piece.begin(), piece.end(), room.begin());
    return room.first(piece.size());
}

} // namespace highwater
