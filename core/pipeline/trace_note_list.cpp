#include "core/pipeline/trace_note_list.h"

#include <algorithm>

namespace highwater::pipeline {

/// Windows writes marks of different processors out of order now and then.
void TraceNoteList::onMark(const Mark& mark) {
    const std::lock_guard lock(mutex_);
    const auto later = std::upper_bound(notes_.marks.begin(), notes_.marks.end(), mark,
                                        [](const Mark& a, const Mark& b) { return a.ticks < b.ticks; });
    notes_.marks.insert(later, mark);
    isCopied_ = false;
}

void TraceNoteList::onMarkEdit(const MarkEdit& edit) {
    const std::lock_guard lock(mutex_);
    applyEdit(edit, notes_.marks);
    isCopied_ = false;
}

void TraceNoteList::onPrivateBytes(const PrivateBytesSample& sample) {
    const std::lock_guard lock(mutex_);
    notes_.privateBytes.push_back(sample);
    isCopied_ = false;
}

std::shared_ptr<const TraceNotes> TraceNoteList::latest() const {
    const std::lock_guard lock(mutex_);
    if (!isCopied_) copy_ = std::make_shared<const TraceNotes>(notes_);
    isCopied_ = true;
    return copy_;
}

} // namespace highwater::pipeline
