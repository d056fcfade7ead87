#include "core/analysis/rows/key_reader.h"

#include "core/analysis/columns/cell_text.h"
#include "core/analysis/columns/column_specs.h"
#include "core/analysis/query/annotations.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace highwater::analysis {
namespace {

constexpr Address kPageMask = 0xFFF;
constexpr std::string_view kNoTag = "n/a"; // as in Windows Performance Analyzer

std::size_t pathsOf(Column column) { return (isAllocStack(column) ? 2u : 0u) + (isBottomUp(column) ? 1u : 0u); }

std::size_t tagsOf(Column column) { return isAllocStack(column) ? 1 : 0; }

std::uint64_t bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }

/// The key as a number or a time; nothing for a key without a value.
CellValue numberOf(Column column, std::uint64_t key) {
    if (!KeyReader::exists(column, key)) return {};
    const auto number = static_cast<std::int64_t>(key);
    const auto kind = valueKind(column);
    if (kind == ValueKind::Time || kind == ValueKind::Duration) return TraceTime{number};
    return number;
}

} // namespace

KeyReader::KeyReader(const store::PublishedTrace& trace, FrameLabels& labels, TimeRange interval, Table table,
                     const SharedMarks& marks)
    : trace_(trace),
      labels_(labels),
      interval_(interval),
      table_(table),
      marks_(marks, {interval.start, std::min(interval.end, trace.horizon)}) {
    nameProcesses();
}

void KeyReader::nameProcesses() {
    const auto& processes = trace_.processes->processes();
    std::map<std::string_view, std::uint32_t> first;
    for (std::uint32_t i = 0; i < processes.size(); ++i) {
        const std::string_view name = processes[i].nameKnown ? std::string_view(processes[i].name) : "Unknown";
        firstOfName_.push_back(first.try_emplace(name, i).first->second);
    }
}

const store::Site* KeyReader::beginSite(const CellKey& cell) const {
    return cell.site == kNoSite ? nullptr : &trace_.table(cell.table).columns->sites[SiteId{cell.site}];
}

const store::Site* KeyReader::endSite(const CellKey& cell) const {
    return cell.endSite == kNoSite ? nullptr : &trace_.table(cell.table).columns->endSites[SiteId{cell.endSite}];
}

const store::Site* KeyReader::callSite(const CellKey& cell) const {
    return table_ == Table::Frees ? endSite(cell) : beginSite(cell);
}

const store::Heap& KeyReader::owner(const CellKey& cell) const {
    const auto* site = table_ == Table::Frees && cell.endSite != kNoSite ? endSite(cell) : beginSite(cell);
    return trace_.heapOf(*site);
}

StackId KeyReader::stackId(Column column, const CellKey& cell) const {
    const bool freeing = table_ == Table::Frees && !isAllocStack(column);
    const auto* site = freeing ? endSite(cell) : beginSite(cell);
    return site == nullptr ? StackId{0} : site->stack;
}

std::uint64_t KeyReader::stackKey(Column column, const CellKey& cell) const {
    const auto leaf = trace_.leaf(stackId(column, cell));
    return leaf.value != 0 && trace_.columns->stacks.node(leaf).depth > 0 ? leaf.value : 0;
}

bool KeyReader::exists(Column column, std::uint64_t key) {
    switch (column) {
    case Column::FreeType:
    case Column::Handle:
    case Column::SourceLine:
    case Column::ThreadName:
    case Column::Annotation:
    case Column::StackId:
    case Column::ManagedType:
    case Column::StackTag:
    case Column::AllocStackTag:
    case Column::Reachability:
    case Column::Holder:
        return key != 0;
    case Column::ObjectType:
        return key > 1;
    case Column::SnapTime:
        return key != bits(kNever.ns);
    case Column::Thread:
        return key != ThreadId::kUnknown;
    case Column::BeginTime:
    case Column::EndTime:
    case Column::LifeTime:
        return key != bits(kNever.ns) && key != bits(kBeforeTrace.ns);
    default:
        return specOf(column).role != ColumnRole::Stack || key != 0;
    }
}

