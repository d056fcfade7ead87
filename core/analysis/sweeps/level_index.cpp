#include "core/analysis/sweeps/level_index.h"

#include "core/analysis/rows/parallel_spans.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <utility>

namespace highwater::analysis {
namespace {

constexpr auto kLowestLevel = std::numeric_limits<SignedByteCount>::min();

/// The lines of a sweep by site or, with words, by group.
std::vector<std::uint32_t> sweptLines(const GroupsOfSites& groups, const SiteWords& words,
                                      std::span<const std::uint32_t> lineOfGroup) {
    std::vector<std::uint32_t> ofGroups{0};
    for (const auto line : lineOfGroup)
        ofGroups.push_back(line == LevelIndex::kNoLine ? 0 : line + SiteSweep::kFirst);
    if (!words.isEmpty()) return ofGroups;
    std::vector<std::uint32_t> ofSites;
    ofSites.reserve(groups.ofSite.size());
    for (const auto group : groups.ofSite)
        ofSites.push_back(ofGroups[group]);
    return ofSites;
}

/// The levels of rows older than the trace, before the first event.
std::vector<SignedByteCount> levelsOfOlder(const LevelIndex::Source& source, const GroupsOfSites& groups) {
    std::vector<SignedByteCount> levels(groups.count);
    const auto& rows = source.view->columns->rows;
    for (std::uint64_t i = 0; i < source.view->olderRows; ++i) {
        const auto row = rows.olderRows()[i];
        const auto group = groups.ofSite[rows.site(row).value];
        const auto amount = source.measure == RowSweep::Measure::Rows ? 1 : rows.size(row);
        if (group != 0) levels[group - 1] += static_cast<SignedByteCount>(amount);
    }
    return levels;
}

} // namespace

bool LevelIndex::canIndex(const store::TableView& view) {
    const auto& wide = view.columns->rows.wideSizes();
    return view.partials == 0 && (wide.size() == 0 || wide[0].row >= view.rows);
}

std::uint64_t LevelIndex::blockEventsFor(std::uint64_t events, std::uint32_t groups) {
    const auto wanted = events / std::max<std::uint64_t>(1, kMostLevels / std::max(groups, 1u)) + 1;
    return std::max(kShortestBlock, std::bit_ceil(wanted));
}

std::shared_ptr<const LevelIndex> LevelIndex::make(const Source& source, const GroupsOfSites& groups,
                                                   std::uint64_t blockEvents, const LevelIndex* before,
                                                   const std::stop_token& stop) {
    std::shared_ptr<LevelIndex> made(new LevelIndex);
    made->groups_ = groups;
    made->blockEvents_ = blockEvents;
    made->events_ = EventReader::firstFrom(*source.view, source.view->horizon);
    made->count_ = (made->events_ + blockEvents - 1) / blockEvents;
    made->blocks_ = LargeArray<Entry>((made->count_ + 1) * groups.count);
    std::uint64_t known = 0;
    if (before != nullptr) {
        // Its last block may have grown; the level before it is known.
        known = std::min(before->events_, made->events_) / blockEvents;
        made->hasEmptyRows_ = before->hasEmptyRows_;
        std::copy_n(before->blocks_.data(), (known + 1) * groups.count, made->blocks_.data());
    } else {
        const auto older = levelsOfOlder(source, groups);
        for (std::uint32_t group = 0; group < groups.count; ++group)
            made->blocks_[group].level = older[group];
        // Not checked individually.
        made->hasEmptyRows_ = source.view->olderRows > 0;
    }
    if (!made->fill(source, known, stop)) return nullptr;
    return made;
}

/// Sweeps parts of the events on all processors as if nothing preceded them, then adds the levels before each part.
bool LevelIndex::fill(const Source& source, std::uint64_t firstBlock, const std::stop_token& stop) {
    constexpr std::uint64_t kEventsOfPart = 1u << 18;
    const auto blocks = count_ - firstBlock;
    const auto most = std::clamp<std::uint64_t>(blocks, 1, 16);
    const auto parts = std::clamp<std::uint64_t>(blocks * blockEvents_ / kEventsOfPart, 1, most);
    const auto firstOf = [&](std::uint64_t part) { return firstBlock + blocks * part / parts; };
    std::vector<std::uint32_t> asTheyAre(groups_.count);
    for (std::uint32_t group = 0; group < groups_.count; ++group)
        asTheyAre[group] = group;
    SiteWords words;
    const bool areMany = blocks * blockEvents_ > source.view->rows / 4;
    if (areMany) {
        auto made = SiteWords::make(*source.view, source.measure, groups_, stop);
        if (!made) return false;
        words = *std::move(made);
    }
    const auto lineOf = sweptLines(groups_, words, asTheyAre);
    const std::size_t groups = groups_.count;
    std::vector<std::vector<SignedByteCount>> changes(parts, std::vector<SignedByteCount>(groups));
    std::atomic<bool> anyEmpty{false};
    const bool isSwept = forEachSpan(parts, workersFor(parts * 4), stop, [&](unsigned, std::uint64_t part) {
        SiteSweep sweep(*source.view, source.measure, words, lineOf, groups);
        sweep.start(firstOf(part) * blockEvents_);
        for (auto block = firstOf(part); block < firstOf(part + 1); ++block) {
            if (!sweep.advance(std::min(events_, (block + 1) * blockEvents_), stop)) return;
            auto* entries = blocks_.data() + block * groups;
            for (std::size_t group = 0; group < groups; ++group) {
                auto& level = sweep.level(group);
                entries[group].peak = std::exchange(level.peak, level.level);
                entries[group + groups].level = level.level;
            }
        }
        for (std::size_t group = 0; group < groups; ++group)
            changes[part][group] = sweep.level(group).level;
        if (sweep.anyEmpty()) anyEmpty = true;
    });
    if (!isSwept) return false;
    hasEmptyRows_ = hasEmptyRows_ || anyEmpty;
    if (words.bytes() <= kMostBytesOfWords) words_ = std::move(words);
    std::vector<std::vector<SignedByteCount>> before(parts);
    for (std::size_t group = 0; group < groups; ++group)
        before[0].push_back(blocks_[firstBlock * groups + group].level);
    for (std::uint64_t part = 1; part < parts; ++part) {
        before[part] = before[part - 1];
        for (std::size_t group = 0; group < groups; ++group)
            before[part][group] += changes[part - 1][group];
    }
    return forEachSpan(parts, workersFor(parts * 4), stop, [&](unsigned, std::uint64_t part) {
        for (auto block = firstOf(part); block < firstOf(part + 1); ++block) {
            auto* entries = blocks_.data() + block * groups;
            for (std::size_t group = 0; group < groups; ++group) {
                entries[group].peak += before[part][group];
                entries[group + groups].level += before[part][group];
            }
        }
    });
}

/// One question to an index.
class LevelQuery {
  public:
    LevelQuery(const LevelIndex& index, const LevelIndex::Source& source, std::span<const TraceTime> edges,
               const LevelIndex::Lines& lines)
        : index_(index), source_(source), length_(index.blockEvents_), lines_(lines), edges_(edges) {
        listGroups();
    }

