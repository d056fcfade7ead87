// Any bytes as a core file, all the way to a picture of its memory. There must be no crash, no read out of bounds and
// no hang, errors must have a sentence, mappings and pictures must be valid, and only memory in the file may be
// readable.
#include "core/pipeline/core_files/core_picture.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <utility>
#include <vector>

using namespace highwater;
using namespace highwater::pipeline;

namespace {

void check(bool holds) {
    if (!holds) std::abort();
}

class BytesAsFile final : public MappedFile {
  public:
    BytesAsFile(const std::uint8_t* data, std::size_t size) : copy_(new std::byte[size]) {
        std::copy_n(reinterpret_cast<const std::byte*>(data), size, copy_.get());
        bytes_ = {copy_.get(), size};
    }
    [[nodiscard]] bool hasLostBytes() const override { return false; }

  private:
    std::unique_ptr<std::byte[]> copy_; ///< exact size, for the sanitizers
};

void readEdges(const CoreFile& core) {
    std::array<std::byte, 64> room{};
    for (const auto& mapping : core.mappings().mappings) {
        check(core.read(mapping.begin, room) <= room.size());
        const auto atEnd = core.read(mapping.end - room.size() / 2, room);
        check(atEnd <= room.size());
        check(core.read(mapping.begin - 1, std::span(room).first(1)) <= 1);
    }
}

} // namespace

/// The first byte chooses which parts of the file are holes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    std::vector<FileRange> parts;
    const std::uint64_t bytes = size - 1, each = std::uint64_t{1} << (data[0] % 16);
    for (std::uint64_t at = 0; (data[0] & 0x80) != 0 && at < bytes; at += 2 * each)
        parts.push_back({at, std::min(at + each, bytes)});
    const auto core = CoreFile::of(std::make_shared<BytesAsFile>(data + 1, size - 1), "core", std::move(parts));
    if (!core.hasValue()) {
        check(!core.error().message.empty());
        return 0;
    }
    check(isValid(core.value()->mappings()));
    readEdges(*core.value());
    const auto made = pictureOfCore(*core.value(), nullptr, {});
    if (made.hasValue())
        check(isValid(*made.value().trace->pictures->front()));
    else
        check(!made.error().message.empty());
    return 0;
}
