#include "core/etl/record_merge.h"
#include "core/base/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace highwater::etl {
namespace {

/// A batch that keeps more expanded buffers than this alive is passed on early.
constexpr std::uint64_t kMaxBatchHeldBytes = 64u << 20;
/// For all open expanded buffers together: far above any real trace, but a limit for crafted files.
constexpr std::uint64_t kMaxExpandedBytes = 1u << 30;

/// Below this a thread is not worthwhile.
constexpr std::uint64_t kWorthThreads = 4u << 20;

/// For the next record of a buffer, whose header was read long ago or by another thread.
inline void prefetchRecord([[maybe_unused]] const std::byte* record) {
#if defined(__GNUC__)
    __builtin_prefetch(record);
    __builtin_prefetch(record + 64); // rarely past the end, which is harmless
#endif
}

constexpr auto kNoTicks = std::numeric_limits<std::int64_t>::min();

} // namespace

/// Expanding buffers is always worth a thread. Listing the records of plain buffers is only worth one if a processor is
/// idle, because it takes less time than threads lose by waiting for their turn.
unsigned RecordMerge::usefulThreads(std::span<const EtlReader> readers, unsigned busy) {
    std::uint64_t bytes = 0;
    bool isPlain = true;
    for (const auto& reader : readers) {
        bytes += reader.image().bytes.size();
        isPlain = isPlain && (reader.header().logMode & log_mode::kCompressed) == 0;
    }
    return bytes < kWorthThreads ? 0 : BufferOpener::usefulThreads(isPlain ? busy : 0);
}

RecordMerge::RecordMerge(std::span<const EtlReader> readers, TraceHealth& health, std::optional<unsigned> threads)
    : readers_(readers),
      health_(health),
      heldFor_(readers.size()),
      opener_(threads ? *threads : usefulThreads(readers)) {
    for (const auto& reader : readers)
        newestOfReader_.push_back(reader.header().ticks);
    queueBuffers();
}

RecordMerge::RecordMerge(EtlReader& growing, std::uint64_t ahead, TraceHealth& health, std::optional<unsigned> threads)
    : readers_(&growing, 1),
      health_(health),
      growing_(&growing),
      ahead_(ahead),
      heldFor_(1),
      opener_(threads ? *threads : usefulThreads(readers_)) {
    newestOfReader_.push_back(growing.header().ticks);
}

/// Many at a time, so that disks are read in long runs.
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

/// False if one of them belongs before a queued buffer of its stream, or before delivered records.
bool RecordMerge::queueListed() {
    const auto& places = growing_->buffers().places;
    // Removes opened buffers, because a large file has more of them than should be in memory at one time.
    nextAhead_ -= std::min(nextAhead_, nextWaiting_);
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(std::exchange(nextWaiting_, 0)));
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
        if (static_cast<std::size_t>(at - waiting_.begin()) < nextAhead_) ++nextAhead_;
        waiting_.insert(at, {key, 0, queued_, stream->second.number, nullptr});
    }
    return true;
}

