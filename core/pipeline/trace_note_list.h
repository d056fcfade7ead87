#pragma once

#include "core/decode/record_decoder.h"
#include "core/event/trace_notes.h"

#include <memory>
#include <mutex>
#include <vector>

namespace highwater::pipeline {

/// Collects the notes of a trace while it is decoded. Told by the pipeline thread; latest() by any thread.
class TraceNoteList final : public decode::NoteObserver {
  public:
    void onMark(const Mark& mark) override;
    void onMarkEdit(const MarkEdit& edit) override;
    void onPrivateBytes(const PrivateBytesSample& sample) override;

    /// In place of what it has.
    void set(const TraceNotes& notes);

    /// As they are now; the same object until they change. Never null.
    [[nodiscard]] std::shared_ptr<const TraceNotes> latest() const;

  private:
    void insert(const Mark& mark);

    mutable std::mutex mutex_;
    TraceNotes notes_;
    std::vector<Mark> deleted_; ///< an edit may bring them back
    mutable std::shared_ptr<const TraceNotes> copy_ = std::make_shared<const TraceNotes>();
    mutable bool isCopied_ = true; ///< copy_ is what notes_ is
};

} // namespace highwater::pipeline
