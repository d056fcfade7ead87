#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace highwater {

/// A dense 32-bit index into one table. The tag prevents the use of a StackId as a SiteId.
template <typename Tag>
struct Id {
    std::uint32_t value = 0;
    friend constexpr auto operator<=>(Id, Id) = default;
};

/// A distinct call stack in store/stack_table. 0 is "(no stack)".
using StackId = Id<struct StackTag>;
/// A node of the frame tree in store/stack_table. 0 is the root above all processes.
using FrameNodeId = Id<struct FrameNodeTag>;
/// One instance of a process (a reused pid is another instance). Index into ProcessTable.
using ProcessIndex = Id<struct ProcessTag>;
/// One heap of one process instance. Index into the heap list of the store; 0 is "no heap" (VirtualAlloc).
using HeapId = Id<struct HeapTag>;
/// A distinct (stack, process, heap, thread, ...) combination; see store/site_table.
using SiteId = Id<struct SiteTag>;
/// A thread, by the number that the system assigned. Without a number: unknown.
struct ThreadId {
    static constexpr std::uint32_t kUnknown = 0xFFFFFFFFu;
    std::uint32_t value = kUnknown;
    [[nodiscard]] constexpr bool isKnown() const { return value != kUnknown; }
    friend constexpr auto operator<=>(ThreadId, ThreadId) = default;
};
/// A row of an AllocationTable.
using RowId = std::uint32_t;

} // namespace highwater

template <>
struct std::hash<highwater::ThreadId> {
    std::size_t operator()(highwater::ThreadId id) const noexcept { return id.value; }
};

template <typename Tag>
struct std::hash<highwater::Id<Tag>> {
    std::size_t operator()(highwater::Id<Tag> id) const noexcept { return id.value; }
};
