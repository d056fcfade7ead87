#include "core/symbols/pdb/pdb_symbol_file.h"

#include "core/base/text.h"
#include "core/symbols/answers/address_answers.h"
#include "core/symbols/answers/il_address.h"
#include "core/symbols/answers/parallel_parts.h"
#include "core/symbols/demangling/function_name.h"
#include "core/symbols/pdb/pdb_module.h"
#include "core/symbols/pdb/pdb_records.h"

#include <algorithm>
#include <utility>

namespace highwater::symbols {
namespace {

constexpr std::size_t kFileTextsAt = 12;    ///< the names stream starts with signature, version, size
constexpr std::uint16_t kNoModule = 0xFFFF; ///< bytes without a module
constexpr std::uint16_t kNoModuleStream = 0xFFFF;

constexpr std::int64_t kFrameCost = 128; ///< cost of an inlined call that becomes a frame, in visited calls

/// The linker's name of a function, selected from the names at its address.
struct LinkerName {
    std::string_view name; ///< empty: no match
    std::uint32_t others = 0;
};

LinkerName linkerName(const PdbPublics& publics, const PdbFunction& function) {
    const auto candidates = publics.nearest(function.begin);
    if (candidates.empty() || candidates.front().begin != function.begin) return {};
    const auto others = static_cast<std::uint32_t>(candidates.size() - 1);
    if (others == 0) return {publics.name(candidates.front()), 0};
    // Folded functions share an address. The function whose records are in the owning module is used.
    for (const auto& candidate : candidates) {
        const auto name = publics.name(candidate);
        if (name == function.name || qualifiedName(name) == function.name) return {name, others};
    }
    return {{}, others};
}

/// Answers addresses of one function, whose inlined calls are read once.
class FunctionAnswers {
  public:
    FunctionAnswers(const PdbModule& module, const PdbFunction& function)
        : function_(&function), sites_(module.inlineSites(function)) {}

    [[nodiscard]] const PdbFunction& function() const { return *function_; }

    /// Calls visit(site, range) for the inlined calls at the address, callers first, until the budget is used up: in
    /// crafted files all addresses are in hundreds of thousands of calls.
    template <typename Visit>
    void atAddress(Rva linked, std::atomic<std::int64_t>& left, Visit visit) {
        active_.assign(sites_.size() + 1, false);
        active_[0] = true;
        if (left <= 0) return;
        std::int64_t cost = static_cast<std::int64_t>(sites_.size());
        for (std::size_t i = 0; i < sites_.size() && cost < left; ++i) {
            if (!active_[sites_[i].parent]) continue;
            const auto& ranges = sites_[i].ranges;
            const auto range = std::find_if(ranges.begin(), ranges.end(),
                                            [&](const auto& r) { return linked >= r.begin && linked < r.end; });
            cost += range - ranges.begin();
            if (range == ranges.end()) continue;
            active_[i + 1] = true;
            cost += kFrameCost + visit(sites_[i], *range);
        }
        left -= cost;
    }

