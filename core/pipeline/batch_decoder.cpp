#include "core/pipeline/batch_decoder.h"

#include "core/decode/records/heap_record.h"
#include "core/event/opcodes.h"

namespace highwater::pipeline {

using etl::RawRecord;

namespace {

bool isOfStacks(const RawRecord& record) {
    return record.kind == RawRecord::Kind::Classic && record.group == group::kStackWalk;
}

/// Records that do not contain their process need the decoder's knowledge of running threads.
bool isCountableBlock(const RawRecord& record) { return decode::isHeapBlockRecord(record) && record.tid != etl::kNoId; }

} // namespace

void PeakObserver::onPrivateBytes(const PrivateBytesSample& sample) {
    next_.onPrivateBytes(sample);
    peaks_.note(sample, store_.mostHeapBytesOutstanding(sample.pid));
}

void BatchDecoder::count(const RawRecord& record) {
    if (const auto event = decode::decodeHeapBlock(record))
        store_.countBlock(*event);
    else
        health_.count(Loss::RecordsTruncated);
}

void BatchDecoder::countBlocks(std::span<const RawRecord> records) {
    std::size_t othersBegin = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const bool isBlock = isCountableBlock(records[i]);
        if (!isBlock && !isOfStacks(records[i])) continue;
        // Earlier records may change which process the block belongs to.
        if (othersBegin < i) decoder_.decode(records.subspan(othersBegin, i - othersBegin));
        othersBegin = i + 1;
        if (isBlock) count(records[i]);
    }
    if (othersBegin < records.size()) decoder_.decode(records.subspan(othersBegin));
    if (!records.empty()) decoder_.reach(records.back().ticks);
}

void BatchDecoder::decode(const etl::RecordBatch& batch) {
    if (blocks_ == store::BlockRows::Counted)
        countBlocks(batch.records);
    else
        decoder_.decode(batch.records);
    decoder_.reach(batch.reachedTicks);
}

} // namespace highwater::pipeline
