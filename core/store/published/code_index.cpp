#include "core/store/published/code_index.h"

#include "core/event/il_map.h"

#include <algorithm>
#include <limits>

namespace highwater::store {
namespace {

constexpr std::size_t kMostModules = CodeColumns::kMostEntries;
constexpr Address kLastAddress = std::numeric_limits<Address>::max();

} // namespace

bool CodeIndex::update(const PublishedTrace& trace) {
    columns_ = trace.columns;
    changes_.clear();
    otherModules_.clear();
    const auto before = known_;
    if (processTable_ != trace.processes) {
        images_.reset(); // it refers to the old table
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
        takeMap(static_cast<std::uint32_t>(knownMaps_));
    return known_ != before || knownMaps_ != mapsBefore;
}

CodeIndex::Body& CodeIndex::bodyOf(std::uint32_t number) {
    if (number >= bodies_.size()) bodies_.resize(number + std::size_t{1});
    return bodies_[number];
}

void CodeIndex::takeMethod(const CodeMethod& method) {
    methods_.push_back(method);
    auto& body = bodyOf(method.body);
    const auto start = entry(method.entry).start;
    const bool isKnown = std::find(body.starts.begin(), body.starts.end(), start) != body.starts.end();
    if (isKnown || body.starts.size() >= CodeColumns::kMostMapsOfBody) return;
    body.starts.push_back(start);
    body.code.push_back(method.entry);
    noteOtherLines(body);
}

void CodeIndex::takeMap(std::uint32_t number) {
    auto& body = bodyOf(columns_->names->code.maps[number].body);
    body.maps.push_back(number);
    noteOtherLines(body);
}

/// All of them determine which map belongs to which code and whether that is certain.
void CodeIndex::noteOtherLines(const Body& body) {
    if (body.maps.empty()) return;
    for (const auto number : body.code)
        noteChange(entry(number), entry(number).size);
}

/// Runtimes report code and map together: the second map belongs to the second code.
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

void CodeIndex::takeModuleName(const CodeEntry& taken) {
    if (taken.module >= kMostModules) return;
    if (taken.module >= moduleTexts_.size()) moduleTexts_.resize(taken.module + std::size_t{1});
    moduleTexts_[taken.module] = taken.text;
    noteOtherModule(taken.module);
}

void CodeIndex::takeModulePdb(const CodeEntry& taken) {
    if (taken.module >= kMostModules) return;
    if (taken.module >= ilModules_.size()) ilModules_.resize(taken.module + std::size_t{1});
    ilModules_[taken.module] = ModuleIndex{taken.size};
    noteOtherModule(taken.module);
}

void CodeIndex::noteOtherModule(std::uint32_t module) {
    if (module < isModuleUsed_.size() && isModuleUsed_[module]) otherModules_.push_back(module);
}

/// From the start of the entry on.
void CodeIndex::noteChange(const CodeEntry& taken, ByteCount bytes) {
    const auto most = kLastAddress - taken.start;
    changes_.push_back({taken.process, taken.start, taken.start + std::min<Address>(bytes - 1, most)});
}

void CodeIndex::take(std::uint32_t number) {
    const auto& taken = entry(number);
    if (taken.kind == CodeEntry::Kind::ModuleName) return takeModuleName(taken);
    if (taken.kind == CodeEntry::Kind::ModulePdb) return takeModulePdb(taken);
    auto& process = processes_[taken.process.value];
    if (taken.kind == CodeEntry::Kind::EntryPoint) {
        process.entryIndex.reset();
        process.entryPoints.push_back({number, nullptr});
        return noteChange(taken, kFarFromEntryPoint);
    }
    const bool hadNamedCode = process.hasNamedCode();
    if (taken.kind == CodeEntry::Kind::Runtime) {
        process.hasRuntime = true;
    } else {
        (taken.kind == CodeEntry::Kind::EarlierFunction ? process.earlier : process.later).numbers.push_back(number);
        if (taken.module < kMostModules) {
            if (taken.module >= isModuleUsed_.size()) isModuleUsed_.resize(taken.module + std::size_t{1});
            isModuleUsed_[taken.module] = true;
        }
        noteChange(taken, taken.size);
    }
    // Addresses outside functions are stubs from now on.
    if (!hadNamedCode && process.hasNamedCode()) changes_.push_back({taken.process, 0, kLastAddress});
}

EpochIndex CodeIndex::makeIndex(const CodeRuns& entries, std::size_t begin, std::uint32_t firstEpoch,
                                bool ofAllEpochs) const {
    std::vector<EpochSpan> spans;
    spans.reserve(entries.numbers.size() - begin);
    std::uint32_t last = 0;
    for (auto i = begin; i < entries.numbers.size(); ++i) {
        const auto& code = entry(entries.numbers[i]);
        const auto first = ofAllEpochs ? 0 : code.firstEpoch - firstEpoch;
        last = std::max(last, first);
        spans.push_back({code.start, code.size, first, 0xFFFFFFFFu});
    }
    return {spans, last + 1};
}

void CodeIndex::indexNew(CodeRuns& entries, bool ofAllEpochs) const {
    if (entries.indexed == entries.numbers.size()) return;
    auto begin = entries.indexed;
    for (auto& runs = entries.runs; !runs.empty(); runs.pop_back()) {
        if (begin - runs.back().begin > 2 * (entries.numbers.size() - begin)) break;
        begin = runs.back().begin;
    }
    auto firstEpoch = ofAllEpochs ? 0 : 0xFFFFFFFFu;
    for (auto i = begin; i < entries.numbers.size(); ++i)
        firstEpoch = std::min(firstEpoch, entry(entries.numbers[i]).firstEpoch);
    entries.runs.push_back({begin, firstEpoch, makeIndex(entries, begin, firstEpoch, ofAllEpochs)});
    entries.indexed = entries.numbers.size();
}

/// The newest run that contains the address has the last entry.
std::optional<std::uint32_t> CodeIndex::findIn(const CodeRuns& entries, std::uint32_t epoch, Address address) {
    for (auto run = entries.runs.rbegin(); run != entries.runs.rend(); ++run) {
        if (epoch < run->firstEpoch) continue;
        if (const auto found = run->index.find(epoch - run->firstEpoch, address))
            return entries.numbers[run->begin + *found];
    }
    return std::nullopt;
}

std::optional<std::uint32_t> CodeIndex::find(StackRoot root, Address address) {
    if ((address & kKernelBit) != 0) return std::nullopt;
    const auto known = processes_.find(root.process.value);
    if (known == processes_.end()) return std::nullopt;
    auto& process = known.value();
    indexNew(process.earlier, true);
    indexNew(process.later, false);
    auto number = findIn(process.later, root.epoch, address);
    if (!number) number = findIn(process.earlier, 0, address);
    if (!number || entry(*number).kind == CodeEntry::Kind::Nothing) return std::nullopt;
    return number;
}

/// As spans that extend to the end of their image: the last span that contains an address is the nearest.
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
        EpochSpan span{code.start, 1, 0, 0}; // outside all images: in no epoch
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
    // If images overlap, an earlier entry point may be the nearest one of the valid image.
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
    return known != processes_.end() && known->second.hasNamedCode();
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
