#pragma once

#include "core/base/units.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace highwater::tests {

struct WrittenBlock {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    std::vector<Address> frames;
    std::uint32_t flags = 1;
};

struct WrittenHeap {
    std::uint64_t handle = 0;
    std::vector<WrittenBlock> blocks;
    std::uint64_t commit = 0x10000;
    std::uint64_t reserve = 0x100000;
};

/// Writes the bytes of a Windows heap snapshot, as docs/etl-format.md 5.6 assumes them.
class SnapshotWriter {
  public:
    explicit SnapshotWriter(unsigned pointerBytes) : pointerBytes_(pointerBytes) {}

    std::vector<std::byte> write(const std::vector<WrittenHeap>& heaps) {
        bytes_.clear();
        number(static_cast<std::uint32_t>(heaps.size()));
        number(static_cast<std::uint32_t>(heaps.size()));
        number(std::uint32_t{0});
        for (const auto& heap : heaps)
            add(heap);
        return bytes_;
    }

  private:
    template <typename T>
    void number(T value) {
        const auto* at = reinterpret_cast<const std::byte*>(&value);
        bytes_.insert(bytes_.end(), at, at + sizeof(T));
    }
    void pointer(std::uint64_t value) {
        if (pointerBytes_ == 8) return number(value);
        number(static_cast<std::uint32_t>(value));
    }
    void gap() {
        if (pointerBytes_ == 8) number(std::uint32_t{0});
    }
    void add(const WrittenHeap& heap) {
        number(std::uint16_t{2});
        number(static_cast<std::uint16_t>(pointerBytes_));
        gap();
        pointer(heap.handle);
        pointer(heap.commit);
        pointer(heap.reserve);
        for (const auto& block : heap.blocks) {
            pointer(block.address);
            number(block.flags);
            gap();
            pointer(block.size);
            for (const auto frame : block.frames)
                pointer(frame);
        }
        pointer(0x1234CDEF);
        number(std::uint32_t{0});
        gap();
        pointer(~std::uint64_t{0});
    }

    unsigned pointerBytes_;
    std::vector<std::byte> bytes_;
};

} // namespace highwater::tests
