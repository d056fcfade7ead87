#include "core/store/matching/heap_lookahead.h"

#include "core/store/published/event_sites.h"

namespace highwater::store {

void HeapLookahead::push(const MemoryEvent& event, StackRoot root, ThreadLife life) {
    auto& place = slot(pushed_);
    place.event = event;
    place.event.stack = {};
    place.event.threadLife = life;
    place.root = root;
    place.stackKind = event.stack.kind;
    if (event.stack.kind == EventStack::Kind::Frames) {
        place.frames.assign(event.stack.frames.begin(), event.stack.frames.end());
        if (place.frames.empty()) place.stackKind = EventStack::Kind::None;
    }
    if (place.stackKind != EventStack::Kind::None) place.prepared = stacks_.prepare(root, hashOf(event.stack));
    blocks_.prefetchBlock(event, root.process);
    ++pushed_;
    if (pushed_ - resolved_ > kResolveAfter) resolveNext();
    if (pushed_ - applied_ > kApplyAfter) applyNext();
}

void HeapLookahead::resolveNext() {
    auto& next = slot(resolved_);
    if (next.stackKind == EventStack::Kind::None) {
        next.stack = StackId{0};
    } else {
        const bool isKnown = next.stackKind == EventStack::Kind::Known;
        next.stack = isKnown ? stacks_.known(next.prepared) : stacks_.intern(next.prepared, next.frames);
    }
    blocks_.prefetchRow(next.event, next.root.process, next.stack);
    ++resolved_;
}

void HeapLookahead::applyNext() {
    const auto& next = slot(applied_);
    blocks_.apply(next.event, next.root.process, next.stack);
    ++applied_;
}

void HeapLookahead::flush() {
    while (resolved_ != pushed_) {
        resolveNext();
    }
    while (applied_ != pushed_) {
        applyNext();
    }
}

} // namespace highwater::store
