#include "core/pipeline/spool/file_gap.h"

#include "core/decode/records/missing_record.h"
#include "core/event/opcodes.h"
#include "core/pipeline/spool/memory_record.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace highwater::pipeline {
namespace {

using etl::RawRecord;

/// Heaps are rarely created and destroyed, but without their end all their blocks would stay.
bool isDropped(const RawRecord& record) {
    const bool isHeapItself = record.group == group::kHeap &&
                              (record.opcode == heap_opcode::kCreate || record.opcode == heap_opcode::kDestroy);
    return (isMemoryRecord(record) && !isHeapItself) || isStackReference(record);
}

/// Copies the data that records refer to into one block of memory.
class OwnMemory {
  public:
    explicit OwnMemory(const std::vector<RawRecord>& records) {
        std::size_t bytes = 0;
        for (const auto& record : records)
            bytes += rounded(record.payloadBytes) + rounded(record.extendedBytes) + rounded(sizeof(Guid));
        memory_ = std::make_shared<std::vector<std::byte>>(bytes);
    }
    void keep(RawRecord& record) {
        record.payload = copy(record.payload, record.payloadBytes);
        record.extended = copy(record.extended, record.extendedBytes);
        record.provider = copy(record.provider, sizeof(Guid));
    }
    [[nodiscard]] std::shared_ptr<const void> memory() const { return memory_; }

  private:
    /// Frames are read in place and must be aligned.
    static std::size_t rounded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }
    const std::byte* copy(const std::byte* from, std::size_t bytes) {
        if (from == nullptr) return nullptr;
        auto* const to = memory_->data() + used_;
        if (bytes > 0) std::memcpy(to, from, bytes);
        used_ += rounded(bytes);
        return to;
    }

    std::shared_ptr<std::vector<std::byte>> memory_;
    std::size_t used_ = 0;
};

} // namespace

void FileGap::take(etl::RecordBatch& batch) {
    if (batch.records.empty()) return;
    if (!isOpen_) firstTicks_ = batch.records.front().ticks;
    isOpen_ = true;
    lastTicks_ = std::max(batch.records.back().ticks, firstTicks_);
    const auto events =
        static_cast<std::uint64_t>(std::count_if(batch.records.begin(), batch.records.end(), isMemoryRecord));
    std::erase_if(batch.records, isDropped);
    const auto left =
        static_cast<std::uint64_t>(std::count_if(batch.records.begin(), batch.records.end(), isMemoryRecord));
    events_ += events - left;
    allEvents_ += events - left;
    OwnMemory own(batch.records);
    for (auto& record : batch.records)
        own.keep(record);
    batch.records.shrink_to_fit();
    batch.memory.assign(1, own.memory());
}

void FileGap::close(etl::RecordBatch& batch, std::uint16_t processor) {
    const auto payload = std::make_shared<const std::vector<std::byte>>(
        decode::encodeMissing({.firstTicks = firstTicks_,
                               .lastTicks = lastTicks_,
                               .events = events_,
                               .reason = "the disk could not keep up."}));
    batch.records.insert(batch.records.begin(), decode::missingRecord(lastTicks_, processor, *payload));
    batch.memory.push_back(payload);
    isOpen_ = false;
    events_ = 0;
}

} // namespace highwater::pipeline