/// Ranks the buffers of each stream, then sorts all of them in the order in which the merge needs them.
void RecordMerge::queueBuffers() {
    for (std::uint32_t r = 0; r < readers_.size(); ++r) {
        const auto& places = readers_[r].buffers().places;
        if (const auto late = readers_[r].lateRecords().value_or(0)) health_.count(Loss::RecordsOutOfOrder, late);
        for (std::uint32_t p = 0; p < places.size(); ++p)
            waiting_.push_back({{places[p].startTicks, 0}, r, p, 0, nullptr});
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
    batchHeldBytes_ = 0;
    const auto end = batch.records.size() + wanted;
    batch.records.reserve(end);
    while (batch.records.size() < end && batchHeldBytes_ < kMaxBatchHeldBytes) {
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

/// Called once, at the end.
void RecordMerge::noteDamagedTimes() {
    const auto count = std::exchange(damagedTimes_, 0);
    if (count == 0) return;
    health_.note(fmt::format(
        "The {} of {} {} damaged: far outside the trace, or far from the neighbouring records. {} as simultaneous with "
        "the preceding record.",
        byNumber(count, "time", "times"), counted(count, "record"), byNumber(count, "is", "are"),
        byNumber(count, "It is treated", "They are treated")));
}

void RecordMerge::openDueBuffers() {
    listAhead();
    while (nextWaiting_ < waiting_.size() && (heap_.empty() || waiting_[nextWaiting_].key <= heap_.front().key)) {
        openAhead();
        openBuffer(Waiting(waiting_[nextWaiting_++]));
        listAhead();
    }
}

void RecordMerge::openAhead() {
    nextAhead_ = std::max(nextAhead_, nextWaiting_);
    for (; nextAhead_ < waiting_.size() && opener_.wantsMore(); ++nextAhead_) {
        auto& waiting = waiting_[nextAhead_];
        const auto& reader = readers_[waiting.reader];
        waiting.opening = opener_.add(reader, reader.buffers().places[waiting.place]);
    }
}

void RecordMerge::openBuffer(const Waiting& waiting) {
    const auto& reader = readers_[waiting.reader];
    const auto& place = reader.buffers().places[waiting.place];
    opened_ = std::max(opened_, place.fileOffset);
    if (waiting.opening != nullptr)
        opener_.take(*waiting.opening, buffer_);
    else if (hasRoomFor(place))
        etl::openBuffer(reader, place, reader.timeLimits(), buffer_);
    if (!buffer_.image || !hasRoomFor(place)) {
        buffer_.image.reset();
        health_.count(Loss::BuffersNotDecompressed);
        bytesRead_ += place.storedBytes;
        return;
    }
    putInOrder(reader, waiting);
    const auto slot = takeSlot();
    auto& buffer = slots_[slot];
    buffer.image = *std::exchange(buffer_.image, std::nullopt);
    std::swap(buffer.records, buffer_.records);
    buffer.storedBytes = place.storedBytes;
    buffer.reader = waiting.reader;
    buffer.processor = place.processor;
    if (buffer.image.expanded) expandedBytes_ += buffer.image.bytes.size();
    const auto end = buffer_.listing.end;
    if (end == WalkEnd::Damaged && !place.isCut) health_.count(Loss::RecordsDamaged);
    if (end == WalkEnd::Filling || (end == WalkEnd::Complete && buffer.image.endsEarly))
        health_.count(Loss::BuffersEndEarly);
    if (buffer.records.empty()) {
        closeBuffer(slot);
    } else {
        push({{buffer.records.front().ticks, waiting.key.tie}, slot});
    }
}

bool RecordMerge::hasRoomFor(const BufferPlace& place) const {
    return !place.isCompressed || expandedBytes_ + place.imageBytes <= kMaxExpandedBytes;
}

/// The part that depends on earlier buffers of the stream.
void RecordMerge::putInOrder(const EtlReader& reader, const Waiting& waiting) {
    auto& newest = newestTicks_[waiting.stream];
    auto& records = buffer_.records;
    if (!buffer_.listing.hasTimes) {
        const auto fallback = newest != kNoTicks ? newest : reader.header().ticks;
        for (auto& record : records)
            record.ticks = fallback;
    }
    damagedTimes_ += buffer_.damagedTimes;
    std::uint64_t late = 0;
    if (buffer_.listing.isInOrder) {
        const auto inTime = std::ranges::find_if(records, [newest](const auto& r) { return r.ticks >= newest; });
        late = static_cast<std::uint64_t>(inTime - records.begin());
        if (!records.empty()) newest = std::max(newest, records.back().ticks);
    } else {
        for (const auto& record : records) {
            late += record.ticks < newest;
            newest = std::max(newest, record.ticks);
        }
        std::ranges::stable_sort(records, {}, &RecordExtent::ticks);
    }
    newestOfReader_[waiting.reader] = std::max(newestOfReader_[waiting.reader], newest);
    if (late > 0 && !reader.lateRecords()) health_.count(Loss::RecordsOutOfOrder, late);
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

/// The key that the top of the heap must not exceed.
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
    auto end = buffer.next + 1; // the smallest of all, regardless of the limit
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
        prefetchRecord(buffer.image.bytes.data() + buffer.records[end].offset);
        replaceTop({buffer.records[end].ticks, top.key.tie}, top.slot);
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
    batchHeldBytes_ += buffer.image.bytes.size();
    batch.memory.push_back(buffer.image.expanded);
}

void RecordMerge::push(const HeapEntry& entry) {
    heap_.push_back(entry);
    auto at = heap_.size() - 1;
    while (at > 0 && entry.key < heap_[(at - 1) / 2].key) {
        heap_[at] = heap_[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap_[at] = entry;
}

void RecordMerge::replaceTop(Key key, std::uint32_t slot) {
    std::size_t at = 0;
    for (;;) {
        auto child = 2 * at + 1;
        if (child >= heap_.size()) break;
        if (child + 1 < heap_.size() && heap_[child + 1].key < heap_[child].key) ++child;
        if (key <= heap_[child].key) break;
        heap_[at] = heap_[child];
        at = child;
    }
    heap_[at] = {key, slot};
}

void RecordMerge::pop() {
    const auto last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) replaceTop(last.key, last.slot);
}

} // namespace highwater::etl
