#include "tests/core/analysis/recount.h"

#include "core/analysis/columns/cell_text.h"
#include "core/analysis/columns/column_specs.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <set>

namespace highwater::tests {

using analysis::Column;
using analysis::Table;
using store::EndKind;
using store::TableKind;

namespace {

constexpr std::uint64_t kAfterAll = ~std::uint64_t{0};

std::string time(TraceTime t) { return analysis::plainText(Column::BeginTime, t); }

std::string endKindText(EndKind kind) {
    switch (kind) {
    case EndKind::None:
        break;
    case EndKind::Free:
        return "Free";
    case EndKind::ReAlloc:
        return "ReAlloc";
    case EndKind::HeapDestroy:
        return "Heap destroyed";
    case EndKind::FreeLost:
        return "Free lost";
    case EndKind::Decommit:
        return "Decommit";
    case EndKind::Release:
        return "Release";
    case EndKind::ProcessExit:
        return "Process exit";
    case EndKind::Exec:
        return "Exec";
    }
    return "(outstanding)";
}

} // namespace

std::vector<Column> recountedColumnsOf(Table table) {
    std::vector<Column> columns;
    for (const auto column : analysis::columnsOf(table)) {
        if (!kNotRecounted.contains(column)) columns.push_back(column);
    }
    return columns;
}

std::optional<std::int64_t> RecountSums::of(Column column, Table table) const {
    const bool frees = table == Table::Frees; // nothing is outstanding there
    switch (column) {
    case Column::Count:
        return count;
    case Column::Size:
        return size;
    case Column::Freed:
        return freed;
    case Column::ImpactingSize:
        return frees ? std::nullopt : std::optional(impacting);
    case Column::Allocated:
        return frees ? std::nullopt : std::optional(allocated);
    case Column::PeakSize:
        return frees ? std::nullopt : std::optional(peak);
    default:
        return std::nullopt;
    }
}

Recount::Recount(const Model& model, Table table, TimeRange interval, TraceTime horizon, bool exitFreesHeap,
                 std::string skippedFrame)
    : model_(model),
      table_(table),
      interval_(interval),
      horizon_(horizon),
      exitFreesHeap_(exitFreesHeap),
      skippedFrame_(std::move(skippedFrame)) {}

std::vector<RecountRow> Recount::all() const {
    std::vector<RecountRow> rows;
    for (const auto& row : model_.rows) {
        RecountRow r;
        r.row = &row;
        r.process = row.process;
        r.heap = row.heap;
        r.table = row.table;
        r.address = row.address;
        if (row.begin != kBeforeTrace) r.begin = row.begin;
        r.end = row.end;
        r.size = row.size;
        r.releases = row.releases;
        if (row.end) r.endKind = row.releases.back().kind;
        auto exit = model_.processes[row.process].end;
        if (exitFreesHeap_ && row.table == TableKind::Heap && exit && *exit < horizon_) {
            if (r.begin && *exit < *r.begin) exit = r.begin;
            if (!r.end || *exit < *r.end) {
                std::erase_if(r.releases, [&](const auto& release) { return release.time > *exit; });
                ModelRelease last;
                last.arrival = kAfterAll;
                last.time = *exit;
                last.kind = EndKind::ProcessExit;
                last.bytes = row.size;
                last.isFinal = true;
                for (const auto& before : r.releases) {
                    last.bytes -= before.bytes;
                }
                r.releases.push_back(last);
                r.end = exit;
                r.endKind = EndKind::ProcessExit;
            }
        }
        rows.push_back(r);
    }
    return rows;
}

std::vector<RecountRow> Recount::members() const {
    std::vector<RecountRow> members;
    if (table_ != Table::Frees) {
        for (auto& row : all()) {
            if (row.table != (table_ == Table::Heap ? TableKind::Heap : TableKind::VirtualAlloc)) continue;
            const bool begins = !row.begin || *row.begin < interval_.end;
            const bool reaches = !row.end || *row.end > interval_.start || beganInside(row);
            if (begins && reaches) members.push_back(row);
        }
        return members;
    }
    for (const auto& row : all()) {
        for (const auto& release : row.releases) {
            if (!interval_.contains(release.time)) continue;
            auto r = row;
            r.release = release;
            r.size = release.bytes;
            r.end = release.time;
            r.endKind = release.kind;
            members.push_back(r);
        }
    }
    for (const auto& unmatched : model_.unmatched) {
        if (!interval_.contains(unmatched.release.time)) continue;
        RecountRow r;
        r.process = unmatched.process;
        r.heap = unmatched.heap;
        r.table = unmatched.table;
        r.release = unmatched.release;
        r.isUnmatched = true;
        r.address = unmatched.address;
        r.end = unmatched.release.time;
        r.size = unmatched.release.bytes;
        members.push_back(r);
    }
    return members;
}

std::vector<RecountRow> Recount::drawn() const {
    if (table_ == Table::Frees) return members();
    std::vector<RecountRow> drawn;
    for (auto& row : all()) {
        if (row.table != (table_ == Table::Heap ? TableKind::Heap : TableKind::VirtualAlloc)) continue;
        const bool begins = !row.begin || *row.begin < interval_.end;
        if (begins && (!row.end || *row.end >= interval_.start)) drawn.push_back(row);
    }
    return drawn;
}

std::int64_t Recount::outstanding(const RecountRow& row, TraceTime t) const {
    if (row.begin && *row.begin >= t) return 0;
    auto bytes = static_cast<std::int64_t>(row.size);
    for (const auto& release : row.releases) {
        if (release.time < t) bytes -= static_cast<std::int64_t>(release.bytes);
    }
    return bytes;
}

std::vector<std::string> Recount::frames(const RecountRow& row, Column column) const {
    std::string text;
    const bool isOfAllocation = column == Column::AllocStack || column == Column::AllocStackBottomUp;
    if (table_ == Table::Frees && !isOfAllocation) {
        // A process end that frees the heap has no stack.
        text = row.release.stack;
    } else if (row.row != nullptr) {
        text = row.row->stack;
    }
    if (text.empty()) return {"(no stack)"};
    if (text[0] == '?') return {"(stack not resolved)"};
    std::vector<std::string> frames;
    std::string frame;
    for (const char c : text + ";") {
        if (c != ';') {
            frame += c;
            continue;
        }
        frames.push_back(frame + "!+0x1");
        frame.clear();
    }
    if (column == Column::StackBottomUp || column == Column::AllocStackBottomUp) {
        std::reverse(frames.begin(), frames.end());
        while (frames.size() > 1 && frames.front() == skippedFrame_ + "!+0x1")
            frames.erase(frames.begin());
    }
    return frames;
}

std::vector<Recount::Tag> Recount::tagsOf(const std::vector<std::string>& frames) const {
    std::vector<Tag> tags(frames.size());
    if (!hasTags_ || frames.front().front() == '(') return tags;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const auto module = [&](std::size_t frame) { return frames[frame][0]; };
        if (module(i) == 'B')
            tags[i] = {"Group\\Deep", 1};
        else if (i > 0 && module(i - 1) == 'B')
            tags[i] = {std::string("Hint\\") + module(i), 0};
        else if (module(i) == 'D')
            tags[i] = {"From", -5};
        else if (i + 1 < frames.size() && module(i + 1) == 'D')
            tags[i] = {std::string("From\\") + module(i) + "\\+0x1", -5};
        else if (module(i) == 'A')
            tags[i] = {"Low", -9};
    }
    return tags;
}

