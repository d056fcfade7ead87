// Any bytes as a Windows heap snapshot, then as the records that carry pieces of such snapshots: never a crash or a
// read outside, reported values are possible, and memory is limited.
#include "core/decode/snapshots/heap_snapshot_bytes.h"
#include "core/decode/snapshots/snapshot_pieces.h"
#include "core/event/opcodes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

using namespace highwater;
using namespace highwater::decode;

namespace {

constexpr std::size_t kMostHeld = 2000;

void check(bool holds) {
    if (!holds) std::abort();
}

void readAsSnapshot(ByteSpan bytes) {
    std::uint64_t told = 0;
    const auto facts = readHeapSnapshot(bytes, [&](const HeapSnapshotBlock& block) {
        ++told;
        check(block.address != 0 && block.frames.size() <= 192 && block.address + block.size >= block.address);
    });
    check(!facts || facts->blocks == told);
    check(readHeapSnapshot(bytes) == facts);
}

void take(SnapshotPieces& pieces, std::uint64_t& arrived) {
    while (pieces.hasReady()) {
        const auto snapshot = pieces.takeReady();
        arrived += snapshot.arrived;
        check(snapshot.bytes.size() <= kMostHeld && snapshot.bytes.size() <= snapshot.arrived);
        if (snapshot.state == SnapshotState::Whole) check(snapshot.bytes.size() == snapshot.arrived);
        readAsSnapshot(snapshot.bytes);
    }
}

/// Records of two bytes (kind and process, length) and a payload of that length.
void readAsRecords(ByteSpan bytes) {
    SnapshotPieces pieces({.bytes = kMostHeld, .open = 3});
    std::uint64_t arrived = 0;
    for (ByteReader reader(bytes); reader.remaining() > 2;) {
        const auto kind = reader.take<std::uint8_t>().value_or(0);
        const auto length = std::min<std::size_t>(reader.take<std::uint8_t>().value_or(0), reader.remaining());
        const auto from = reader.takeBytes(length).value_or(ByteSpan{});
        const std::unique_ptr<std::byte[]> payload(new std::byte[length]); // exact size, for the sanitizers
        std::copy(from.begin(), from.end(), payload.get());
        etl::RawRecord record;
        record.payload = payload.get();
        record.payloadBytes = static_cast<std::uint32_t>(length);
        record.pid = kind & 7;
        record.eventId = (kind & 8) != 0 ? heap_snapshot_event::kEnd : heap_snapshot_event::kPiece;
        (void)pieces.add(record);
        if ((kind & 16) != 0) take(pieces, arrived);
    }
    pieces.finish();
    take(pieces, arrived);
    check(arrived <= bytes.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ByteSpan bytes(reinterpret_cast<const std::byte*>(data), size);
    readAsSnapshot(bytes);
    readAsRecords(bytes);
    return 0;
}
