#include "tests/core/analysis/columns_builder.h"

#include <QtGlobal>

namespace highwater::tests {

using store::EndKind;
using store::Site;
using store::TableKind;

ColumnsBuilder::ColumnsBuilder() : columns_(std::make_shared<store::TraceColumns>()) {
    (void)columns_->heaps.append(store::Heap{});
    (void)columns_->heap.endSites.intern(Site{});
    (void)columns_->virtualAlloc.endSites.intern(Site{});
}

std::uint32_t ColumnsBuilder::process(std::string_view name, std::uint32_t pid, TraceTime start) {
    std::optional<ProcessIndex> ended;
    ProcessEvent event;
    event.pid = pid;
    event.time = start;
    event.name = name;
    const auto index = processes_.apply(event, ended);
    Q_ASSERT(index.value == model_.processes.size());
    model_.processes.push_back(ModelProcess{std::string(name), pid, std::nullopt});
    return index.value;
}

void ColumnsBuilder::endProcess(std::uint32_t process, TraceTime time) {
    std::optional<ProcessIndex> ended;
    ProcessEvent event;
    event.pid = model_.processes[process].pid;
    event.time = time;
    event.occasion = Occasion::End;
    processes_.apply(event, ended);
    model_.processes[process].end = time;
}

store::TableColumns& ColumnsBuilder::table(TableKind kind) {
    return kind == TableKind::Heap ? columns_->heap : columns_->virtualAlloc;
}

HeapId ColumnsBuilder::heap(std::uint32_t process, Address handle) {
    const auto [entry, isNew] =
        heaps_.try_emplace({process, handle}, HeapId{static_cast<std::uint32_t>(columns_->heaps.size())});
    if (isNew) (void)columns_->heaps.append(store::Heap{ProcessIndex{process}, 0, handle});
    return entry->second;
}

std::vector<Address> ColumnsBuilder::frames(std::uint32_t process, std::string_view text) {
    std::vector<Address> frames;
    while (!text.empty()) {
        const auto end = text.find(';');
        const std::string frame(text.substr(0, end));
        const auto plus = frame.find("+0x");
        const auto name = frame.substr(0, plus);
        const Address offset = plus == std::string::npos ? 1 : std::stoull(frame.substr(plus + 3), nullptr, 16);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        const auto base = 0x10000 * (modules_.size() + 1);
        const auto [entry, isNew] = modules_.try_emplace({process, name}, base);
        if (isNew) {
            ImageEvent image;
            image.pid = model_.processes[process].pid;
            image.base = base;
            image.size = 0x10000;
            image.path = "\\folder\\" + name;
            processes_.apply(image);
        }
        frames.insert(frames.begin(), entry->second + offset); // innermost first
    }
    return frames;
}

StackId ColumnsBuilder::stack(std::uint32_t process, const std::string& text) {
    const store::StackRoot root{ProcessIndex{process}, 0};
    if (text.empty() || text[0] != '?') return columns_->stacks.intern(root, frames(process, text));
    const auto [promise, isNew] = deferred_.try_emplace(text, nextDeferred_);
    if (isNew) ++nextDeferred_;
    return columns_->stacks.internDeferred(root, promise->second);
}

void ColumnsBuilder::resolve(std::string_view promise, std::string_view text) {
    const auto known = deferred_.find(std::string(promise));
    if (known == deferred_.end()) return;
    // In these tests a promise belongs to one process.
    const auto process = static_cast<std::uint32_t>(std::stoul(std::string(promise.substr(1))));
    columns_->stacks.resolveDeferred(known->second, frames(process, text));
    deferred_.erase(known);
    const auto replace = [&](std::string& stack) {
        if (stack == promise) stack = text;
    };
    for (auto& row : model_.rows) {
        replace(row.stack);
        for (auto& release : row.releases) {
            replace(release.stack);
        }
    }
    for (auto& unmatched : model_.unmatched) {
        replace(unmatched.release.stack);
    }
}

void ColumnsBuilder::threadName(std::uint32_t thread, std::string_view name) {
    threadNames_.set(ThreadId{thread}, 0, name);
    model_.threadNames[thread] = name;
}

std::size_t ColumnsBuilder::alloc(const ModelRow& row) {
    auto& columns = table(row.table);
    Site site;
    site.stack = stack(row.process, row.stack);
    site.heap = heap(row.process, row.heap);
    site.thread = ThreadId{row.thread};
    site.kind = row.source;
    site.isRealloc = row.isRealloc;
    RowId id = 0;
    const bool added = columns.rows.begin(row.begin, row.address, row.size, columns.sites.intern(site), id);
    Q_ASSERT(added);
    Q_UNUSED(added);
    rowIds_.push_back(id);
    model_.rows.push_back(row);
    model_.rows.back().arrival = arrivals_++;
    return model_.rows.size() - 1;
}

SiteId ColumnsBuilder::endSite(const ModelRow& row, const ModelRelease& release) {
    Site site;
    site.stack = stack(row.process, release.stack);
    site.heap = heap(row.process, row.heap);
    site.thread = ThreadId{release.thread};
    site.kind = static_cast<std::uint8_t>(release.kind);
    site.isTemporary = release.isTemporary;
    return table(row.table).endSites.intern(site);
}

void ColumnsBuilder::end(std::size_t number, ModelRelease release) {
    auto& row = model_.rows[number];
    release.bytes = row.size;
    for (const auto& before : row.releases) {
        release.bytes -= before.bytes;
    }
    if (!row.releases.empty()) return this->release(number, release);
    release.isFinal = true;
    release.arrival = arrivals_++;
    table(row.table).rows.end(rowIds_[number], release.time, endSite(row, release));
    row.end = release.time;
    row.releases.push_back(release);
}

void ColumnsBuilder::release(std::size_t number, ModelRelease release) {
    auto& row = model_.rows[number];
    auto left = row.size;
    for (const auto& before : row.releases) {
        left -= before.bytes;
    }
    release.isFinal = release.bytes >= left;
    release.bytes = std::min(release.bytes, left);
    release.arrival = arrivals_++;
    table(row.table).rows.release(rowIds_[number], release.time, release.bytes, endSite(row, release), release.isFinal);
    if (release.isFinal) row.end = release.time;
    row.releases.push_back(release);
}

void ColumnsBuilder::markRealloc(std::size_t row) {
    if (rowIds_[row] != store::RowNumbers::kLeftOut) table(model_.rows[row].table).rows.markRealloc(rowIds_[row]);
    model_.rows[row].isRealloc = true;
}

void ColumnsBuilder::unmatched(ModelUnmatched unmatched) {
    ModelRow owner;
    owner.table = unmatched.table;
    owner.process = unmatched.process;
    owner.heap = unmatched.heap;
    const auto site = endSite(owner, unmatched.release);
    (void)table(unmatched.table)
        .unmatchedFrees.append(
            store::UnmatchedFree{unmatched.release.time, unmatched.address, unmatched.release.bytes, site, 0});
    model_.unmatched.push_back(std::move(unmatched));
}

void ColumnsBuilder::snapshotBlock(const ModelSnapshotBlock& block) {
    Site site;
    site.stack = stack(block.process, block.stack);
    site.heap = heap(block.process, block.heap);
    site.thread = ThreadId{block.thread};
    const store::SnapshotBlockRow row{block.address, block.size, block.snapshot, columns_->heap.sites.intern(site)};
    (void)columns_->snapshotBlocks.append(row);
    model_.snapshotBlocks.push_back(block);
}

void ColumnsBuilder::startCut(TraceTime start) {
    if (cut_ || start <= columns_->retainedFrom) return;
    auto next = std::make_shared<store::TraceColumns>(columns_->names);
    next->retainedFrom = start;
    cut_ =
        std::make_unique<Cut>(Cut{.columns = next,
                                  .heap = store::TableCut(columns_->heap, next->heap, start),
                                  .virtualAlloc = store::TableCut(columns_->virtualAlloc, next->virtualAlloc, start)});
}

void ColumnsBuilder::continueCut(std::uint64_t events) {
    if (!cut_) return;
    (void)cut_->heap.advance(events);
    (void)cut_->virtualAlloc.advance(events);
}

void ColumnsBuilder::finishCut() {
    continueCut(~std::uint64_t{0});
    if (!cut_) return;
    Q_ASSERT(cut_->heap.isLevel() && cut_->virtualAlloc.isLevel());
    for (std::size_t i = 0; i < rowIds_.size(); ++i) {
        const auto& cut = model_.rows[i].table == TableKind::Heap ? cut_->heap : cut_->virtualAlloc;
        if (rowIds_[i] != store::RowNumbers::kLeftOut) rowIds_[i] = cut.numbers().of(rowIds_[i]);
    }
    columns_ = cut_->columns;
    cut_.reset();
}

store::TableView ColumnsBuilder::view(TableKind kind, TraceTime horizon) {
    const auto& columns = table(kind);
    store::TableView view;
    view.columns = &columns;
    view.horizon = horizon;
    view.rows = columns.rows.rowCount();
    view.events = columns.rows.order().eventCount();
    view.partials = columns.rows.partials().size();
    view.reallocMarks = columns.rows.reallocMarks().size();
    view.olderRows = columns.rows.olderRows().size();
    view.unmatchedFrees = columns.unmatchedFrees.size();
    view.olderBytes = columns.rows.olderBytes();
    view.sites = columns.sites.size();
    view.endSites = columns.endSites.size();
    return view;
}

/// Each run of pages is a mapping; the pages of every other mapping are recorded. Unknown pages are mappings of one
/// page, of which not all is resident.
SharedResidentSamples ColumnsBuilder::samplesUpTo(TraceTime horizon) const {
    std::vector<SharedResidentSample> samples;
    for (const auto& [process, time, pages, unknownPages] : model_.samples) {
        if (time > horizon) continue;
        auto sample = std::make_shared<ResidentSample>();
        sample->time = time;
        sample->pid = model_.processes[process].pid;
        sample->names = {""};
        for (auto page = pages.begin(); page != pages.end();) {
            const auto first = *page;
            std::uint64_t count = 0;
            for (; page != pages.end() && *page == first + count; ++page)
                ++count;
            Mapping mapping;
            mapping.begin = first * kResidentPageBytes;
            mapping.end = mapping.begin + count * kResidentPageBytes;
            mapping.resident = mapping.end - mapping.begin;
            if (first % 2 == 0) {
                mapping.flags = mapping_flag::kPages;
                mapping.pages.append(0, count);
            }
            sample->mappings.push_back(std::move(mapping));
        }
        for (const auto page : unknownPages) {
            Mapping mapping;
            mapping.begin = page * kResidentPageBytes;
            mapping.end = mapping.begin + kResidentPageBytes;
            mapping.resident = kResidentPageBytes / 2;
            sample->mappings.push_back(std::move(mapping));
        }
        std::ranges::sort(sample->mappings, {}, &Mapping::begin);
        samples.push_back(std::move(sample));
    }
    return std::make_shared<const std::vector<SharedResidentSample>>(std::move(samples));
}

/// Number of the type + 1.
static std::uint32_t typeIn(MemoryPicture& picture, const std::string& type) {
    const auto known = std::ranges::find(picture.types, type);
    const auto number = static_cast<std::uint32_t>(known - picture.types.begin()) + 1;
    if (known == picture.types.end()) picture.types.push_back(type);
    return number;
}

SharedMemoryPicture ColumnsBuilder::pictureOf(const ModelPicture& model) const {
    auto picture = std::make_shared<MemoryPicture>();
    picture->time = model.time;
    picture->pid = model_.processes[model.process].pid;
    std::map<Address, std::size_t> byAddress;
    for (const auto& [row, held] : model.blocks)
        byAddress[model_.rows[row].address] = row;
    std::map<std::size_t, std::uint32_t> indexOf;
    for (const auto& [address, row] : byAddress)
        indexOf.try_emplace(row, static_cast<std::uint32_t>(indexOf.size()));
    const auto rootOf = [&](const std::string& text) {
        const auto known = std::ranges::find(picture->names, text);
        const auto index = static_cast<std::uint32_t>(known - picture->names.begin());
        if (known == picture->names.end()) {
            picture->names.push_back(text);
            picture->roots.push_back({.name = index, .kind = RootKind::Variable});
        }
        return static_cast<std::uint32_t>(byAddress.size()) + index;
    };
    for (const auto& [address, row] : byAddress) {
        const auto& held = model.blocks.at(row);
        PictureBlock block;
        block.address = address;
        block.bytes = model_.rows[row].size;
        block.reachability = held.reachability;
        if (held.holder)
            block.holder = indexOf.at(*held.holder);
        else if (!held.root.empty())
            block.holder = rootOf(held.root);
        if (held.dominator)
            block.dominator = indexOf.at(*held.dominator);
        else if (!held.dominatingRoot.empty())
            block.dominator = rootOf(held.dominatingRoot);
        if (!held.type.empty()) block.type = typeIn(*picture, held.type);
        picture->blocks.push_back(block);
    }
    if (!isValid(*picture)) qFatal("The picture is not valid.");
    return picture;
}

SharedMemoryPictures ColumnsBuilder::picturesUpTo(TraceTime horizon) const {
    std::vector<SharedMemoryPicture> pictures;
    for (const auto& picture : model_.pictures)
        if (picture.time <= horizon) pictures.push_back(pictureOf(picture));
    if (pictures.empty()) return nullptr;
    return std::make_shared<const std::vector<SharedMemoryPicture>>(std::move(pictures));
}

std::shared_ptr<const store::PublishedTrace> ColumnsBuilder::publish(TraceTime horizon) {
    finishCut();
    auto trace = std::make_shared<store::PublishedTrace>();
    trace->columns = columns_;
    trace->processes = std::make_shared<store::ProcessTable>(processes_);
    trace->threadNames = std::make_shared<store::ThreadNames>(threadNames_);
    trace->heap = view(TableKind::Heap, horizon);
    trace->virtualAlloc = view(TableKind::VirtualAlloc, horizon);
    trace->horizon = horizon;
    trace->retainedFrom = columns_->retainedFrom;
    std::vector<store::Snapshot> snapshots;
    for (const auto& snapshot : model_.snapshots)
        if (snapshot.time >= trace->retainedFrom) snapshots.push_back(snapshot);
    if (!snapshots.empty()) trace->snapshots = std::make_shared<const std::vector<store::Snapshot>>(snapshots);
    trace->residentSamples = samplesUpTo(horizon);
    trace->pictures = picturesUpTo(horizon);
    trace->snapshotBlocks = columns_->snapshotBlocks.size();
    trace->stackRevision = columns_->stacks.revision();
    trace->stackCount = columns_->stacks.stackCount();
    trace->nodeCount = columns_->stacks.nodeCount();
    return trace;
}

} // namespace highwater::tests