std::string Recount::stackTag(const RecountRow& row, Column column) const {
    const auto tags = tagsOf(frames(row, column == Column::StackTag ? Column::Stack : Column::AllocStack));
    const Tag* best = nullptr;
    for (const auto& tag : tags)
        if (!tag.name.empty() && (best == nullptr || tag.priority >= best->priority)) best = &tag;
    return best == nullptr ? "n/a" : best->name;
}

std::vector<std::string> Recount::frameTags(const RecountRow& row, Column column) const {
    const auto whole = frames(row, column == Column::FrameTags ? Column::Stack : Column::AllocStack);
    const auto tags = tagsOf(whole);
    std::vector<std::string> steps;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const bool goesOn = i > 0 && !tags[i].name.empty() && tags[i].name == tags[i - 1].name;
        if (!goesOn) steps.push_back(tags[i].name.empty() ? whole[i] : tags[i].name);
    }
    return steps;
}

std::string Recount::keyText(const RecountRow& row, Column column) const {
    const auto& process = model_.processes[row.process];
    const bool frees = table_ == Table::Frees;
    const bool exitWithoutEvent = frees && row.release.arrival == kAfterAll;
    switch (column) {
    case Column::Process:
        return fmt::format("{} ({})", process.name, process.pid);
    case Column::ProcessName:
        return process.name;
    case Column::Pid:
        return fmt::format("{}", process.pid);
    case Column::Handle:
        return row.heap == 0 ? "(no heap)" : fmt::format("0x{:x}", row.heap);
    case Column::Thread:
        if (exitWithoutEvent) return "(unknown)";
        return fmt::format("{}", frees ? row.release.thread : row.row->thread);
    case Column::ThreadName: {
        const auto name = model_.threadNames.find(frees ? row.release.thread : row.row->thread);
        return exitWithoutEvent || name == model_.threadNames.end() ? "(no name)" : name->second;
    }
    case Column::Type:
        return std::string(beganInside(row) ? "AI" : "AO") + (endedInside(row) ? "FI" : "FO");
    case Column::ImpactingType:
        if (beganInside(row) && endedInside(row)) return "Transient";
        return outstanding(row, interval_.end) != outstanding(row, interval_.start) ? "Impacting" : "Persistent";
    case Column::Source:
        return row.row->source == 1 ? "Lookaside" : row.row->source == 2 ? "Low fragmentation heap" : "Unknown";
    case Column::IsRealloc:
        return row.row->isRealloc ? "True" : "False";
    case Column::Temporary:
        return row.end && row.releases.back().isTemporary ? "True" : "False";
    case Column::FreeType:
        return row.isUnmatched ? "Unmatched free" : endKindText(row.endKind.value_or(EndKind::None));
    case Column::Memory:
        return row.table == TableKind::Heap ? "Heap" : "VirtualAlloc";
    case Column::StackTag:
    case Column::AllocStackTag:
        return stackTag(row, column);
    case Column::SourceLine:
        return "(no source)"; // its functions have no names
    case Column::Annotation: {
        const auto label =
            std::find_if(labels_->begin(), labels_->end(), [&](const auto& rule) { return rule.holds(*this, row); });
        return label == labels_->end() ? "(none)" : label->text;
    }
    case Column::Address:
        return fmt::format("0x{:x}", row.address);
    case Column::PageAddress:
        return fmt::format("0x{:x}", row.address / 4096 * 4096);
    case Column::BeginTime:
        return row.begin ? time(*row.begin) : "(before the trace)";
    case Column::EndTime:
        return row.end ? time(*row.end) : "(outstanding)";
    case Column::LifeTime:
        if (!row.end) return "(outstanding)";
        return row.begin ? time(TraceTime{row.end->ns - row.begin->ns}) : "(unknown)";
    case Column::SelectionLifeTime: {
        const auto from = std::max(row.begin.value_or(interval_.start), interval_.start);
        const auto to = std::min(row.end.value_or(horizon_), std::min(interval_.end, horizon_));
        return time(TraceTime{std::max<std::int64_t>(0, to.ns - from.ns)});
    }
    case Column::RowSize:
        return fmt::format("{}", row.size);
    case Column::Generation:
        return generation(row);
    case Column::Reachability:
    case Column::Holder:
    case Column::ObjectType:
        return pictureText(row, column);
    case Column::SurvivedMarks:
        return fmt::format("{}", survivedMarks(row));
    default:
        return {};
    }
}

