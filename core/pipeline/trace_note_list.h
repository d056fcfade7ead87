#pragma once

#include "core/decode/record_decoder.h"
#include "core/event/trace_notes.h"

#include <memory>
#include <mutex>
#include <vector>

namespace highwater::pipeline {

/// Collects the notes of a trace while it is decoded. Called by the pipeline thread; latest() by any thread.
class TraceNoteList final : public decode::NoteObserver {
  public:
    void onMark(const Mark& mark) override;
    void onMarkEdit(const MarkEdit& edit) override;
    void onPrivateBytes(const PrivateBytesSample& sample) override;

    /// Replaces the current notes.
    void set(const TraceNotes& notes);

    /// The current notes; the same object until they change. Never null.
    [[nodiscard]] std::shared_ptr<const TraceNotes> latest() const;

  private:
    void insert(const Mark& mark);

    mutable std::mutex mutex_;
    TraceNotes notes_;
    std::vector<Mark> deleted_; ///< an edit may restore them
    mutable std::shared_ptr<const TraceNotes> copy_ = std::make_shared<const TraceNotes>();
    mutable bool isCopied_ = true; ///< copy_ equals notes_
};

} // namespace highwater::pipeline