  private:
    const PdbFunction* function_;
    std::vector<PdbInlineSite> sites_;
    std::vector<bool> active_;
};

} // namespace

PdbSymbolFile::PdbSymbolFile(MsfFile msf, PdbLayout layout, std::shared_ptr<const void> owner)
    : owner_(std::move(owner)), msf_(std::move(msf)), layout_(std::move(layout)) {}

Result<std::unique_ptr<SymbolFile>> PdbSymbolFile::open(ByteSpan bytes, std::shared_ptr<const void> owner) {
    auto msf = TRY(MsfFile::open(bytes));
    auto layout = TRY(PdbLayout::read(msf));
    return std::unique_ptr<SymbolFile>(new PdbSymbolFile(std::move(msf), std::move(layout), std::move(owner)));
}

bool PdbSymbolFile::hasPrivateSymbols() const {
    return std::any_of(layout_.modules().begin(), layout_.modules().end(),
                       [](const auto& m) { return m.stream != kNoModuleStream && m.symbolBytes > 4; });
}

void PdbSymbolFile::readSharedStreams() {
    if (publics_) return;
    if (layout_.namesStream() != 0) fileNames_ = msf_.read(layout_.namesStream());
    typeNames_ = std::make_unique<PdbTypeNames>(msf_);
    publics_ = std::make_unique<PdbPublics>(msf_, layout_);
}

ResolvedAddresses PdbSymbolFile::resolve(std::span<const Rva> addresses, std::stop_token stop) {
    const std::lock_guard lock(mutex_);
    readSharedStreams();
    std::vector<Question> questions;
    std::vector<std::pair<std::uint16_t, Question>> byModule;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        if (ilPlaceOf(addresses[i])) continue;
        const auto linked = layout_.toLinked(addresses[i]);
        if (!linked) continue;
        const auto* contribution = layout_.contributionAt(*linked);
        byModule.push_back({contribution != nullptr ? contribution->module : kNoModule, {*linked, i}});
    }
    std::sort(byModule.begin(), byModule.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : a.second.linked < b.second.linked;
    });
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < byModule.size(); ++i) {
        if (i == 0 || byModule[i].first != byModule[i - 1].first) begins.push_back(i);
        questions.push_back(byModule[i].second);
    }
    std::vector<AddressAnswers> parts(begins.size() + 1);
    inParallel(begins.size(), [&](std::size_t i) {
        if (stop.stop_requested()) return;
        const auto end = i + 1 < begins.size() ? begins[i + 1] : questions.size();
        answerModule(byModule[begins[i]].first, std::span(questions).subspan(begins[i], end - begins[i]), parts[i]);
    });
    if (!stop.stop_requested()) answerIl(addresses, parts.back());
    return mergeAnswers(addresses.size(), parts);
}

/// For PDBs of managed languages: methods by token, lines by place in the IL.
void PdbSymbolFile::answerIl(std::span<const Rva> addresses, AddressAnswers& out) {
    struct IlQuestion {
        std::size_t module = 0;
        std::size_t index = 0;
    };
    std::vector<IlQuestion> questions;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        const auto place = ilPlaceOf(addresses[i]);
        if (!place) continue;
        if (!ilLines_) ilLines_ = std::make_unique<PdbIlLines>(msf_, layout_);
        if (const auto module = ilLines_->moduleOf(place->token)) questions.push_back({*module, i});
    }
    std::stable_sort(questions.begin(), questions.end(),
                     [](const auto& a, const auto& b) { return a.module < b.module; });
    for (const auto& question : questions) {
        const auto found = ilLines_->lineAt(*ilPlaceOf(addresses[question.index]));
        FrameAnswer frame;
        if (found) frame.file = fileText(found->fileName);
        if (frame.file.empty()) continue;
        frame.line = found->line;
        out.frames.push_back(frame);
        out.addresses.push_back({question.index, out.frames.size() - 1, out.frames.size()});
    }
}

void PdbSymbolFile::answerModule(std::uint16_t module, std::span<const Question> questions, AddressAnswers& out) {
    const PdbModuleEntry none;
    const auto& entry = module < layout_.modules().size() ? layout_.modules()[module] : none;
    const PdbModule read(msf_, layout_, entry);
    answer(read, questions, out);
    // The module's bytes are freed with it; shared bytes are kept.
    std::string_view last, kept; // the frames of a function are consecutive, and a name may be long
    for (auto& frame : out.frames) {
        if (frame.function.empty() || frame.isInlined) continue;
        if (frame.function.data() != last.data() || frame.function.size() != last.size()) {
            last = frame.function;
            kept = out.texts.texts()[out.texts.idOf(last)];
        }
        frame.function = kept;
    }
}