std::string Recount::generation(const RecountRow& row) const {
    std::map<TraceTime, std::pair<std::int64_t, std::string>> named; // the last of several at one instant
    for (const auto& mark : model_.marks) {
        auto& known = named.try_emplace(mark.time, std::pair(mark.ticks, mark.name)).first->second;
        if (mark.ticks >= known.first) known = {mark.ticks, mark.name};
    }
    const auto width = fmt::format("{}", named.size() + 1).size();
    const auto numbered = [&](std::size_t number, const std::string& words) {
        auto digits = fmt::format("{}", number);
        while (digits.size() < width)
            digits = "0" + digits;
        return digits + ". " + words;
    };
    if (!row.begin) return numbered(0, "before the trace");
    std::size_t number = 1;
    std::string last;
    for (const auto& [time, mark] : named) {
        if (time > *row.begin)
            return numbered(number, number == 1 ? "before " + mark.second : last + " to " + mark.second);
        last = mark.second;
        ++number;
    }
    return numbered(number, number == 1 ? "the whole trace" : "after " + last);
}

std::int64_t Recount::survivedMarks(const RecountRow& row) const {
    return std::count_if(model_.marks.begin(), model_.marks.end(), [&](const Mark& mark) {
        const bool isBegun = !row.begin || *row.begin < mark.time;
        return interval_.contains(mark.time) && mark.time < horizon_ && isBegun && (!row.end || *row.end >= mark.time);
    });
}