void KeyReader::addStacks(Column column, std::span<const Cell> cells, const AllocatorFrames* skipped) {
    const auto order = isBottomUp(column) ? StackPaths::Order::LeafFirst : StackPaths::Order::RootFirst;
    auto& paths = paths_[pathsOf(column)];
    if (!labelOfNode_) labelOfNode_ = labels_.labelsOf(trace_);
    paths = std::make_unique<StackPaths>(trace_, labels_, labelOfNode_, order, skipped);
    paths->add(StackId{0});
    for (const auto& cell : cells) {
        paths->add(stackId(column, cell.key));
    }
}

void KeyReader::addTags(Column column, std::span<const Cell> cells) {
    auto& tags = tags_[tagsOf(column)];
    if (!labelOfNode_) labelOfNode_ = labels_.labelsOf(trace_);
    if (!tags) tags = std::make_unique<TagPaths>(trace_, labels_, labelOfNode_);
    const auto add = [&](StackId stack) { isStack(column) ? tags->addPath(stack) : tags->addTag(stack); };
    add(StackId{0});
    for (const auto& cell : cells)
        add(stackId(column, cell.key));
}

std::uint64_t KeyReader::tagOf(Column column, const CellKey& cell) const {
    const auto& tags = tags_[tagsOf(column)];
    return tags ? tags->tagOf(stackId(column, cell)) : 0;
}

void KeyReader::addSources(std::span<const Cell> cells, const AllocatorFrames* skipped) {
    if (!labelOfNode_) labelOfNode_ = labels_.labelsOf(trace_);
    sources_ = std::make_unique<SourceLines>(trace_, labels_, labelOfNode_, skipped);
    for (const auto& cell : cells)
        sources_->add(stackId(Column::SourceLine, cell.key));
}

std::vector<RowCode> KeyReader::codeOf(Column column, std::span<const StackId> stacks, std::uint32_t row) const {
    std::vector<RowCode> code;
    if (isOfTags(column)) return code;
    for (const auto frame : paths_[pathsOf(column)]->framesAt(stacks, row)) {
        if (auto known = labels_.code(*labelOfNode_, frame)) code.push_back(*known);
    }
    return code;
}

std::span<const std::uint32_t> KeyReader::stack(Column column, const CellKey& cell) const {
    if (isOfTags(column)) return tags_[tagsOf(column)]->pathOf(stackId(column, cell));
    return paths_[pathsOf(column)]->of(stackId(column, cell));
}

StackPaths::Whole KeyReader::wholeStack(Column column, const CellKey& cell) const {
    if (isOfTags(column)) return {stack(column, cell), 0};
    return paths_[pathsOf(column)]->wholeOf(stackId(column, cell));
}

std::vector<RenewedFrame> KeyReader::renewedFrames(std::span<const KeyStep> steps, bool isWhole,
                                                   LabelHistory::Wanted wanted) const {
    std::vector<LabelId> labels;
    for (const auto& step : steps)
        labels.push_back(LabelId{static_cast<std::uint32_t>(step.key)});
    const auto column = steps.front().column;
    const auto& paths = paths_[pathsOf(column)];
    if (paths && !isOfTags(column))
        return labels_.renewed({labels, paths->order(), isWhole, {}}, paths->skipped(), wanted, *labelOfNode_);
    std::vector<RenewedFrame> asTheyAre;
    for (const auto label : labels)
        asTheyAre.push_back({1, {{label}}, false});
    return asTheyAre;
}

bool KeyReader::textMatches(Column column, std::uint64_t key, const TextCondition& condition) const {
    const auto whole = text(column, key);
    if (condition.matches(whole)) return true;
    const auto name = isStack(column) ? withoutInlinedMark(whole) : std::string_view(whole);
    return name.size() != whole.size() && condition.matches(name);
}

