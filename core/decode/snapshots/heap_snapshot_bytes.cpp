#include "core/decode/snapshots/heap_snapshot_bytes.h"

#include <array>

namespace highwater::decode {
namespace {

constexpr std::uint16_t kHeaderVersion = 2;
constexpr std::uint64_t kTerminator = 0x1234CDEF;
constexpr std::size_t kMostFrames = 192;
/// Windows does not allocate memory below this address. Flags of a block are always lower, so they mark the end of the
/// frames.
constexpr std::uint64_t kLowestAddress = 0x10000;
constexpr std::uint64_t kPageBytes = 0x1000, kBlockAlignment = 8;
constexpr std::uint64_t kUserEnd64 = std::uint64_t{1} << 47, kUserEnd32 = std::uint64_t{1} << 32;

class SnapshotWalk {
  public:
    SnapshotWalk(ByteSpan bytes, const HeapSnapshotBlocks& onBlock) : bytes_(bytes), onBlock_(onBlock) {}

    std::optional<HeapSnapshotFacts> run() {
        ByteReader reader(bytes_);
        const auto count = reader.take<std::uint32_t>();
        const auto total = reader.take<std::uint32_t>();
        const auto flags = reader.take<std::uint32_t>();
        if (!count || !total || !flags) return std::nullopt;
        at_ = reader.offset();
        while (at_ < bytes_.size()) {
            if (!takeHeap()) return std::nullopt;
            ++facts_.heaps;
        }
        if (facts_.heaps != *count && facts_.heaps != *total) return std::nullopt;
        return facts_;
    }

  private:
    enum class Step { Block, End, Wrong };
    static constexpr std::size_t kRecordWords = 3; ///< words of a block, and of a terminator

    [[nodiscard]] bool holds(std::size_t words) const { return (bytes_.size() - at_) / facts_.pointerBytes >= words; }
    /// The pointer this many words ahead; the caller has checked holds().
    [[nodiscard]] std::uint64_t word(std::size_t ahead) const {
        const auto* place = bytes_.data() + at_ + ahead * facts_.pointerBytes;
        return facts_.pointerBytes == 8 ? loadUnchecked<std::uint64_t>(place) : loadUnchecked<std::uint32_t>(place);
    }
    void skip(std::size_t words) { at_ += words * facts_.pointerBytes; }
    [[nodiscard]] std::uint64_t userEnd() const { return facts_.pointerBytes == 8 ? kUserEnd64 : kUserEnd32; }
    [[nodiscard]] bool isAddress(std::uint64_t value) const { return value >= kLowestAddress && value < userEnd(); }

    bool takeHeader() {
        ByteReader reader(bytes_.subspan(at_));
        const auto version = reader.take<std::uint16_t>();
        const auto pointerBytes = reader.take<std::uint16_t>();
        if (!version || !pointerBytes || *version != kHeaderVersion) return false;
        if (*pointerBytes != 4 && *pointerBytes != 8) return false;
        if (facts_.pointerBytes != 0 && facts_.pointerBytes != *pointerBytes) return false;
        facts_.pointerBytes = *pointerBytes;
        if (*pointerBytes == 8 && !reader.skip(4)) return false; // up to the next multiple of 8 of the structure
        const auto heap = reader.takePointer(*pointerBytes);
        const auto commit = reader.takePointer(*pointerBytes);
        const auto reserve = reader.takePointer(*pointerBytes);
        if (!heap || !commit || !reserve) return false;
        if (!isAddress(*heap) || *heap % kPageBytes != 0 || *commit > *reserve || *reserve >= userEnd()) return false;
        heap_ = *heap;
        at_ += reader.offset();
        return true;
    }

    bool takeHeap() {
        if (!takeHeader()) return false;
        for (;;) {
            const auto step = takeRecord();
            if (step != Step::Block) return step == Step::End;
        }
    }

    Step takeRecord() {
        if (!holds(kRecordWords)) return Step::Wrong;
        HeapSnapshotBlock block{heap_, word(0), word(2), {}};
        if (word(1) >= kLowestAddress) return Step::Wrong;
        skip(kRecordWords);
        if (block.address == kTerminator) {
            const auto allOnes = facts_.pointerBytes == 8 ? ~std::uint64_t{0} : std::uint64_t{0xFFFFFFFF};
            return block.size == allOnes ? Step::End : Step::Wrong;
        }
        const bool isPlace = isAddress(block.address) && block.address % kBlockAlignment == 0;
        if (!isPlace || block.size > userEnd() - block.address || !takeFrames()) return Step::Wrong;
        block.frames = std::span<const Address>(frames_).first(frameCount_);
        ++facts_.blocks;
        if (onBlock_) onBlock_(block);
        return Step::Block;
    }

    /// Up to the next block or terminator, whose flags are not a valid address.
    bool takeFrames() {
        frameCount_ = 0;
        while (holds(2) && word(1) >= kLowestAddress) {
            if (frameCount_ == kMostFrames || !isAddress(word(0))) return false;
            frames_[frameCount_++] = word(0);
            skip(1);
        }
        return true;
    }

    ByteSpan bytes_;
    const HeapSnapshotBlocks& onBlock_;
    std::size_t at_ = 0;
    Address heap_ = 0;
    HeapSnapshotFacts facts_;
    std::array<Address, kMostFrames> frames_{};
    std::size_t frameCount_ = 0;
};

} // namespace

std::optional<HeapSnapshotFacts> readHeapSnapshot(ByteSpan bytes, const HeapSnapshotBlocks& onBlock) {
    return SnapshotWalk(bytes, onBlock).run();
}

} // namespace highwater::decode