bool Recount::knows(const RecountRow& row, Column column) const {
    if (analysis::specOf(column).isOfWholeGroups) return table_ != Table::Frees;
    if (analysis::isAggregate(column)) return sums({row}).of(column, table_).has_value();
    return !path(row, {column}).front().second.empty();
}

TextPath Recount::path(const RecountRow& row, const std::vector<Column>& keys) const {
    TextPath path;
    for (const auto column : keys) {
        if (!analysis::isStack(column)) {
            path.emplace_back(column, keyText(row, column));
            continue;
        }
        const bool isOfTags = column == Column::FrameTags || column == Column::AllocFrameTags;
        for (const auto& frame : isOfTags ? frameTags(row, column) : frames(row, column)) {
            path.emplace_back(column, frame);
        }
    }
    return path;
}

std::int64_t Recount::peak(const std::vector<RecountRow>& rows, TimeRange slice) const {
    struct Change {
        TraceTime time;
        std::uint64_t arrival;
        std::int64_t delta;
    };
    std::int64_t level = 0;
    std::vector<Change> changes;
    for (const auto& row : rows) {
        level += outstanding(row, slice.start);
        if (row.begin) changes.push_back({*row.begin, row.row->arrival, static_cast<std::int64_t>(row.size)});
        for (const auto& release : row.releases) {
            changes.push_back({release.time, release.arrival, -static_cast<std::int64_t>(release.bytes)});
        }
    }
    std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return a.time != b.time ? a.time < b.time : a.arrival < b.arrival;
    });
    auto highest = level;
    for (const auto& change : changes) {
        if (!slice.contains(change.time)) continue;
        level += change.delta;
        highest = std::max(highest, level);
    }
    return highest;
}

std::int64_t Recount::peakOfRows(const std::vector<RecountRow>& rows) const {
    struct Change {
        TraceTime time;
        std::uint64_t arrival;
        std::int64_t delta;
    };
    std::int64_t level = 0;
    std::vector<Change> changes;
    for (const auto& row : rows) {
        const bool isOlder = !row.begin || *row.begin < interval_.start;
        if (isOlder && (!row.end || *row.end >= interval_.start)) ++level;
        if (!isOlder) changes.push_back({*row.begin, row.row->arrival, 1});
        if (row.end && interval_.contains(*row.end)) changes.push_back({*row.end, row.releases.back().arrival, -1});
    }
    std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return a.time != b.time ? a.time < b.time : a.arrival < b.arrival;
    });
    auto highest = level;
    for (const auto& change : changes) {
        level += change.delta;
        highest = std::max(highest, level);
    }
    return highest;
}

std::optional<std::string> Recount::identity(const RecountRow& row, Column column) const {
    if (column == Column::Size) column = Column::RowSize;
    if (!analysis::isStack(column)) {
        const auto text = keyText(row, column);
        return readsAsNoValue(text) ? std::nullopt : std::optional(text);
    }
    if (column == Column::FrameTags) column = Column::Stack;
    if (column == Column::AllocFrameTags) column = Column::AllocStack;
    const auto shown = frames(row, column);
    if (shown[0][0] == '(') return std::nullopt;
    // The whole stack, even if its inner frames are left out, because modules are loaded per process.
    if (column == Column::StackBottomUp) column = Column::Stack;
    if (column == Column::AllocStackBottomUp) column = Column::AllocStack;
    return fmt::format("{} {}", row.process, fmt::join(frames(row, column), ";"));
}

