#pragma once

#include "tests/core/references/fake_process.h"

namespace highwater::tests {

/// Chunks of the program's heap, in the form of glibc. The last one is the rest of the heap.
class FakeHeap {
  public:
    static constexpr Address kLibrary = 0x7F10'0000'0000, kArena = kLibrary + 0x100;
    static constexpr std::uint64_t kBeforeIsUsed = 1; ///< of the chunk before

    explicit FakeHeap(FakeProcess& process) : process_(process) {
        process.mapping(kLibrary, kLibrary + 0x1000, kPrivateFile, "/usr/lib/libc.so.6");
    }

    /// Returns the address of the block.
    Address add(ByteCount bytes, std::uint64_t flags = kBeforeIsUsed) {
        process_.word(next_ + 8, bytes | flags);
        next_ += bytes;
        return next_ - bytes + 16;
    }
    /// The rest, and the arena: its last chunk, and its lists, which are empty.
    void end() {
        process_.word(kArena + 96, next_);
        for (Address list = 0; list < 8; ++list)
            process_.word(kArena + 112 + 8 * list, kArena + 96 + list / 2 * 16);
        add(FakeProcess::kHeap + FakeProcess::kHeapBytes - next_);
    }
    void fastList(unsigned list, Address block) { process_.word(kArena + 16 + 8 * list, block - 16); }
    /// The lists of a thread, of which one has blocks.
    void threadList(Address lists, unsigned list, std::uint64_t length, Address first) {
        process_.word(lists + list / 4 * 8, length << list % 4 * 16);
        process_.word(lists + 128 + 8 * list, first);
    }
    void link(Address block, Address next) { process_.word(block, next ^ block >> 12); }

  private:
    FakeProcess& process_;
    Address next_ = FakeProcess::kHeap;
};

} // namespace highwater::tests
