#include "core/pipeline/trace_note_list.h"

#include <algorithm>
#include <iterator>

namespace highwater::pipeline {

/// Windows occasionally writes marks of different processors out of order.
void TraceNoteList::insert(const Mark& mark) {
    const auto later = std::upper_bound(notes_.marks.begin(), notes_.marks.end(), mark,
                                        [](const Mark& a, const Mark& b) { return a.ticks < b.ticks; });
    notes_.marks.insert(later, mark);
}

void TraceNoteList::onMark(const Mark& mark) {
    const std::lock_guard lock(mutex_);
    insert(mark);
    isCopied_ = false;
}

void TraceNoteList::onMarkEdit(const MarkEdit& edit) {
    const std::lock_guard lock(mutex_);
    const auto isMeant = [&](const Mark& mark) { return mark.ticks == edit.ticks; };
    auto& from = edit.name.empty() ? notes_.marks : deleted_;
    std::vector<Mark> moved;
    std::copy_if(from.begin(), from.end(), std::back_inserter(moved), isMeant);
    std::erase_if(from, isMeant);
    for (const auto& mark : moved) {
        if (edit.name.empty())
            deleted_.push_back(mark);
        else
            insert(mark);
    }
    applyEdit(edit, notes_.marks);
    isCopied_ = false;
}

void TraceNoteList::onPrivateBytes(const PrivateBytesSample& sample) {
    const std::lock_guard lock(mutex_);
    notes_.privateBytes.push_back(sample);
    isCopied_ = false;
}

void TraceNoteList::set(const TraceNotes& notes) {
    const std::lock_guard lock(mutex_);
    notes_ = notes;
    deleted_.clear();
    isCopied_ = false;
}

std::shared_ptr<const TraceNotes> TraceNoteList::latest() const {
    const std::lock_guard lock(mutex_);
    if (!isCopied_) copy_ = std::make_shared<const TraceNotes>(notes_);
    isCopied_ = true;
    return copy_;
}

} // namespace highwater::pipeline