std::optional<std::int64_t> Recount::number(const RecountRow& row, Column column) const {
    switch (column) {
    case Column::Size:
    case Column::RowSize:
        return static_cast<std::int64_t>(row.size);
    case Column::ImpactingSize:
        return outstanding(row, interval_.end) - outstanding(row, interval_.start);
    case Column::Allocated:
    case Column::Freed: {
        const auto sum = sums({row});
        return column == Column::Freed ? sum.freed : sum.allocated;
    }
    case Column::Address:
        return static_cast<std::int64_t>(row.address);
    case Column::PageAddress:
        return static_cast<std::int64_t>(row.address / 4096 * 4096);
    case Column::SurvivedMarks:
        return survivedMarks(row);
    case Column::BeginTime:
        return row.begin ? std::optional(row.begin->ns) : std::nullopt;
    case Column::EndTime:
        return row.end ? std::optional(row.end->ns) : std::nullopt;
    case Column::LifeTime:
        if (!row.begin || !row.end) return std::nullopt;
        return row.end->ns - row.begin->ns;
    default: {
        const auto from = std::max(row.begin.value_or(interval_.start), interval_.start);
        const auto to = std::min(row.end.value_or(horizon_), std::min(interval_.end, horizon_));
        return std::max<std::int64_t>(0, to.ns - from.ns);
    }
    }
}

std::string Recount::courseText(const std::vector<RecountRow>& rows, Column column) const {
    const auto start = std::min(interval_.start, horizon_);
    const TimeRange seen{start, std::max(start, std::min(interval_.end, horizon_))};
    const auto length = seen.end.ns - start.ns;
    if (column == Column::PeakTime) {
        std::set<TraceTime> changes{start};
        for (const auto& row : rows) {
            if (row.begin && seen.contains(*row.begin)) changes.insert(*row.begin);
        }
        return time(*std::find_if(changes.begin(), changes.end(), [&](TraceTime when) {
            return peak(rows, {start, std::min(seen.end, TraceTime{when.ns + 1})}) == peak(rows, seen);
        }));
    }
    std::string parts;
    std::vector<std::int64_t> floors;
    for (std::int64_t i = 0; i <= 32; ++i) {
        const TraceTime from{start.ns + length * i / 32};
        floors.push_back(peak(rows, {from, from}));
        if (i == 32) break;
        parts +=
            fmt::format("{}{}", i == 0 ? "" : " ", peak(rows, {from, TraceTime{start.ns + length * (i + 1) / 32}}));
    }
    if (column == Column::Trend) return parts;
    if (length == 0) return "";
    std::vector<double> slopes;
    for (std::size_t i = 0; i < floors.size(); ++i) {
        const auto floor = *std::min_element(floors.begin() + static_cast<std::ptrdiff_t>(i), floors.end());
        floors[i] = floor;
    }
    for (std::size_t i = 0; i < floors.size(); ++i) {
        for (std::size_t j = i + 1; j < floors.size(); ++j) {
            const auto seconds = static_cast<double>(length) / 1e9 / 32 * static_cast<double>(j - i);
            slopes.push_back(static_cast<double>(floors[j] - floors[i]) / seconds);
        }
    }
    std::sort(slopes.begin(), slopes.end());
    const auto median = (slopes[slopes.size() / 2] + slopes[(slopes.size() - 1) / 2]) / 2;
    return fmt::format("{}", std::llround(std::clamp(median, -9e18, 9e18)));
}

template <typename Measurement>
const Measurement* Recount::newestOf(const std::vector<Measurement>& all, std::uint32_t process) const {
    const Measurement* newest = nullptr;
    for (const auto& sample : all) {
        // A sample at the end of the trace is in every interval that reaches it.
        const bool isAtEnd = sample.time == horizon_ && interval_.start <= horizon_ && interval_.end >= horizon_;
        const bool isIn = interval_.contains(sample.time) && sample.time < horizon_;
        if (sample.process == process && (isIn || isAtEnd)) newest = &sample;
    }
    return newest;
}

