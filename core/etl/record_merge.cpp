#include "core/etl/record_merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace highwater::etl {
namespace {

/// A batch that keeps more expanded buffers than this alive is handed over early.
constexpr std::uint64_t kMaxBatchHolds = 64u << 20;
/// All open expanded buffers together: far above any real trace, but not what a crafted file asks for.
constexpr std::uint64_t kMaxExpandedBytes = 1u << 30;

constexpr auto kNoTicks = std::numeric_limits<std::int64_t>::min();

} // namespace

RecordMerge::RecordMerge(std::span<const EtlReader> readers, TraceHealth& health)
    : readers_(readers), health_(health), heldFor_(readers.size()) {
    for (const auto& reader : readers)
        newestOfReader_.push_back(reader.header().ticks);
    queueBuffers();
}

RecordMerge::RecordMerge(EtlReader& growing, std::uint64_t ahead, TraceHealth& health)
    : readers_(&growing, 1), health_(health), growing_(&growing), ahead_(ahead), heldFor_(1) {
    newestOfReader_.push_back(growing.header().ticks);
}

/// Many at a time: a disk is read in long runs then.
void RecordMerge::listAhead() {
    while (growing_ != nullptr && !isOutOfOrder_ && isListDue()) {
        const bool isMore = growing_->listUpTo(std::max(opened_ + ahead_, growing_->listedUpTo()) + ahead_ / 8 + 1);
        isOutOfOrder_ = !queueListed() || growing_->isTooMuch();
        if (isMore) continue;
        isOutOfOrder_ = !growing_->finishListing(health_) || isOutOfOrder_;
        growing_ = nullptr;
    }
}

bool RecordMerge::isListDue() const {
    const bool isNothingLeft = heap_.empty() && nextWaiting_ == waiting_.size();
    return isNothingLeft || growing_->listedUpTo() < opened_ + ahead_;
}

/// False: one of them belongs before what is queued of its stream, or before what was delivered.
bool RecordMerge::queueListed() {
    const auto& places = growing_->buffers().places;
    for (; queued_ < places.size(); ++queued_) {
        const auto& place = places[queued_];
        const auto [stream, isNew] = streams_.try_emplace({place.processor, place.isHeader});
        auto& rank = ranks_[place.processor];
        if (isNew) {
            if (place.isHeader && rank > 0) return false;
            stream->second.number = static_cast<std::uint32_t>(newestTicks_.size());
            newestTicks_.push_back(kNoTicks);
        } else if (!isEarlierInStream(places[stream->second.newest], place)) {
            return false;
        }
        stream->second.newest = queued_;
        const Key key{place.startTicks, (std::uint64_t{place.processor} << 48) | rank++};
        if (key < delivered_) return false;
        const auto at = std::upper_bound(waiting_.begin() + static_cast<std::ptrdiff_t>(nextWaiting_), waiting_.end(),
                                         key, [](const Key& k, const Waiting& w) { return k < w.key; });
        waiting_.insert(at, {key, 0, queued_, stream->second.number});
    }
    return true;
}

/// Ranks the buffers of each stream, then puts all of them in the order in which the merge will meet them.
void RecordMerge::queueBuffers() {
    for (std::uint32_t r = 0; r < readers_.size(); ++r) {
        const auto& places = readers_[r].buffers().places;
        if (const auto late = readers_[r].lateRecords().value_or(0)) health_.count(Loss::RecordsOutOfOrder, late);
        for (std::uint32_t p = 0; p < places.size(); ++p)
            waiting_.push_back({{places[p].startTicks, 0}, r, p, 0});
    }
    const auto place = [this](const Waiting& w) -> const BufferPlace& {
        return readers_[w.reader].buffers().places[w.place];
    };
    std::sort(waiting_.begin(), waiting_.end(), [&place](const Waiting& a, const Waiting& b) {
        return a.reader != b.reader ? a.reader < b.reader : isEarlierInStream(place(a), place(b));
    });
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < waiting_.size(); ++i, ++rank) {
        auto& entry = waiting_[i];
        const bool sameFile = i > 0 && waiting_[i - 1].reader == entry.reader;
        if (!sameFile || !isSameStream(place(waiting_[i - 1]), place(entry))) newestTicks_.push_back(kNoTicks);
        if (!sameFile || place(waiting_[i - 1]).processor != place(entry).processor) rank = 0;
        entry.stream = static_cast<std::uint32_t>(newestTicks_.size() - 1);
        entry.key.tie =
            (std::uint64_t{place(entry).processor} << 48) | (std::uint64_t{entry.reader & 0xFFFFu} << 32) | rank;
    }
    std::sort(waiting_.begin(), waiting_.end(), [](const Waiting& a, const Waiting& b) { return a.key < b.key; });
}