std::uint64_t KeyReader::key(Column column, const CellKey& cell) const {
    switch (column) {
    case Column::Process:
        return owner(cell).process.value;
    case Column::ProcessName:
        return canonical(column, owner(cell).process.value);
    case Column::Pid:
        return (*trace_.processes)[owner(cell).process].pid;
    case Column::Handle:
        return owner(cell).handle;
    case Column::Thread:
        return callSite(cell) == nullptr ? ThreadId::kUnknown : callSite(cell)->thread.value;
    case Column::ThreadName:
        return callSite(cell) == nullptr ? 0 : trace_.threadNameOf(*callSite(cell)).value;
    case Column::Type:
        return static_cast<std::uint64_t>(cell.type);
    case Column::ImpactingType:
        return static_cast<std::uint64_t>(cell.impact);
    case Column::Source:
    case Column::ManagedKind:
    case Column::GcGeneration:
        return beginSite(cell)->kind;
    case Column::ManagedType:
        return owner(cell).managedType;
    case Column::IsRealloc:
        return cell.isRealloc ? 1 : 0;
    case Column::Temporary:
        return cell.isTemporary ? 1 : 0;
    case Column::FreeType:
        return cell.freeType;
    case Column::Memory:
        return static_cast<std::uint64_t>(cell.table);
    case Column::SourceLine:
        return sources_ ? sources_->of(stackId(column, cell)).value : 0;
    case Column::StackTag:
    case Column::AllocStackTag:
        return tagOf(column, cell);
    case Column::Annotation:
        return cell.annotation;
    case Column::Instance:
        return cell.instance;
    case Column::SnapTime:
        return bits(timeOf(cell.instance).ns);
    case Column::StackId:
        return stackKey(Column::Stack, cell);
    case Column::StackDepth:
        return depthOf(cell);
    default:
        return 0;
    }
}

std::uint64_t KeyReader::key(Column column, const RowNumbers& row) const {
    switch (column) {
    case Column::Address:
        return row.address;
    case Column::PageAddress:
        return row.address & ~kPageMask;
    case Column::BeginTime:
        return bits(row.begin.ns);
    case Column::EndTime:
        return bits(row.end.ns);
    case Column::LifeTime:
        if (row.end == kNever) return bits(kNever.ns);
        return row.begin == kBeforeTrace ? bits(kBeforeTrace.ns) : bits(row.end.ns - row.begin.ns);
    case Column::SelectionLifeTime:
        return bits(selectionLifeTime(row));
    case Column::RowSize:
        return row.size;
    case Column::Allocation:
        return row.row;
    case Column::Generation:
        return marks_.generation(row.begin);
    case Column::SurvivedMarks:
        return marks_.survived(row.begin, row.end);
    case Column::Owner:
        return static_cast<std::uint64_t>(pageOwner(row));
    case Column::Reachability:
    case Column::Holder:
    case Column::ObjectType:
        return pictureKey(column, row);
    default:
        return 0;
    }
}

store::PageOwner KeyReader::pageOwner(const RowNumbers& row) const {
    if (!owners_) return store::PageOwner::Unknown;
    const auto& site = trace_.virtualAlloc.site(static_cast<RowId>(row.row));
    return owners_->of(trace_.heapOf(site).process, row.address, row.size, row.begin, row.end);
}

std::uint64_t KeyReader::pictureKey(Column column, const RowNumbers& row) const {
    if (!pictures_ || pictures_->all().empty()) return 0;
    const auto process = trace_.heapOf(trace_.heap.site(static_cast<RowId>(row.row))).process;
    const auto place = pictures_->find(process, row.address, row.begin, row.end);
    if (!place) return 0;
    if (column == Column::ObjectType) return std::uint64_t{pictures_->typeOf(*place)} + 1; // 1: unknown
    if (column == Column::Holder) return std::uint64_t{pictures_->holderOf(*place)} + 1;
    return static_cast<std::uint64_t>(pictures_->block(*place).reachability) + 1;
}