const ModelSample* Recount::sampleOf(std::uint32_t process) const { return newestOf(model_.samples, process); }

std::optional<Recount::Pictured> Recount::picturedOf(const RecountRow& row) const {
    const auto* picture =
        row.row == nullptr || table_ != Table::Heap ? nullptr : newestOf(model_.pictures, row.process);
    if (picture == nullptr) return std::nullopt;
    const bool isThere = row.row->begin < picture->time && (!row.end || *row.end >= picture->time);
    for (const auto& [index, held] : picture->blocks)
        if (isThere && model_.rows[index].address == row.address) return Pictured{picture, index};
    return std::nullopt;
}

std::string Recount::pictureText(const RecountRow& row, Column column) const {
    const auto pictured = picturedOf(row);
    if (!pictured) return "(not in a picture)";
    const auto& blocks = pictured->picture->blocks;
    if (column == Column::ObjectType) {
        const auto& type = blocks.at(pictured->row).type;
        return type.empty() ? "(unknown)" : type;
    }
    if (column == Column::Reachability) {
        static const std::string kWords[] = {"Reachable", "Possibly reachable", "Unreachable", "Indirectly leaked"};
        return kWords[static_cast<std::size_t>(blocks.at(pictured->row).reachability)];
    }
    auto at = pictured->row;
    while (blocks.at(at).holder)
        at = *blocks.at(at).holder;
    return blocks.at(at).root.empty() ? "nothing (unreachable)" : blocks.at(at).root;
}

std::string Recount::retainedText(const std::vector<RecountRow>& rows) const {
    std::map<const ModelPicture*, std::set<std::size_t>> groups;
    for (const auto& row : rows) {
        if (const auto* picture = newestOf(model_.pictures, row.process)) groups[picture];
        if (const auto pictured = picturedOf(row)) groups[pictured->picture].insert(pictured->row);
    }
    if (groups.empty()) return "";
    ByteCount retained = 0;
    for (const auto& [picture, group] : groups) {
        for (const auto& [row, held] : picture->blocks) {
            auto at = std::optional(row);
            while (at && !group.contains(*at))
                at = picture->blocks.at(*at).dominator;
            if (at) retained += model_.rows[row].size;
        }
    }
    return fmt::format("{}", retained);
}

Recount::Extent Recount::extentOf(const ModelRow& row) {
    const auto roundedUp = [](ByteCount bytes, ByteCount unit) { return (bytes + unit - 1) / unit * unit; };
    Extent extent{&row, row.address, row.address, row.address + row.size, row.address + row.size};
    if (row.table == TableKind::VirtualAlloc) {
        extent.begin = extent.blockBegin = row.address / 4096 * 4096;
        extent.end = extent.blockEnd = row.size == 0 ? extent.begin : roundedUp(row.address + row.size, 4096);
        return extent;
    }
    const auto chunk = std::max<ByteCount>(32, roundedUp(row.size + 8, 16));
    const bool isMapped = row.size >= 128 * 1024 && row.address % 4096 == 16;
    extent.begin = row.address - (isMapped ? 16 : 8);
    extent.end = isMapped ? extent.begin + roundedUp(chunk + 8, 4096) : extent.begin + chunk;
    return extent;
}

std::vector<Recount::Extent> Recount::extentsAt(const ModelSample& sample) const {
    std::vector<Extent> extents;
    const auto kind = table_ == Table::Heap ? TableKind::Heap : TableKind::VirtualAlloc;
    for (const auto& row : model_.rows) {
        const bool isThere = row.begin < sample.time && (!row.end || *row.end >= sample.time);
        if (row.table == kind && row.process == sample.process && isThere) extents.push_back(extentOf(row));
    }
    std::ranges::stable_sort(extents, {}, [](const Extent& extent) { return extent.row->begin; });
    return extents;
}

