#include "core/analysis/explain/rises.h"

#include "core/analysis/rows/row_population.h"
#include "core/analysis/rows/stop_interval.h"
#include "core/analysis/sweeps/event_reader.h"

#include <algorithm>
#include <map>

namespace highwater::analysis {
namespace {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

/// Finds the part with the largest value: `unit` for each byte of its rise, minus `cost` for each nanosecond from its
/// first to its last instant. Sums wrap because sizes come from files.
class RiseFinder {
  public:
    RiseFinder() = default;
    /// Only of parts that begin at `from` or later.
    RiseFinder(TraceTime from, Wide unit, Wide cost) : from_(from), unit_(unit), cost_(cost) {}

    /// One instant: outstanding bytes before it, without rows that end at it, and after it.
    void take(TraceTime time, std::uint64_t before, std::uint64_t after) {
        if (time < from_) return;
        const auto start = valueOf(before, time);
        if (!isOpen_ || static_cast<SignedWide>(start - lowest_) <= 0) {
            lowest_ = start;
            lowestAt_ = time;
            lowestBytes_ = before;
            isOpen_ = true;
        }
        const auto value = static_cast<SignedWide>(valueOf(after, time) - lowest_);
        const auto bytes = static_cast<SignedByteCount>(after - lowestBytes_);
        if (value <= most_ || bytes <= 0) return;
        most_ = value;
        best_ = {{lowestAt_, TraceTime{time.ns + 1}}, bytes, static_cast<SignedByteCount>(lowestBytes_)};
    }
    [[nodiscard]] const Rise& best() const { return best_; }

  private:
    [[nodiscard]] Wide valueOf(std::uint64_t bytes, TraceTime time) const {
        return static_cast<Wide>(static_cast<SignedByteCount>(bytes)) * unit_ - static_cast<Wide>(time.ns) * cost_;
    }

    TraceTime from_ = kBeforeTrace;
    Wide unit_ = 1;
    Wide cost_ = 0;
    bool isOpen_ = false;
    Wide lowest_ = 0; ///< the value of the instant from which it can rise
    TraceTime lowestAt_{};
    std::uint64_t lowestBytes_ = 0;
    SignedWide most_ = 0;
    Rise best_;
};

/// The state of one process at an instant. Sums wrap because sizes come from files.
struct Course {
    ProcessRise rise;
    TraceTime end = kNever;              ///< end of the process
    TraceTime startUpEnd = kBeforeTrace; ///< before the interval: it did not start in it
    std::uint64_t opening = 0;           ///< outstanding bytes at the start of the interval
    std::uint64_t level = 0;             ///< outstanding bytes
    RiseFinder finder;                   ///< finds the largest rise, then the steepest part
    RiseFinder later;
    // For the current instant:
    std::uint64_t change = 0;
    std::uint64_t olderEnds = 0; ///< ends of rows that no part starting at this instant contains
    bool isTouched = false;

    void closeInstant(TraceTime time) {
        const auto before = level - olderEnds;
        level += change;
        if (time < end) rise.lastBytes = static_cast<SignedByteCount>(level);
        finder.take(time, before, level);
        later.take(time, before, level);
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

    bool findLargest(const std::stop_token& stop) {
        for (auto& course : courses_)
            course.later = RiseFinder(kNever, 1, 0); // not needed
        if (!run(stop)) return false;
        for (auto& course : courses_)
            course.rise.largest = course.finder.best();
        return true;
    }

    /// After findLargest().
    bool findSteepest(const std::stop_token& stop) {
        const auto& bounds = rows_.bounds();
        const auto time = static_cast<std::uint64_t>(bounds.t1) - static_cast<std::uint64_t>(bounds.t0);
        for (auto& course : courses_) {
            const auto slope = static_cast<Wide>(course.rise.largest.bytes) * kSteepness;
            course.finder = RiseFinder(kBeforeTrace, time, slope);
            course.later = RiseFinder(course.startUpEnd, time, slope);
        }
        if (!run(stop)) return false;
        for (auto& course : courses_) {
            course.rise.steepest = course.finder.best();
            course.rise.later = course.later.best();
            course.rise.isStartUp =
                course.rise.steepest.bytes > 0 && course.rise.steepest.part.end <= course.startUpEnd;
        }
        return true;
    }

    [[nodiscard]] std::vector<ProcessRise> rises() const {
        std::vector<ProcessRise> rises;
        for (const auto& course : courses_)
            rises.push_back(course.rise);
        return rises;
    }

  private:
    bool run(const std::stop_token& stop) {
        const auto& view = rows_.view();
        const auto& bounds = rows_.bounds();
        for (auto& course : courses_)
            course.level = course.opening;
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

    void findProcesses() {
        std::map<std::uint64_t, std::uint32_t> numbers;
        for (const auto& cell : selection_.cells())
            numbers.try_emplace(selection_.reader().key(Column::Process, cell.key), 0);
        for (auto& [process, number] : numbers) {
            number = static_cast<std::uint32_t>(courses_.size());
            const ProcessIndex index{static_cast<std::uint32_t>(process)};
            const auto& instance = (*rows_.trace().processes)[index];
            Course course;
            course.rise.process = index;
            course.end = instance.end;
            course.startUpEnd = startUpEndOf(instance);
            courses_.push_back(course);
        }
        for (const auto& cell : selection_.cells())
            courseOfCell_.push_back(numbers.at(selection_.reader().key(Column::Process, cell.key)));
    }

    /// kBeforeTrace: the process did not start in the interval.
    [[nodiscard]] TraceTime startUpEndOf(const store::ProcessInstance& process) const {
        const auto& bounds = rows_.bounds();
        const auto end = std::min(bounds.t1, process.end.ns);
        if (process.start.ns < bounds.t0 || process.start.ns >= end) return kBeforeTrace;
        const auto lived = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(process.start.ns);
        return TraceTime{process.start.ns + static_cast<std::int64_t>(lived / kStartUps)};
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
        for (auto& course : courses_)
            course.rise.lastBytes = static_cast<SignedByteCount>(course.opening);
    }
    void addOpening(std::uint32_t cell, const Sums& sums) {
        auto& course = courses_[courseOfCell_[cell]];
        course.opening += sums.opening;
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
    if (!sweep.findLargest(stop) || !sweep.findSteepest(stop)) return std::nullopt;
    return sweep.rises();
}

} // namespace highwater::analysis