bool RecordMerge::fill(RecordBatch& batch, std::size_t wanted) {
    ++batch_;
    batchHolds_ = 0;
    const auto end = batch.records.size() + wanted;
    batch.records.reserve(end);
    while (batch.records.size() < end && batchHolds_ < kMaxBatchHolds) {
        openDueBuffers();
        if (isOutOfOrder_) return false;
        if (heap_.empty()) {
            noteDamagedTimes();
            break;
        }
        deliverRun(batch, end - batch.records.size());
    }
    batch.bytesRead = bytesRead_;
    return !batch.records.empty();
}

/// When all is read, once.
void RecordMerge::noteDamagedTimes() {
    const auto count = std::exchange(damagedTimes_, 0);
    if (count == 0) return;
    health_.note(
        fmt::format("{} damaged: far outside of the trace, or of the records beside it. {} as happening with the "
                    "record before.",
                    count == 1 ? "The time of 1 record is" : fmt::format("The times of {} records are", count),
                    count == 1 ? "It is taken" : "They are taken"));
}

void RecordMerge::openDueBuffers() {
    listAhead();
    while (nextWaiting_ < waiting_.size() && (heap_.empty() || waiting_[nextWaiting_].key <= heap_.front().key)) {
        openBuffer(Waiting(waiting_[nextWaiting_++]));
        listAhead();
    }
}

void RecordMerge::openBuffer(const Waiting& waiting) {
    const auto& reader = readers_[waiting.reader];
    const auto& place = reader.buffers().places[waiting.place];
    opened_ = std::max(opened_, place.fileOffset);
    std::optional<BufferImage> image;
    if (!place.isCompressed || expandedBytes_ + place.imageBytes <= kMaxExpandedBytes) image = reader.load(place);
    if (!image) {
        health_.count(Loss::BuffersNotDecompressed);
        bytesRead_ += place.storedBytes;
        return;
    }
    const auto slot = takeSlot();
    auto& buffer = slots_[slot];
    buffer.image = std::move(*image);
    buffer.storedBytes = place.storedBytes;
    buffer.reader = waiting.reader;
    buffer.processor = place.processor;
    if (buffer.image.expanded) expandedBytes_ += buffer.image.bytes.size();
    const auto end = listInOrder(buffer, reader, waiting);
    if (end == WalkEnd::Damaged && !place.isCut) health_.count(Loss::RecordsDamaged);
    if (end == WalkEnd::Filling || (end == WalkEnd::Complete && buffer.image.endsEarly))
        health_.count(Loss::BuffersEndEarly);
    if (buffer.records.empty()) {
        closeBuffer(slot);
    } else {
        push({{buffer.records.front().ticks, waiting.key.tie}, slot});
    }
}

WalkEnd RecordMerge::listInOrder(OpenBuffer& buffer, const EtlReader& reader, const Waiting& waiting) {
    auto& newest = newestTicks_[waiting.stream];
    const auto fallback = newest != kNoTicks ? newest : reader.header().ticks;
    const auto end = listRecords(buffer.image.bytes, kBufferHeaderBytes, fallback, buffer.records);
    damagedTimes_ += mendTimes(buffer.records, reader.timeLimits());
    std::uint64_t late = 0;
    bool sorted = true;
    auto before = kNoTicks;
    for (const auto& record : buffer.records) {
        sorted = sorted && record.ticks >= before;
        before = record.ticks;
        late += record.ticks < newest;
        newest = std::max(newest, record.ticks);
    }
    newestOfReader_[waiting.reader] = std::max(newestOfReader_[waiting.reader], newest);
    if (late > 0 && !reader.lateRecords()) health_.count(Loss::RecordsOutOfOrder, late);
    if (!sorted) {
        std::stable_sort(buffer.records.begin(), buffer.records.end(),
                         [](const RecordExtent& a, const RecordExtent& b) { return a.ticks < b.ticks; });
    }
    return end;
}

