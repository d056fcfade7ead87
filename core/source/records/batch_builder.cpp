#include "core/source/records/batch_builder.h"

#include "core/base/text.h"

#include <memory>

namespace highwater::source {

void BatchBuilder::begin(const etl::RawRecord& record) {
    end();
    constexpr std::size_t kAlign = 8; // frames are read in place
    payloads_.resize((payloads_.size() + kAlign - 1) & ~(kAlign - 1));
    records_.push_back(record);
    offsets_.push_back(payloads_.size());
}

/// Fixes the length of the record at hand.
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
        records_[i].payload = memory->data() + offsets_[i];
        batch.records.push_back(records_[i]);
    }
    if (!records_.empty()) batch.memory.push_back(std::move(memory));
    records_.clear();
    offsets_.clear();
    payloads_ = {};
}

} // namespace highwater::source
