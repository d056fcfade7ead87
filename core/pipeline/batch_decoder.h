#pragma once

#include "core/decode/record_decoder.h"
#include "core/etl/raw_record.h"
#include "core/pipeline/unrecorded_memory.h"
#include "core/store/trace_store.h"

#include <span>

namespace highwater::pipeline {

/// Decodes the batches of a recording. Where its store counts blocks of heaps, these, which a recording has by the
/// million, go there without the decoder, and stacks are left out altogether: what they belong to has no rows, or none
/// that anybody looks at. All else is decoded as ever, at its place between the blocks: processes, images, code, pages,
/// notes, losses. One thread.
class BatchDecoder {
  public:
    /// All outlive it. `store`: where events of the decoder arrive, too.
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

/// Passes notes on. Where blocks are counted it looks how much is outstanding whenever a process has more private bytes
/// than ever. One thread.
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
