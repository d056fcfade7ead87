#include "core/analysis/sweeps/event_reader.h"

namespace highwater::analysis {

using store::EventOrder;

EventReader::EventReader(const store::TableView& view, std::uint64_t event, Reach reach)
    : view_(view),
      event_(event & ~(EventOrder::kBlockEvents - 1)),
      endsToFetch_(reach == Reach::Far ? view.columns->rows.order().ends().size() : 0) {
    if (event_ >= view_.events) return;
    enterBlock();
    while (event_ < event && !atEnd())
        (void)next();
}

void EventReader::enterBlock() {
    const auto& order = view_.columns->rows.order();
    const auto number = event_ >> EventOrder::kBlockShift;
    bits_ = order.bits(number);
    row_ = order.blocks()[number].firstRow;
    end_ = order.blocks()[number].firstEnd;
}

RowEvent EventReader::next() {
    const auto event = (bits_ & 1) != 0 ? nextBegin() : nextEnd();
    bits_ >>= 1;
    ++event_;
    if ((event_ & (EventOrder::kBlockEvents - 1)) == 0 && !atEnd()) enterBlock();
    return event;
}

RowEvent EventReader::nextBegin() {
    const auto& begins = view_.columns->rows.begins();
    while (begins.isBeforeTrace(row_))
        ++row_;
    const auto row = static_cast<RowId>(row_++);
    return {begins[row], row, RowEvent::Kind::Begin, view_.columns->rows.size(row), 1};
}

// Always inline because GCC considers a function that only prefetches to have no effect, and drops its calls.
[[gnu::always_inline]] inline void EventReader::prefetchEnd() const {
    // Rows end in random order; without prefetching, every end waits for memory several times.
    constexpr std::uint64_t kAhead = 16;
    const auto& rows = view_.columns->rows;
    const auto& ends = rows.order().ends();
    if (end_ + kAhead >= endsToFetch_) return;
    const auto entry = ends[end_ + kAhead];
    if ((entry & EventOrder::kPartial) != 0) return;
    rows.begins().prefetch(entry);
    rows.ends().prefetch(entry);
    __builtin_prefetch(&rows.narrowSizes()[entry]);
    __builtin_prefetch(&rows.sites()[entry]);
}

RowEvent EventReader::nextEnd() {
    prefetchEnd();
    const auto& rows = view_.columns->rows;
    const auto entry = rows.order().ends()[end_++];
    if ((entry & EventOrder::kPartial) == 0) {
        return {rows.endTime(entry), entry, RowEvent::Kind::End, std::uint64_t{0} - rows.size(entry), -1};
    }
    const auto& partial = rows.partials()[entry & ~EventOrder::kPartial];
    return {partial.time, partial.row, RowEvent::Kind::Partial, std::uint64_t{0} - partial.bytes,
            partial.isFinal != 0 ? -1 : 0};
}

std::uint64_t EventReader::firstFrom(const store::TableView& view, TraceTime t) {
    const auto& blocks = view.columns->rows.order().blocks();
    // low: a block that starts before t (or the first); high: one that does not.
    std::uint64_t low = 0;
    auto high = (view.events + EventOrder::kBlockEvents - 1) >> EventOrder::kBlockShift;
    while (high - low > 1) {
        const auto middle = low + (high - low) / 2;
        (blocks[middle].firstTime < t ? low : high) = middle;
    }
    EventReader reader(view, low << EventOrder::kBlockShift);
    auto position = reader.position();
    while (!reader.atEnd() && reader.next().time < t) {
        position = reader.position();
    }
    return position;
}

} // namespace highwater::analysis
