#pragma once

#include "core/event/memory_events.h"
#include "core/store/published/site_table.h"
#include "core/store/published/stack_table.h"

namespace highwater::store {

/// The location of an event in the form that rows store. Pipeline thread only.

enum class MadeBy : std::uint8_t { Alloc, Realloc };

/// For a stack that has frames.
[[nodiscard]] inline FramesHash hashOf(const EventStack& stack) {
    return stack.hasHash ? stack.hash : hashFrames(stack.frames);
}

[[nodiscard]] inline StackId internStack(StackTable& stacks, StackRoot root, const EventStack& stack) {
    switch (stack.kind) {
    case EventStack::Kind::Frames:
        if (stack.frames.empty()) return StackId{0};
        return stacks.intern(stacks.prepare(root, hashOf(stack)), stack.frames);
    case EventStack::Kind::Known:
        return stacks.known(stacks.prepare(root, stack.hash));
    case EventStack::Kind::Pending:
        return stacks.internDeferred(root, stack.pending.value);
    case EventStack::Kind::None:
        break;
    }
    return StackId{0};
}

/// The site where a row begins.
[[nodiscard]] inline Site beginSite(const MemoryEvent& event, StackId stack, HeapId heap,
                                    MadeBy madeBy = MadeBy::Alloc) {
    return Site{stack, heap, event.tid, event.source, madeBy == MadeBy::Realloc, false, event.threadLife};
}

/// The site where a row ends.
[[nodiscard]] inline Site endSite(const MemoryEvent& event, StackId stack, HeapId heap, EndKind kind) {
    return Site{stack, heap, event.tid, static_cast<std::uint8_t>(kind), false, false, event.threadLife};
}

/// The end of a row without an event: a lost free, or the exit of the process. No stack, unknown thread.
[[nodiscard]] inline SiteId internSilentEndSite(SiteTable& endSites, HeapId heap, EndKind kind) {
    Site site;
    site.heap = heap;
    site.kind = static_cast<std::uint8_t>(kind);
    return endSites.intern(site);
}

} // namespace highwater::store
