#include "core/source/records/batch_builder.h"

#include "core/base/text.h"

#include <memory>

namespace highwater::source {
namespace {

/// Aligned because frames are read in place.
std::size_t wordAligned(std::size_t bytes) {
    constexpr std::size_t kAlign = 8;
    return (bytes + kAlign - 1) & ~(kAlign - 1);
}

} // namespace

void BatchBuilder::begin(const etl::RawRecord& record) {
    end();
    payloads_.resize(wordAligned(payloads_.size()));
    records_.push_back(record);
    if (record.extendedBytes > 0) {
        putBytes(record.extended, record.extendedBytes);
        payloads_.resize(wordAligned(payloads_.size()));
    }
    offsets_.push_back(payloads_.size());
}

/// Fixes the length of the current record.
void BatchBuilder::end() {
    if (records_.empty()) return;
    records_.back().payloadBytes = static_cast<std::uint32_t>(payloads_.size() - offsets_.back());
}

void BatchBuilder::putBytes(const void* bytes, std::size_t count) {
    const auto* from = static_cast<const std::byte*>(bytes);
    payloads_.insert(payloads_.end(), from, from + count);
}

void BatchBuilder::putZeros(std::size_t count) { payloads_.resize(payloads_.size() + count); }

void BatchBuilder::putUtf16(std::string_view text) { appendUtf16(payloads_, text); }

void BatchBuilder::putNarrow(std::string_view text) {
    putBytes(text.data(), text.size());
    putZeros(1);
}

void BatchBuilder::add(const etl::RawRecord& record) {
    begin(record);
    putBytes(record.payload, record.payloadBytes);
}

void BatchBuilder::moveTo(etl::RecordBatch& batch) {
    end();
    auto memory = std::make_shared<const std::vector<std::byte>>(std::move(payloads_));
    for (std::size_t i = 0; i < records_.size(); ++i) {
        const auto* payload = memory->data() + offsets_[i];
        records_[i].payload = payload;
        if (const auto extended = wordAligned(records_[i].extendedBytes)) records_[i].extended = payload - extended;
        batch.records.push_back(records_[i]);
    }
    if (!records_.empty()) batch.memory.push_back(std::move(memory));
    records_.clear();
    offsets_.clear();
    payloads_ = {};
}

} // namespace highwater::source