    std::optional<LevelIndex::Peaks> run(const std::stop_token& stop) {
        peaks_.assign(lines_.count, std::vector<SignedByteCount>(slices(), kLowestLevel));
        lineOf_ = sweptLines(index_.groups(), index_.words_, lines_.ofGroup);
        if (!findEvents(stop) || !sweepCutBlocks(stop)) return std::nullopt;
        for (std::size_t slice = 0; slice < slices(); ++slice)
            takeWholeBlocks(slice);
        if (!sweepDoubtfulBlocks(stop)) return std::nullopt;
        return std::move(peaks_);
    }

    std::optional<LevelIndex::Peaks> runOverBlocks(const std::stop_token& stop) {
        peaks_.assign(lines_.count, std::vector<SignedByteCount>(slices(), kLowestLevel));
        if (!findEvents(stop)) return std::nullopt;
        for (std::size_t slice = 0; slice < slices(); ++slice) {
            if (stop.stop_requested()) return std::nullopt;
            takeTouchedBlocks(slice);
        }
        return std::move(peaks_);
    }

  private:
    class Sweeper;
    static constexpr std::uint64_t kEventsPerSpan = 1u << 15; ///< four spans are worth a thread

    [[nodiscard]] std::size_t slices() const { return edges_.size() - 1; }
    [[nodiscard]] std::uint64_t firstWhole(std::size_t slice) const { return (events_[slice] + length_ - 1) / length_; }
    [[nodiscard]] std::uint64_t lastWhole(std::size_t slice) const { return events_[slice + 1] / length_; }
    [[nodiscard]] std::span<const std::uint32_t> groupsOf(std::size_t line) const {
        return std::span(groups_).subspan(firstGroup_[line], firstGroup_[line + 1] - firstGroup_[line]);
    }

    void listGroups() {
        firstGroup_.resize(lines_.count + 1);
        for (const auto line : lines_.ofGroup) {
            if (line != LevelIndex::kNoLine) ++firstGroup_[line + 1];
        }
        for (std::uint32_t line = 0; line < lines_.count; ++line) {
            if (firstGroup_[line + 1] > 1) together_.push_back(line);
            firstGroup_[line + 1] += firstGroup_[line];
        }
        groups_.resize(firstGroup_.back());
        auto next = firstGroup_;
        for (std::uint32_t group = 0; group < lines_.ofGroup.size(); ++group) {
            if (lines_.ofGroup[group] != LevelIndex::kNoLine) groups_[next[lines_.ofGroup[group]]++] = group;
        }
    }

