#pragma once

#include "core/decode/record_decoder.h"
#include "core/etl/raw_record.h"
#include "core/pipeline/unrecorded_memory.h"
#include "core/store/trace_store.h"

#include <span>

namespace highwater::pipeline {

/// Decodes the batches of a recording. If the store only counts heap blocks, these records, of which a recording has
/// millions, bypass the decoder, and stacks are left out because their rows do not exist or are not shown. All other
/// records are decoded as usual, in order between the blocks: processes, images, code, pages, notes, losses. One
/// thread.
class BatchDecoder {
  public:
    /// All arguments must outlive this object. `store` also receives the events of the decoder.
    BatchDecoder(decode::RecordDecoder& decoder, store::TraceStore& store, TraceHealth& health, store::BlockRows blocks)
        : decoder_(decoder), store_(store), health_(health), blocks_(blocks) {}

    void decode(const etl::RecordBatch& batch);
    void finish() { decoder_.finish(); }

  private:
    void countBlocks(std::span<const etl::RawRecord> records);
    void count(const etl::RawRecord& record);

    decode::RecordDecoder& decoder_;
    store::TraceStore& store_;
    TraceHealth& health_;
    store::BlockRows blocks_;
};

/// Forwards notes. If blocks are counted, it notes the most that was outstanding until each sample of private bytes.
/// One thread.
class PeakObserver final : public decode::NoteObserver {
  public:
    PeakObserver(decode::NoteObserver& next, store::TraceStore& store) : next_(next), store_(store) {}
    void onMark(const Mark& mark) override { next_.onMark(mark); }
    void onMarkEdit(const MarkEdit& edit) override { next_.onMarkEdit(edit); }
    void onPrivateBytes(const PrivateBytesSample& sample) override;

    [[nodiscard]] const HeapAtPeaks& peaks() const { return peaks_; }

  private:
    decode::NoteObserver& next_;
    store::TraceStore& store_;
    HeapAtPeaks peaks_;
};

} // namespace highwater::pipeline
