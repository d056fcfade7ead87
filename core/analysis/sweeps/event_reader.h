#pragma once

#include "core/store/published/published_trace.h"

#include <cstdint>

namespace highwater::analysis {

/// One start, end or partial release.
struct RowEvent {
    enum class Kind : std::uint8_t { Begin, End, Partial };
    TraceTime time;
    RowId row = 0;
    Kind kind = Kind::Begin;
    std::uint64_t delta = 0; ///< bytes, in two's complement
    int rows = 0;            ///< 1: the row starts; -1: it ends completely
};

/// Reads the ordered events of one table forward from any event, up to view.events.
class EventReader {
  public:
    /// Far: the reader prefetches memory, which pays off for more than a few blocks.
    enum class Reach : std::uint8_t { Near, Far };
    EventReader(const store::TableView& view, std::uint64_t event, Reach reach = Reach::Near);

    [[nodiscard]] bool atEnd() const { return event_ >= view_.events; }
    [[nodiscard]] std::uint64_t position() const { return event_; }
    /// Must not be at the end.
    RowEvent next();

    /// The first event that is not before t.
    static std::uint64_t firstFrom(const store::TableView& view, TraceTime t);

  private:
    void enterBlock();
    RowEvent nextBegin();
    RowEvent nextEnd();
    void prefetchEnd() const;

    const store::TableView& view_;
    std::uint64_t event_;
    std::uint64_t endsToFetch_; ///< ends below this are worth prefetching
    std::uint64_t bits_ = 0;
    std::uint64_t row_ = 0;
    std::uint64_t end_ = 0;
};

} // namespace highwater::analysis
