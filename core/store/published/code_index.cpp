#include "core/store/published/code_index.h"

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
    renamedModules_.clear();
    const auto before = known_;
    for (; known_ < trace.codeEntries; ++known_)
        take(static_cast<std::uint32_t>(known_));
    return known_ != before;
}

void CodeIndex::takeModuleName(const CodeEntry& taken) {
    if (taken.module >= kMostModules) return;
    if (taken.module >= moduleTexts_.size()) moduleTexts_.resize(taken.module + std::size_t{1});
    moduleTexts_[taken.module] = taken.text;
    if (taken.module < isModuleUsed_.size() && isModuleUsed_[taken.module]) renamedModules_.push_back(taken.module);
}

void CodeIndex::take(std::uint32_t number) {
    const auto& taken = entry(number);
    if (taken.kind == CodeEntry::Kind::ModuleName) return takeModuleName(taken);
    auto& process = processes_[taken.process.value];
    const bool hadNamedCode = process.hasNamedCode();
    if (taken.kind == CodeEntry::Kind::Runtime) {
        process.hasRuntime = true;
    } else {
        (taken.kind == CodeEntry::Kind::EarlierFunction ? process.earlier : process.later).numbers.push_back(number);
        if (taken.module < kMostModules) {
            if (taken.module >= isModuleUsed_.size()) isModuleUsed_.resize(taken.module + std::size_t{1});
            isModuleUsed_[taken.module] = true;
        }
        const auto most = kLastAddress - taken.start;
        changes_.push_back({taken.process, taken.start, taken.start + std::min<Address>(taken.size - 1u, most)});
    }
    // What is in no function is a stub from now on.
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

/// The newest run that knows of the address has the last entry.
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

bool CodeIndex::hasNamedCode(ProcessIndex process) const {
    const auto known = processes_.find(process.value);
    return known != processes_.end() && known->second.hasNamedCode();
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
