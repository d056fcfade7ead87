#include "core/analysis/explain/rises.h"

#include "core/analysis/rows/row_population.h"
#include "core/analysis/rows/stop_interval.h"
#include "core/analysis/sweeps/event_reader.h"

#include <algorithm>
#include <map>

namespace highwater::analysis {
namespace {

/// The state of one process at an instant. Sums wrap because sizes come from files.
struct Course {
    ProcessRise rise;
    TraceTime end = kNever;   ///< end of the process
    std::uint64_t level = 0;  ///< outstanding bytes
    std::uint64_t lowest = 0; ///< the level from which it can rise
    TraceTime lowestAt{};
    // For the current instant:
    std::uint64_t change = 0;
    std::uint64_t olderEnds = 0; ///< ends of rows that no part starting at this instant contains
    bool isTouched = false;

    void closeInstant(TraceTime time) {
        const auto base = level - olderEnds;
        if (static_cast<SignedByteCount>(base) <= static_cast<SignedByteCount>(lowest)) {
            lowest = base;
            lowestAt = time;
        }
        level += change;
        if (time < end) rise.lastBytes = static_cast<SignedByteCount>(level);
        const auto risen = static_cast<SignedByteCount>(level - lowest);
        if (risen > rise.bytes) {
            rise.part = {lowestAt, TraceTime{time.ns + 1}};
            rise.bytes = risen;
            rise.startBytes = static_cast<SignedByteCount>(lowest);
        }
        change = olderEnds = 0;
        isTouched = false;
    }
};

/// Visits the events of an interval in time order, instant by instant.
class RiseSweep {
  public:
    explicit RiseSweep(const RowSelection& selection)
        : selection_(selection),
          population_(dynamic_cast<const RowPopulation&>(selection.population())),
          rows_(population_.rows()) {
        findProcesses();
        addOpenings();
    }

    bool run(const std::stop_token& stop) {
        const auto& view = rows_.view();
        const auto& bounds = rows_.bounds();
        TraceTime instant{bounds.t0};
        EventReader reader(view, EventReader::firstFrom(view, instant), EventReader::Reach::Far);
        while (!reader.atEnd()) {
            if (reader.position() % kStopEvery == 0 && stop.stop_requested()) return false;
            const auto event = reader.next();
            if (event.time.ns >= bounds.t1) break;
            if (event.time != instant) closeInstant(instant);
            instant = event.time;
            take(event);
        }
        closeInstant(instant);
        return !stop.stop_requested();
    }

    [[nodiscard]] std::vector<ProcessRise> rises() const {
        std::vector<ProcessRise> rises;
        for (const auto& course : courses_)
            rises.push_back(course.rise);
        return rises;
    }

  private:
    void findProcesses() {
        std::map<std::uint64_t, std::uint32_t> numbers;
        for (const auto& cell : selection_.cells())
            numbers.try_emplace(selection_.reader().key(Column::Process, cell.key), 0);
        for (auto& [process, number] : numbers) {
            number = static_cast<std::uint32_t>(courses_.size());
            const ProcessIndex index{static_cast<std::uint32_t>(process)};
            courses_.push_back({.rise = {.process = index}, .end = (*rows_.trace().processes)[index].end});
        }
        for (const auto& cell : selection_.cells())
            courseOfCell_.push_back(numbers.at(selection_.reader().key(Column::Process, cell.key)));
    }

    void addOpenings() {
        if (const auto& single = selection_.singleRows()) {
            isSelected_.resize(rows_.view().rows);
            for (const auto row : *single) {
                isSelected_[row] = true;
                addOpening(population_.cellOf(static_cast<RowId>(row)), population_.facts(row).sums);
            }
        } else {
            for (std::uint32_t cell = 0; cell < selection_.cells().size(); ++cell)
                addOpening(cell, selection_.cells()[cell].sums);
        }
        for (auto& course : courses_) {
            course.lowest = course.level;
            course.rise.lastBytes = static_cast<SignedByteCount>(course.level);
            course.lowestAt = TraceTime{rows_.bounds().t0};
        }
    }
    void addOpening(std::uint32_t cell, const Sums& sums) {
        auto& course = courses_[courseOfCell_[cell]];
        course.level += sums.opening;
        course.rise.rows += sums.rows;
    }

    void take(const RowEvent& event) {
        const bool isBegin = event.kind == RowEvent::Kind::Begin;
        const auto end = rows_.end(event.row);
        // Skips unpublished events, as in RowSweep.
        if (!isBegin && (event.time >= rows_.view().horizon || event.time > end)) return;
        if (!isSelected_.empty() && !isSelected_[event.row]) return;
        const auto cell = population_.cellOf(event.row);
        if (cell == kNoCell) return;
        const auto number = courseOfCell_[cell];
        auto& course = courses_[number];
        if (!course.isTouched) touched_.push_back(number);
        course.isTouched = true;
        course.change += event.delta;
        if (!isBegin && end == event.time && rows_.view().begin(event.row) < event.time)
            course.olderEnds -= event.delta;
    }

    void closeInstant(TraceTime time) {
        for (const auto number : touched_)
            courses_[number].closeInstant(time);
        touched_.clear();
    }

    const RowSelection& selection_;
    const RowPopulation& population_;
    const IntervalRows& rows_;
    std::vector<Course> courses_;
    std::vector<std::uint32_t> courseOfCell_;
    std::vector<bool> isSelected_; ///< rows, if the filter distinguishes rows of a cell; otherwise empty
    std::vector<std::uint32_t> touched_;
};

} // namespace

std::optional<std::vector<ProcessRise>> findRises(const RowSelection& selection, const std::stop_token& stop) {
    RiseSweep sweep(selection);
    if (!sweep.run(stop)) return std::nullopt;
    return sweep.rises();
}

} // namespace highwater::analysis
