#include "core/store/published/code_index.h"

#include "core/event/il_map.h"

#include <algorithm>
#include <limits>

namespace highwater::store {
namespace {

constexpr std::size_t kMostModules = CodeColumns::kMostEntries;

} // namespace

bool CodeIndex::update(const PublishedTrace& trace) {
    columns_ = trace.columns;
    const auto before = known_;
    if (processTable_ != trace.processes) {
        images_.reset(); // it looks into the old table
        processTable_ = trace.processes;
        for (auto process = processes_.begin(); process != processes_.end(); ++process)
            process.value().entryIndex.reset();
    }
    for (; known_ < trace.codeEntries; ++known_)
        take(static_cast<std::uint32_t>(known_));
    const auto& code = columns_->names->code;
    while (methods_.size() < trace.codeMethods)
        takeMethod(code.methods[methods_.size()]);
    const auto mapsBefore = knownMaps_;
    for (; knownMaps_ < trace.codeIlMaps; ++knownMaps_)
        bodyOf(code.maps[knownMaps_].body).maps.push_back(static_cast<std::uint32_t>(knownMaps_));
    return known_ != before || knownMaps_ != mapsBefore;
}

CodeIndex::Body& CodeIndex::bodyOf(std::uint32_t number) {
    if (number >= bodies_.size()) bodies_.resize(number + std::size_t{1});
    return bodies_[number];
}

void CodeIndex::takeMethod(const CodeMethod& method) {
    methods_.push_back(method);
    auto& starts = bodyOf(method.body).starts;
    const auto start = entry(method.entry).start;
    const bool isKnown = std::find(starts.begin(), starts.end(), start) != starts.end();
    if (!isKnown && starts.size() < CodeColumns::kMostMapsOfBody) starts.push_back(start);
}

/// Runtimes tell code and map together: the second map is of the second code.
std::optional<CodeIndex::IlOrigin> CodeIndex::ilOrigin(std::uint32_t number, Address address) const {
    const auto method = std::lower_bound(methods_.begin(), methods_.end(), number,
                                         [](const auto& one, std::uint32_t n) { return one.entry < n; });
    if (method == methods_.end() || method->entry != number) return std::nullopt;
    const auto& body = bodies_[method->body];
    const auto start = entry(number).start;
    if (body.maps.empty() || address < start) return std::nullopt;
    const auto place = std::find(body.starts.begin(), body.starts.end(), start) - body.starts.begin();
    const auto which = std::min(static_cast<std::size_t>(place), body.maps.size() - 1);
    const auto& code = columns_->names->code;
    const auto packed = code.ilMapAt(code.maps[body.maps[which]]);
    const auto offset = ilOffsetAt(packed, static_cast<std::uint32_t>(address - start));
    if (!offset) return std::nullopt;
    return IlOrigin{method->token, *offset, body.starts.size() == 1 && body.maps.size() == 1};
}

void CodeIndex::take(std::uint32_t number) {
    const auto& taken = entry(number);
    if (taken.kind == CodeEntry::Kind::ModuleName) {
        if (taken.module >= kMostModules) return;
        if (taken.module >= moduleTexts_.size()) moduleTexts_.resize(taken.module + std::size_t{1});
        moduleTexts_[taken.module] = taken.text;
        return;
    }
    if (taken.kind == CodeEntry::Kind::ModulePdb) {
        if (taken.module >= kMostModules) return;
        if (taken.module >= ilModules_.size()) ilModules_.resize(taken.module + std::size_t{1});
        ilModules_[taken.module] = ModuleIndex{taken.size};
        return;
    }
    auto& process = processes_[taken.process.value];
    if (taken.kind == CodeEntry::Kind::Runtime) {
        process.hasRuntime = true;
        return;
    }
    if (taken.kind == CodeEntry::Kind::EntryPoint) {
        process.entryIndex.reset();
        process.entryPoints.push_back({number, nullptr});
        return;
    }
    process.index.reset();
    (taken.kind == CodeEntry::Kind::EarlierFunction ? process.earlier : process.later).push_back(number);
}

void CodeIndex::makeIndex(OfProcess& process) const {
    std::vector<EpochSpan> spans;
    spans.reserve(process.earlier.size() + process.later.size());
    std::uint32_t last = 0;
    const auto add = [&](std::uint32_t number, std::uint32_t firstEpoch) {
        const auto& code = entry(number);
        last = std::max(last, firstEpoch);
        spans.push_back({code.start, code.size, firstEpoch, 0xFFFFFFFFu});
    };
    for (const auto number : process.earlier)
        add(number, 0);
    for (const auto number : process.later)
        add(number, entry(number).firstEpoch);
    process.index.emplace(spans, last + 1);
}

std::optional<std::uint32_t> CodeIndex::find(StackRoot root, Address address) {
    if ((address & kKernelBit) != 0) return std::nullopt;
    const auto known = processes_.find(root.process.value);
    if (known == processes_.end()) return std::nullopt;
    auto& process = known.value();
    if (!process.index) makeIndex(process);
    const auto found = process.index->find(root.epoch, address);
    if (!found) return std::nullopt;
    const auto number =
        *found < process.earlier.size() ? process.earlier[*found] : process.later[*found - process.earlier.size()];
    if (entry(number).kind == CodeEntry::Kind::Nothing) return std::nullopt;
    return number;
}

/// As spans that reach to the end of their image: of those that hold an address the last one is the nearest.
void CodeIndex::makeEntryIndex(ProcessIndex index, OfProcess& process) {
    auto& entries = process.entryPoints;
    std::stable_sort(entries.begin(), entries.end(),
                     [&](const auto& a, const auto& b) { return entry(a.number).start < entry(b.number).start; });
    std::vector<EpochSpan> spans;
    spans.reserve(entries.size());
    std::uint32_t last = 0;
    for (auto& point : entries) {
        const auto& code = entry(point.number);
        point.image = images_->find({index, code.firstEpoch}, code.start);
        EpochSpan span{code.start, 1, 0, 0}; // in no image: in no epoch
        if (point.image != nullptr) {
            const auto left = point.image->size - (code.start - point.image->base);
            span = {code.start, std::min(kFarFromEntryPoint, left), point.image->firstEpoch, point.image->lastEpoch};
            const bool hasEnd = span.lastEpoch != std::numeric_limits<std::uint32_t>::max();
            last = std::max(last, hasEnd ? span.lastEpoch : span.firstEpoch);
        }
        spans.push_back(span);
    }
    process.entryIndex.emplace(spans, last + 1);
}

std::optional<std::uint32_t> CodeIndex::findEntryPoint(StackRoot root, Address address) {
    if ((address & kKernelBit) != 0) return std::nullopt;
    const auto known = processes_.find(root.process.value);
    if (known == processes_.end() || known->second.entryPoints.empty()) return std::nullopt;
    auto& process = known.value();
    if (!images_) images_.emplace(*processTable_);
    if (!process.entryIndex) makeEntryIndex(root.process, process);
    const auto found = process.entryIndex->find(root.epoch, address);
    const auto* image = found ? images_->find(root, address) : nullptr;
    if (image == nullptr) return std::nullopt;
    // Where images are said to overlap, one before it may be the nearest of the one that counts.
    constexpr std::uint32_t kMostSteps = 64;
    for (auto at = *found + 1; at > 0 && *found < at + kMostSteps; --at) {
        const auto& point = process.entryPoints[at - 1];
        const auto start = entry(point.number).start;
        if (start < image->base || address - start >= kFarFromEntryPoint) break;
        if (point.image == image) return point.number;
    }
    return std::nullopt;
}

bool CodeIndex::hasNamedCode(ProcessIndex process) const {
    const auto known = processes_.find(process.value);
    return known != processes_.end() && known->second.hasRuntime &&
           !(known->second.earlier.empty() && known->second.later.empty());
}

std::optional<ModuleIndex> CodeIndex::ilModule(std::uint32_t number) const {
    const auto module = entry(number).module;
    return module < ilModules_.size() ? ilModules_[module] : std::nullopt;
}

std::string CodeIndex::moduleName(std::uint32_t number) const {
    const auto module = entry(number).module;
    const auto text = module < moduleTexts_.size() ? moduleTexts_[module] : std::nullopt;
    return text ? columns_->names->code.textAt(*text) : std::string("[dynamic]");
}

std::string CodeIndex::function(std::uint32_t number) const { return columns_->names->code.textAt(entry(number).text); }

std::string CodeIndex::arguments(std::uint32_t number) const {
    const auto at = entry(number).text;
    return columns_->names->code.textAt(at + columns_->names->code.textAt(at).size() + 1);
}

} // namespace highwater::store