void PdbSymbolFile::answer(const PdbModule& module, std::span<const Question> questions, AddressAnswers& out) {
    std::optional<FunctionAnswers> current;
    LinkerName linker;
    std::vector<FrameAnswer> chain;
    for (const auto& question : questions) {
        const auto firstFrame = out.frames.size();
        const auto* function = module.functionAt(question.linked);
        if (function == nullptr) {
            answerPublic(question.linked, out);
        } else {
            if (!current || &current->function() != function) {
                current.emplace(module, *function);
                linker = linkerName(*publics_, *function);
            }
            FrameAnswer outer{.function = linker.name.empty() ? function->name : undecorated(linker.name)};
            outer.offset = static_cast<std::uint32_t>(question.linked - function->begin);
            outer.foldedWith = linker.others;
            chain.assign(1, outer);
            current->atAddress(
                question.linked, inliningLeft_, [&](const PdbInlineSite& site, const PdbInlineSite::Range& range) {
                    const auto name = inlineeName(module, site.inlinee);
                    FrameAnswer frame{.function = out.texts.texts()[out.texts.idOf(name)], .isInlined = true};
                    frame.file = fileText(module, range.file);
                    frame.line = frame.file.empty() ? 0 : range.line;
                    chain.push_back(frame);
                    return static_cast<std::int64_t>(name.size());
                });
            out.frames.insert(out.frames.end(), chain.rbegin(), chain.rend());
        }
        const auto* line = module.lineAt(question.linked);
        if (line != nullptr && out.frames.size() > firstFrame) {
            auto& outermost = out.frames.back();
            outermost.file = fileText(module, line->file);
            outermost.line = outermost.file.empty() ? 0 : line->line;
        }
        out.addresses.push_back({question.index, firstFrame, out.frames.size()});
    }
}

/// A public symbol has no length. It names the bytes up to the next symbol, but never those of another section or of
/// another contribution, which belong to a function without a name.
void PdbSymbolFile::answerPublic(Rva linked, AddressAnswers& out) const {
    const auto symbols = publics_->nearest(linked);
    if (symbols.empty()) return;
    const auto begin = symbols.front().begin;
    if (layout_.segmentOf(linked) == 0 || layout_.segmentOf(begin) != layout_.segmentOf(linked)) return;
    const auto* contribution = layout_.contributionAt(linked);
    if (contribution != nullptr && begin < contribution->begin) return;
    FrameAnswer frame{.function = undecorated(publics_->name(symbols.back())), .origin = NameOrigin::Public};
    frame.offset = static_cast<std::uint32_t>(linked - begin);
    frame.foldedWith = static_cast<std::uint32_t>(symbols.size() - 1);
    out.frames.push_back(frame);
}

std::string PdbSymbolFile::inlineeName(const PdbModule& module, std::uint32_t inlinee) const {
    const auto foreign = module.foreignId(inlinee);
    const auto id = foreign ? exportedId(foreign->moduleName, foreign->id) : std::optional(inlinee);
    auto name = id ? typeNames_->inlineeName(*id) : std::string();
    return name.empty() ? "(inlined function without a name)" : name;
}

std::optional<std::uint32_t> PdbSymbolFile::exportedId(std::uint32_t moduleName, std::uint32_t id) const {
    const std::lock_guard lock(exportsMutex_);
    const auto& modules = layout_.modules();
    if (moduleOfName_.empty()) // modules refer to each other by lower-case paths of object files
        for (std::size_t i = 0; i < modules.size(); ++i)
            moduleOfName_.try_emplace(lowered(modules[i].name), i);
    const auto owner = moduleOfName_.find(lowered(fileText(moduleName)));
    if (owner == moduleOfName_.end()) return std::nullopt;
    const auto [exports, isNew] = exports_.try_emplace(owner->second);
    if (isNew) exports->second = PdbModule(msf_, layout_, modules[owner->second]).exportedIds();
    const auto found = exports->second.find(id);
    return found == exports->second.end() ? std::nullopt : std::optional(found->second);
}

std::string_view PdbSymbolFile::fileText(const PdbModule& module, std::uint32_t file) const {
    const auto name = module.fileName(file);
    return name ? fileText(*name) : std::string_view();
}

std::string_view PdbSymbolFile::fileText(std::uint32_t name) const {
    const std::lock_guard lock(fileNamesMutex_);
    const auto [found, isNew] = fileTexts_.try_emplace(name);
    if (!isNew) return found->second;
    const auto all = fileNames_.bytes();
    if (!sharedNames_) sharedNames_.emplace(all.size());
    found->second =
        sharedNames_->at({reinterpret_cast<const char*>(all.data()), all.size()}, kFileTextsAt + std::uint64_t{name});
    return found->second;
}

std::string_view PdbSymbolFile::undecorated(std::string_view name) const {
    return layout_.is32Bit() ? withoutCallingConvention(name) : name;
}

} // namespace highwater::symbols