    /// The first event of each slice, and one past the last.
    bool findEvents(const std::stop_token& stop) {
        constexpr std::size_t kEdgesOfTask = 64;
        events_.resize(edges_.size());
        const auto tasks = (edges_.size() + kEdgesOfTask - 1) / kEdgesOfTask;
        return forEachSpan(tasks, workersFor(tasks), stop, [&](unsigned, std::uint64_t task) {
            const auto last = std::min(edges_.size(), (task + 1) * kEdgesOfTask);
            for (auto i = task * kEdgesOfTask; i < last; ++i) {
                // Events at or after the horizon have not happened yet.
                events_[i] = std::min(EventReader::firstFrom(*source_.view, edges_[i]), index_.events_);
            }
        });
    }

    [[nodiscard]] SignedByteCount levelBefore(std::size_t line, std::uint64_t block) const {
        SignedByteCount level = 0;
        for (const auto group : groupsOf(line))
            level += index_.entries(block)[group].level;
        return level;
    }
    /// At least the peak of the line in the block.
    [[nodiscard]] SignedByteCount boundOf(std::size_t line, std::uint64_t block) const {
        SignedByteCount bound = 0;
        for (const auto group : groupsOf(line))
            bound += index_.entries(block)[group].peak;
        return bound;
    }
    void raise(std::size_t line, std::size_t slice, SignedByteCount to) {
        auto& value = peaks_[line][slice];
        value = std::max(value, to);
    }

    /// All blocks that overlap the slice, and the level at its start.
    void takeTouchedBlocks(std::size_t slice) {
        const auto first = events_[slice];
        const auto last = events_[slice + 1];
        const bool isCarried = first % length_ == 0; // otherwise included in the block
        const auto end = std::max((last + length_ - 1) / length_, first / length_ + (isCarried ? 0 : 1));
        for (std::size_t line = 0; line < lines_.count; ++line) {
            if (isCarried) raise(line, slice, levelBefore(line, first / length_));
            for (auto block = first / length_; block < end; ++block)
                raise(line, slice, boundOf(line, block));
        }
    }

    bool sweepCutBlocks(const std::stop_token& stop);
    /// The blocks inside one slice, and the level at its start.
    void takeWholeBlocks(std::size_t slice) {
        if (events_[slice] % length_ == 0) {
            for (std::size_t line = 0; line < lines_.count; ++line)
                raise(line, slice, levelBefore(line, events_[slice] / length_));
        }
        for (auto block = firstWhole(slice); block < lastWhole(slice); ++block) {
            const auto* entries = index_.entries(block);
            for (std::size_t line = 0; line < lines_.count; ++line) {
                const auto groups = groupsOf(line);
                if (groups.size() == 1) raise(line, slice, entries[groups.front()].peak);
            }
            for (const auto line : together_)
                raise(line, slice, levelBefore(line, block));
        }
    }
    bool sweepDoubtfulBlocks(const std::stop_token& stop);
    void sweepDoubtful(Sweeper& sweeper, std::size_t slice, const std::stop_token& stop);

    const LevelIndex& index_;
    const LevelIndex::Source& source_;
    std::uint64_t length_; ///< length of a block, in events
    const LevelIndex::Lines& lines_;
    std::span<const TraceTime> edges_;
    std::vector<std::size_t> firstGroup_; ///< by line, in groups_
    std::vector<std::uint32_t> groups_;   ///< one line after the other
    std::vector<std::uint32_t> together_; ///< lines with several groups
    std::vector<std::uint32_t> lineOf_;   ///< for a sweep
    std::vector<std::uint64_t> events_;   ///< by edge
    LevelIndex::Peaks peaks_;
};

/// Sweeps single blocks. One thread at a time.
class LevelQuery::Sweeper {
  public:
    explicit Sweeper(const LevelQuery& query)
        : query_(query),
          lines_(query.lines_.count),
          sweep_(*query.source_.view, query.source_.measure, query.index_.words_, query.lineOf_, lines_) {}

    /// Updates the peaks of all slices that overlap the block.
    void sweepCut(std::uint64_t block, const std::stop_token& stop) {
        if (peaks_.empty()) peaks_.assign(lines_ * query_.slices(), kLowestLevel);
        const auto& events = query_.events_;
        auto position = block * query_.length_;
        const auto last = std::min(position + query_.length_, events.back());
        begin(block);
        auto next = static_cast<std::size_t>(std::upper_bound(events.begin(), events.end(), position) - events.begin());
        if (next > 0) takePeaks(next - 1);
        while (position < last) {
            position = std::min(last, events[next]);
            if (!sweep_.advance(position, stop)) return;
            if (next > 0) takePeaks(next - 1);
            forgetPeaks();
            for (; next < events.size() && events[next] == position; ++next)
                takePeaks(next);
        }
    }
    /// The peaks of the lines in the whole block. False: stopped.
    bool sweepWhole(std::uint64_t block, const std::stop_token& stop) {
        begin(block);
        return sweep_.advance((block + 1) * query_.length_, stop);
    }
    [[nodiscard]] SignedByteCount peak(std::size_t line) { return sweep_.level(line).peak; }

