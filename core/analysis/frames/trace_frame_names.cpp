#include "core/analysis/frames/trace_frame_names.h"

#include "core/base/seeded_hash.h"
#include "core/store/published/image_index.h"

#include <tsl/robin_map.h>

#include <map>
#include <utility>
#include <vector>

namespace highwater::analysis {
namespace {

using store::NamedFrame;
using symbols::ResolvedAddresses;

/// The new names of one module.
class NewNames {
  public:
    void add(const store::CodeColumns& code, const store::NamedAddress& named, symbols::Rva address) {
        for (std::uint32_t i = 0; i < named.count; ++i) {
            const auto& frame = code.functions[std::uint64_t{named.first} + i];
            names_.frames.push_back({.function = functionOf(code, frame.name),
                                     .file = fileOf(code, frame.file),
                                     .line = frame.line,
                                     .isInlined = i + 1 < named.count});
        }
        names_.firstFrame.push_back(static_cast<std::uint32_t>(names_.frames.size()));
        addresses_.push_back(address);
    }
    void addTo(symbols::SymbolTable& table, store::ModuleIndex module) const { table.add(module, addresses_, names_); }

  private:
    using Ids = tsl::robin_map<std::uint32_t, std::uint32_t, SeededHash>; ///< by position of the text

    std::uint32_t functionOf(const store::CodeColumns& code, std::uint32_t text) {
        const auto [entry, isNew] = functions_.emplace(text, static_cast<std::uint32_t>(names_.functions.size()));
        if (isNew) names_.functions.push_back({.linkageName = code.textAt(text)});
        return entry->second;
    }
    std::uint32_t fileOf(const store::CodeColumns& code, std::uint32_t text) {
        if (text == NamedFrame::kNoText) return symbols::kNoFile;
        const auto [entry, isNew] = files_.emplace(text, static_cast<std::uint32_t>(names_.files.size()));
        if (isNew) names_.files.push_back(code.textAt(text));
        return entry->second;
    }

    std::vector<symbols::Rva> addresses_;
    ResolvedAddresses names_;
    Ids functions_, files_;
};

} // namespace

void TraceFrameNames::take(const store::PublishedTrace& trace) {
    const auto& code = trace.columns->names->code;
    store::ImageIndex images(*trace.processes);
    std::map<std::uint32_t, NewNames> ofModules;
    for (; known_ < trace.codeNamed; ++known_) {
        const auto& named = code.named[known_];
        const auto* image = images.find({named.process, named.epoch}, named.address);
        if (image != nullptr) ofModules[image->module.value].add(code, named, named.address - image->base);
    }
    for (const auto& [module, names] : ofModules)
        names.addTo(table_, store::ModuleIndex{module});
    if (!ofModules.empty()) told_ = table_.view();
}

std::shared_ptr<const symbols::NameView> TraceFrameNames::joinedWith(const store::PublishedTrace& trace,
                                                                     std::shared_ptr<const symbols::NameView> others) {
    if (known_ < trace.codeNamed) take(trace);
    if (told_ == nullptr) return others;
    if (others == nullptr) return told_;
    if (joinedOwn_ != told_ || joinedOthers_ != others) {
        joined_ = std::make_shared<const symbols::NameView>(symbols::NameView::joined(*told_, *others));
        joinedOwn_ = told_;
        joinedOthers_ = std::move(others);
    }
    return joined_;
}

} // namespace highwater::analysis