std::string Recount::heldText(const std::vector<RecountRow>& rows, Column column) const {
    std::set<const ModelRow*> group;
    std::set<const ModelSample*> samples;
    for (const auto& row : rows) {
        group.insert(row.row);
        if (const auto* sample = sampleOf(row.process)) samples.insert(sample);
    }
    if (samples.empty()) return "";
    ByteCount resident = 0, held = 0;
    bool isAnyUnknown = false, isAnyKnown = false;
    for (const auto* sample : samples) {
        const auto extents = extentsAt(*sample);
        auto pages = sample->pages;
        pages.insert(sample->unknownPages.begin(), sample->unknownPages.end());
        for (const auto page : pages) {
            const Address first = page * 4096, end = first + 4096;
            std::set<Address> edges{first, end};
            for (const auto& extent : extents) {
                for (const auto edge : {extent.begin, extent.blockBegin, extent.blockEnd, extent.end})
                    edges.insert(std::clamp(edge, first, end));
            }
            std::set<const ModelRow*> users;
            for (auto at = edges.begin(); *at != end; ++at) {
                const auto newest = std::find_if(extents.rbegin(), extents.rend(), [&](const Extent& extent) {
                    return extent.begin <= *at && *at < extent.end;
                });
                if (newest == extents.rend()) continue;
                users.insert(newest->row);
                const bool isOfBlock =
                    newest->blockBegin <= *at && *at < newest->blockEnd && sample->pages.contains(page);
                if (isOfBlock && group.contains(newest->row)) resident += *std::next(at) - *at;
            }
            const bool isOfGroup = std::ranges::any_of(users, [&](const auto* user) { return group.contains(user); });
            if (sample->unknownPages.contains(page)) {
                isAnyUnknown = isAnyUnknown || isOfGroup;
                continue;
            }
            isAnyKnown = isAnyKnown || isOfGroup;
            const bool isHeld = !users.empty() && std::ranges::includes(group, users);
            held += isHeld ? 4096 : 0;
        }
    }
    if (isAnyUnknown && !isAnyKnown) return "";
    return fmt::format("{}", column == Column::Resident ? resident : held);
}

std::string Recount::textOfWholeGroup(const std::vector<RecountRow>& rows, Column column) const {
    const bool isOfPages = column == Column::Resident || column == Column::HeldPages;
    if (column == Column::Retained) return table_ == Table::Heap ? retainedText(rows) : "";
    return isOfPages ? heldText(rows, column) : courseText(rows, column);
}

std::string Recount::valueText(const std::vector<RecountRow>& rows, analysis::ValueColumn asked) const {
    using analysis::Aggregation;
    const auto [column, aggregation] = asked;
    if (analysis::specOf(column).isOfWholeGroups) return table_ == Table::Frees ? "" : textOfWholeGroup(rows, column);
    if (aggregation == Aggregation::Peak)
        return fmt::format("{}", column == Column::Count ? peakOfRows(rows) : peak(rows, interval_));
    if (column == Column::Count) return fmt::format("{}", rows.size());
    if (aggregation == Aggregation::Count || aggregation == Aggregation::UniqueCount) {
        std::multiset<std::string> found;
        for (const auto& row : rows) {
            if (const auto value = identity(row, column)) found.insert(*value);
        }
        const std::set<std::string> different(found.begin(), found.end());
        return fmt::format("{}", aggregation == Aggregation::Count ? found.size() : different.size());
    }
    if (aggregation == Aggregation::WeightedAverage) return weightedAverageText(rows, column);
    std::vector<std::int64_t> numbers;
    for (const auto& row : rows) {
        if (const auto value = number(row, column)) numbers.push_back(*value);
    }
    const auto sum = std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
    const bool isSumOfNothing =
        aggregation == Aggregation::Sum && (analysis::isAggregate(column) || column == Column::RowSize);
    if (numbers.empty()) return isSumOfNothing ? "0" : "";
    const auto kind = analysis::valueKind(asked);
    const auto less = [&](std::int64_t a, std::int64_t b) {
        if (kind != analysis::ValueKind::Hex) return a < b;
        return static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b); // addresses have no sign
    };
    auto result = sum;
    if (aggregation == Aggregation::Min) result = *std::min_element(numbers.begin(), numbers.end(), less);
    if (aggregation == Aggregation::Max) result = *std::max_element(numbers.begin(), numbers.end(), less);
    if (aggregation == Aggregation::Average)
        result = std::llround(static_cast<long double>(sum) / static_cast<long double>(numbers.size()));
    if (kind == analysis::ValueKind::Time || kind == analysis::ValueKind::Duration) return time(TraceTime{result});
    if (kind == analysis::ValueKind::Hex) return fmt::format("0x{:x}", static_cast<std::uint64_t>(result));
    return fmt::format("{}", result);
}