    void addTo(LevelIndex::Peaks& peaks) const {
        if (peaks_.empty()) return;
        for (std::size_t line = 0; line < lines_; ++line) {
            for (std::size_t slice = 0; slice < query_.slices(); ++slice)
                peaks[line][slice] = std::max(peaks[line][slice], peaks_[slice * lines_ + line]);
        }
    }

  private:
    void begin(std::uint64_t block) {
        for (std::size_t line = 0; line < lines_; ++line) {
            auto& level = sweep_.level(line);
            level.level = level.peak = query_.levelBefore(line, block);
        }
        sweep_.start(block * query_.length_);
    }
    /// There is no slice after the last edge.
    void takePeaks(std::size_t slice) {
        if (slice >= query_.slices()) return;
        auto* peaks = peaks_.data() + slice * lines_;
        for (std::size_t line = 0; line < lines_; ++line)
            peaks[line] = std::max(peaks[line], sweep_.level(line).peak);
    }
    void forgetPeaks() {
        for (std::size_t line = 0; line < lines_; ++line)
            sweep_.level(line).peak = sweep_.level(line).level;
    }

    const LevelQuery& query_;
    std::size_t lines_;
    SiteSweep sweep_;
    std::vector<SignedByteCount> peaks_; ///< by slice and line
};

/// Blocks in which a slice starts or ends.
bool LevelQuery::sweepCutBlocks(const std::stop_token& stop) {
    std::vector<std::uint64_t> blocks;
    for (const auto event : events_) {
        const auto block = event / length_;
        if (event % length_ != 0 && (blocks.empty() || blocks.back() != block)) blocks.push_back(block);
    }
    const auto workers = workersFor(std::max<std::uint64_t>(blocks.size() * length_ / kEventsPerSpan, 1));
    std::vector<Sweeper> sweepers(workers, Sweeper(*this));
    const bool isSwept = forEachSpan(blocks.size(), workers, stop, [&](unsigned worker, std::uint64_t i) {
        sweepers[worker].sweepCut(blocks[i], stop);
    });
    for (const auto& sweeper : sweepers)
        sweeper.addTo(peaks_);
    return isSwept;
}

/// For several groups together, a block only has an upper bound. Sweeps the blocks whose bound exceeds the known peak.
bool LevelQuery::sweepDoubtfulBlocks(const std::stop_token& stop) {
    if (together_.empty()) return true;
    const auto workers = workersFor((events_.back() - events_.front()) / kEventsPerSpan);
    std::vector<Sweeper> sweepers(workers, Sweeper(*this));
    return forEachSpan(slices(), workers, stop,
                       [&](unsigned worker, std::uint64_t slice) { sweepDoubtful(sweepers[worker], slice, stop); });
}

void LevelQuery::sweepDoubtful(Sweeper& sweeper, std::size_t slice, const std::stop_token& stop) {
    struct Doubtful {
        std::uint64_t block = 0;
        SignedByteCount excess = 0;
    };
    const auto excessOf = [&](std::uint64_t block) {
        SignedByteCount excess = 0;
        for (const auto line : together_)
            excess = std::max(excess, boundOf(line, block) - peaks_[line][slice]);
        return excess;
    };
    std::vector<Doubtful> doubtful;
    for (auto block = firstWhole(slice); block < lastWhole(slice); ++block) {
        if (const auto excess = excessOf(block); excess > 0) doubtful.push_back({block, excess});
    }
    // Highest first, because the others may no longer be in doubt afterwards.
    std::ranges::sort(doubtful, std::ranges::greater(), &Doubtful::excess);
    for (const auto& [block, excess] : doubtful) {
        if (excessOf(block) <= 0) continue;
        if (!sweeper.sweepWhole(block, stop)) return;
        for (const auto line : together_)
            raise(line, slice, sweeper.peak(line));
    }
}

std::optional<LevelIndex::Peaks> LevelIndex::peaks(const Source& source, std::span<const TraceTime> edges,
                                                   const Lines& lines, const std::stop_token& stop) const {
    return LevelQuery(*this, source, edges, lines).run(stop);
}

std::optional<LevelIndex::Peaks> LevelIndex::bounds(const Source& source, std::span<const TraceTime> edges,
                                                    const Lines& lines, const std::stop_token& stop) const {
    return LevelQuery(*this, source, edges, lines).runOverBlocks(stop);
}

} // namespace highwater::analysis