std::uint32_t RecordMerge::takeSlot() {
    if (freeSlots_.empty()) {
        slots_.emplace_back();
        return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const auto slot = freeSlots_.back();
    freeSlots_.pop_back();
    return slot;
}

void RecordMerge::closeBuffer(std::uint32_t slot) {
    auto& buffer = slots_[slot];
    bytesRead_ += buffer.storedBytes;
    if (buffer.image.expanded) expandedBytes_ -= buffer.image.bytes.size();
    buffer.image = {};
    buffer.records.clear();
    buffer.next = 0;
    buffer.batch = 0;
    freeSlots_.push_back(slot);
}

/// The key that the top of the heap must not pass.
RecordMerge::Key RecordMerge::limit() const {
    Key key{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::uint64_t>::max()};
    if (heap_.size() > 1) key = std::min(key, heap_[1].key);
    if (heap_.size() > 2) key = std::min(key, heap_[2].key);
    if (nextWaiting_ < waiting_.size()) key = std::min(key, waiting_[nextWaiting_].key);
    return key;
}

void RecordMerge::deliverRun(RecordBatch& batch, std::size_t most) {
    const auto top = heap_.front();
    auto& buffer = slots_[top.slot];
    const auto until = limit();
    const auto last = std::min(buffer.records.size(), buffer.next + most);
    auto end = buffer.next + 1; // the smallest of all, whatever the limit
    if (top.key.tie < until.tie) {
        while (end < last && buffer.records[end].ticks <= until.ticks)
            ++end;
    } else {
        while (end < last && buffer.records[end].ticks < until.ticks)
            ++end;
    }
    keepAlive(batch, buffer);
    const std::span run(buffer.records.data() + buffer.next, end - buffer.next);
    const auto odd = parseRecords(buffer.image.bytes.data(), run, buffer.processor, batch.records);
    if (odd > 0) health_.count(Loss::RecordsTruncated, odd);
    buffer.next = end;
    delivered_ = {buffer.records[end - 1].ticks, top.key.tie};
    if (end == buffer.records.size()) {
        closeBuffer(top.slot);
        pop();
    } else {
        replaceTop({{buffer.records[end].ticks, top.key.tie}, top.slot});
    }
}

void RecordMerge::keepAlive(RecordBatch& batch, OpenBuffer& buffer) {
    if (!buffer.image.expanded) {
        const auto& file = readers_[buffer.reader].image().memory;
        if (file && std::exchange(heldFor_[buffer.reader], batch_) != batch_) batch.memory.push_back(file);
        return;
    }
    if (buffer.batch == batch_) return;
    buffer.batch = batch_;
    batchHolds_ += buffer.image.bytes.size();
    batch.memory.push_back(buffer.image.expanded);
}

void RecordMerge::push(HeapEntry entry) {
    heap_.push_back(entry);
    auto at = heap_.size() - 1;
    while (at > 0 && entry.key < heap_[(at - 1) / 2].key) {
        heap_[at] = heap_[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap_[at] = entry;
}

void RecordMerge::replaceTop(HeapEntry entry) {
    std::size_t at = 0;
    for (;;) {
        auto child = 2 * at + 1;
        if (child >= heap_.size()) break;
        if (child + 1 < heap_.size() && heap_[child + 1].key < heap_[child].key) ++child;
        if (entry.key <= heap_[child].key) break;
        heap_[at] = heap_[child];
        at = child;
    }
    heap_[at] = entry;
}

void RecordMerge::pop() {
    const auto last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) replaceTop(last);
}

} // namespace highwater::etl
