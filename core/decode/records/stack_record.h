#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/etl/raw_record.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace highwater::decode {

/// Records of the StackWalk group (0x18, docs/etl-format.md 7): stacks of other records, and stack keys.

/// The owner of the stack in a stack record: the record with this time (raw ticks) on this thread.
struct StackReference {
    std::int64_t eventTicks = 0;
    std::uint32_t pid = 0;
    ThreadId tid;
    std::int64_t recordTicks = 0; ///< time of the stack record itself, at or after eventTicks
    std::uint16_t processor = 0;
};

/// Frames innermost first, with the modes that determine how halves are joined.
struct FrameRun {
    std::span<const Address> frames;
    bool startsInKernel = false;
    bool endsInUser = false;
};

/// Widens the frames of a payload. 8-byte frames at an aligned address are not copied: the run points into the payload.
/// Other runs point into a buffer of this object and are valid until the next read.
class FrameReader {
  public:
    /// Ignores trailing bytes that are not a whole frame.
    [[nodiscard]] FrameRun read(ByteSpan bytes, unsigned pointerBytes);

  private:
    [[nodiscard]] std::span<const Address> widen(ByteSpan bytes, unsigned pointerBytes);

    std::vector<Address> widened_;
};

/// The first 16 bytes of opcodes 32, 37, 38: EventTimeStamp u64 | pid u32 | tid u32. nullopt if too short.
[[nodiscard]] std::optional<StackReference> decodeStackReference(const etl::RawRecord& record);
/// Offset of the frames in a StackWalk record, and of the key in opcodes 37 and 38.
inline constexpr std::size_t kStackReferenceBytes = 16;

/// One stack in the extended items of a record (docs/etl-format.md 2.1): frames, or a key for them.
struct ExtendedStack {
    std::uint64_t matchId = 0; ///< not 0: this is one half, and the other one has the same number
    ByteSpan frames;
    std::uint64_t key = 0;
    bool isKey = false;
    unsigned pointerBytes = 8;
};

/// Iterates over the extended items of a record and stops at the first invalid one.
class ExtendedStackReader {
  public:
    explicit ExtendedStackReader(const etl::RawRecord& record) : items_(record.extendedSpan()) {}
    /// The next stack, skipping items of other kinds; nullopt at the end.
    [[nodiscard]] std::optional<ExtendedStack> next();

  private:
    ByteSpan items_;
};

} // namespace highwater::decode
