// Any bytes, read as a zip archive and its entries unpacked: never a crash, a hang, a read outside, or more bytes than
// the total limit.
#include "core/source/etl_files/zip_archive.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace highwater;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::uint64_t kMostBytes = 8u << 20;
    const auto archive = source::ZipArchive::open(std::as_bytes(std::span(data, size)), "fuzzed.zip");
    if (!archive.hasValue()) return 0;
    volatile unsigned sum = 0;
    source::UnpackingRoom room{.bytes = kMostBytes};
    std::uint64_t unpacked = 0;
    for (const auto& entry : archive.value().entries()) {
        const auto content = archive.value().read(entry, room);
        if (!content.hasValue()) continue;
        if (entry.method != 0) unpacked += content.value().bytes.size();
        if (unpacked > kMostBytes) std::abort();
        for (const auto b : content.value().bytes)
            sum = sum + std::to_integer<unsigned>(b);
    }
    return 0;
}