TraceTime KeyReader::timeOf(std::uint32_t instance) const {
    const auto found = std::ranges::lower_bound(instances_, instance, {}, &Instance::number);
    return found == instances_.end() || found->number != instance ? kNever : found->time;
}

/// Recorded frames only, without inlined functions.
std::uint32_t KeyReader::depthOf(const CellKey& cell) const {
    return trace_.columns->stacks.node(trace_.leaf(stackId(Column::Stack, cell))).depth;
}

std::int64_t KeyReader::selectionLifeTime(const RowNumbers& row) const {
    const auto first = std::max(row.begin, interval_.start);
    const auto last = std::min({row.end, interval_.end, std::max(trace_.horizon, first)});
    return std::max<std::int64_t>(0, last.ns - first.ns);
}

std::uint64_t KeyReader::canonical(Column column, std::uint64_t key) const {
    return column == Column::ProcessName && key < firstOfName_.size() ? firstOfName_[key] : key;
}

std::string KeyReader::text(Column column, std::uint64_t key) const {
    if (isStack(column)) return std::string(labels_.text(LabelId{static_cast<std::uint32_t>(key)}));
    const auto& processes = trace_.processes->processes();
    switch (column) {
    case Column::Process:
        return key < processes.size() ? trace_.processes->key(ProcessIndex{static_cast<std::uint32_t>(key)})
                                      : "Unknown";
    case Column::ProcessName:
        return key < processes.size() && processes[key].nameKnown ? processes[key].name : "Unknown";
    case Column::StackId:
        return key == 0 ? "(no stack)" : plainText(column, numberOf(column, key));
    case Column::Handle:
        return key == 0 ? "(no heap)" : plainText(column, numberOf(column, key));
    case Column::SourceLine:
        return key == 0 ? "(no source)" : std::string(labels_.text(LabelId{static_cast<std::uint32_t>(key)}));
    case Column::StackTag:
    case Column::AllocStackTag:
        return std::string(key == 0 ? kNoTag : labels_.text(LabelId{static_cast<std::uint32_t>(key)}));
    case Column::Thread:
        return key == ThreadId::kUnknown ? "(unknown)" : plainText(column, numberOf(column, key));
    case Column::ThreadName:
        return key == 0 ? "(no name)" : std::string(trace_.threadNames->text({static_cast<std::uint32_t>(key)}));
    case Column::ManagedType:
        if (key != 0) return trace_.columns->names->managedTypes.name(static_cast<std::uint32_t>(key));
        return "(unknown)";
    case Column::Allocation:
        return "A single allocation"; // the key is a row number, which only its table can read
    case Column::Generation:
        return marks_.text(key);
    case Column::Holder:
        if (key == 0) return enumText(Column::Reachability, 0);
        return pictures_ && key <= pictures_->holders().size() ? pictures_->holders()[key - 1] : "(unknown)";
    case Column::ObjectType:
        if (key == 0) return enumText(Column::Reachability, 0);
        return pictures_ && key > 1 && key - 2 < pictures_->types().size() ? pictures_->types()[key - 2] : "(unknown)";
    case Column::Annotation:
        return std::string(key == 0 ? kNoAnnotation : labels_.text(LabelId{static_cast<std::uint32_t>(key) - 1}));
    case Column::BeginTime:
        if (key == bits(kBeforeTrace.ns)) return "(before the trace)";
        break;
    case Column::EndTime:
    case Column::LifeTime:
        if (key == bits(kNever.ns)) return "(outstanding)";
        if (key == bits(kBeforeTrace.ns)) return "(unknown)";
        break;
    default:
        if (const auto word = enumText(column, key); !word.empty()) return word;
    }
    return plainText(column, numberOf(column, key));
}

CellValue KeyReader::value(Column column, std::uint64_t key) const {
    if (valueKind(column) != ValueKind::Text || !exists(column, key)) return numberOf(column, key);
    return text(column, key);
}

} // namespace highwater::analysis
