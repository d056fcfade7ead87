#include "core/etl/packed_copy.h"

#include "core/base/on_threads.h"
#include "core/etl/buffer.h"
#include "core/etl/xpress.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

namespace highwater::etl {
namespace {

constexpr std::size_t kAtOnce = 64; ///< in buffers

struct Part {
    ByteSpan stored;
    BufferHeader header;
    std::vector<std::byte> packed;
};

bool isPlain(const BufferHeader& header) {
    return header.type != buffer_type::kHeader && !header.isCompressed() && header.savedOffset > kBufferHeaderBytes &&
           header.savedOffset <= header.storedBytes;
}

void pack(Part& part) {
    part.packed.clear();
    if (!isPlain(part.header)) return;
    part.packed.resize(kBufferHeaderBytes);
    const auto records = part.header.savedOffset - kBufferHeaderBytes;
    xpressCompress(part.stored.subspan(kBufferHeaderBytes, records), part.packed);
    if (part.packed.size() >= part.stored.size()) return part.packed.clear();
    auto header = part.header;
    header.storedBytes = static_cast<std::uint32_t>(part.packed.size());
    header.flags |= buffer_flag::kCompressed;
    storeBufferHeader(header, part.packed.data());
}

/// The next buffers of the file; fewer at its end. Error: there is no buffer.
Result<std::size_t> takeParts(ByteSpan& rest, std::vector<Part>& parts) {
    std::size_t count = 0;
    for (; count < parts.size() && !rest.empty(); ++count) {
        const auto header = parseBufferHeader(rest);
        if (!header || header->storedBytes < kBufferHeaderBytes || header->storedBytes > rest.size())
            return Error{ErrorKind::Damaged, "The trace has an invalid buffer."};
        parts[count].header = *header;
        parts[count].stored = rest.first(header->storedBytes);
        rest = rest.subspan(header->storedBytes);
    }
    return count;
}

} // namespace

Result<void> copyPacked(ByteSpan file, ByteOutput& output) {
    std::vector<Part> parts(kAtOnce);
    const std::size_t threads = std::min<std::size_t>(usableProcessors(), kAtOnce);
    while (!file.empty()) {
        const auto count = TRY(takeParts(file, parts));
        std::atomic<std::size_t> next{0};
        onThreads(threads, [&](std::size_t) {
            for (auto i = next++; i < count; i = next++)
                pack(parts[i]);
        });
        for (std::size_t i = 0; i < count; ++i) {
            const auto& part = parts[i];
            TRY(output.append(part.packed.empty() ? part.stored : ByteSpan(part.packed)));
        }
    }
    return {};
}

} // namespace highwater::etl