/// Each value counts once per byte of its row. Sizes and times of random traces are small enough for 128 bits.
std::string Recount::weightedAverageText(const std::vector<RecountRow>& rows, Column column) const {
    __extension__ using Wide = __int128;
    Wide sum = 0, bytes = 0;
    for (const auto& row : rows) {
        const auto value = number(row, column);
        if (!value) continue;
        sum += static_cast<Wide>(*value) * static_cast<Wide>(row.size);
        bytes += static_cast<Wide>(row.size);
    }
    if (bytes == 0) return "";
    const auto average = static_cast<std::int64_t>((2 * sum + bytes) / (2 * bytes)); // none is below 0
    const auto kind = analysis::valueKind(column);
    return kind == analysis::ValueKind::Duration ? time(TraceTime{average}) : fmt::format("{}", average);
}

RecountSums Recount::sums(const std::vector<RecountRow>& rows) const {
    RecountSums sums;
    for (const auto& row : rows) {
        ++sums.count;
        sums.size += static_cast<std::int64_t>(row.size);
        if (table_ == Table::Frees) {
            sums.freed += static_cast<std::int64_t>(row.size);
            continue;
        }
        sums.impacting += outstanding(row, interval_.end) - outstanding(row, interval_.start);
        if (beganInside(row)) sums.allocated += static_cast<std::int64_t>(row.size);
        for (const auto& release : row.releases) {
            if (interval_.contains(release.time)) sums.freed += static_cast<std::int64_t>(release.bytes);
        }
    }
    if (table_ != Table::Frees) sums.peak = peak(rows, interval_);
    return sums;
}

std::vector<std::int64_t> Recount::timeline(const std::vector<RecountRow>& rows,
                                            const std::vector<TraceTime>& starts) const {
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const TimeRange slice{starts[i], i + 1 < starts.size() ? starts[i + 1] : interval_.end};
        if (table_ != Table::Frees) {
            values.push_back(peak(rows, slice));
            continue;
        }
        std::int64_t released = 0;
        for (const auto& row : rows) {
            if (slice.contains(*row.end)) released += static_cast<std::int64_t>(row.size);
        }
        values.push_back(released);
    }
    return values;
}

Recount::NewBytes Recount::newBytes(const std::vector<RecountRow>& rows, const std::vector<TraceTime>& starts) const {
    NewBytes bytes;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const TimeRange slice{starts[i], i + 1 < starts.size() ? starts[i + 1] : interval_.end};
        std::int64_t all = 0;
        std::int64_t kept = 0;
        for (const auto& row : rows) {
            if (!row.begin || !slice.contains(*row.begin)) continue;
            all += static_cast<std::int64_t>(row.size);
            kept += outstanding(row, interval_.end);
        }
        bytes.freed.push_back(all - kept);
        bytes.kept.push_back(kept);
    }
    return bytes;
}

std::vector<std::int64_t> Recount::countTimeline(const std::vector<RecountRow>& rows,
                                                 const std::vector<TraceTime>& starts) const {
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const TimeRange slice{starts[i], i + 1 < starts.size() ? starts[i + 1] : interval_.end};
        std::int64_t level = 0;
        std::multimap<std::pair<TraceTime, std::uint64_t>, std::int64_t> changes;
        for (const auto& row : rows) {
            if (table_ == Table::Frees) {
                if (slice.contains(*row.end)) ++level;
                continue;
            }
            const bool isOlder = !row.begin || *row.begin < slice.start;
            if (isOlder && (!row.end || *row.end >= slice.start)) ++level;
            if (!isOlder && slice.contains(*row.begin)) changes.insert({{*row.begin, row.row->arrival}, 1});
            if (row.end && slice.contains(*row.end)) changes.insert({{*row.end, row.releases.back().arrival}, -1});
        }
        auto highest = level;
        for (const auto& [when, delta] : changes) {
            level += delta;
            highest = std::max(highest, level);
        }
        values.push_back(highest);
    }
    return values;
}

} // namespace highwater::tests
