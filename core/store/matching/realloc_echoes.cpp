#include "core/store/matching/realloc_echoes.h"

namespace highwater::store {

void ReallocEchoes::expect(const MemoryEvent& realloc, Wanted wanted) {
    waiting_[threadKey(realloc)] = {.heap = realloc.heap,
                                    .newAddress = realloc.address,
                                    .newSize = realloc.size,
                                    .oldAddress = realloc.oldAddress,
                                    .alloc = wanted != Wanted::Free,
                                    .free = wanted != Wanted::Alloc};
}

bool ReallocEchoes::takesSlow(const MemoryEvent& event) {
    const auto found = waiting_.find(threadKey(event));
    if (found == waiting_.end()) return false;
    auto& expected = found.value();
    const bool sameHeap = event.heap == expected.heap;
    const bool isAlloc = sameHeap && expected.alloc && event.operation == MemoryOperation::HeapAlloc &&
                         event.address == expected.newAddress && event.size == expected.newSize;
    const bool isFree = sameHeap && expected.free && event.operation == MemoryOperation::HeapFree &&
                        event.address == expected.oldAddress;
    // Each echo comes once, and no other event of the thread may come in between: at most two events.
    if (isAlloc) expected.alloc = false;
    if (isFree) expected.free = false;
    const bool isEcho = isAlloc || isFree;
    if (!isEcho || (!expected.alloc && !expected.free)) waiting_.erase(found);
    return isEcho;
}

bool ReallocEchoes::takesRecentFree(const MemoryEvent& realloc) {
    for (auto& free : recent_) {
        if (free.address != realloc.oldAddress || free.heap != realloc.heap || free.thread != threadKey(realloc))
            continue;
        free = RecentFree{};
        return true;
    }
    return false;
}

} // namespace highwater::store
