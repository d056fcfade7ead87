#pragma once

#include "core/base/huge_pages.h"
#include "core/base/units.h"
#include "core/store/published/code_index.h"
#include "core/store/published/published_trace.h"
#include "core/symbols/answers/il_address.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace highwater::analysis {

/// Where the code of a frame lies. Frames of one address space with the same address are one place; return addresses
/// and instruction pointers are told apart, because they are named differently.
struct CodeLocation {
    static constexpr std::uint32_t kNoModule = 0xFFFFFFFFu;
    static constexpr std::uint32_t kNoCode = 0xFFFFFFFFu;

    Address address = 0;
    std::uint64_t offset = 0; ///< bytes from the base of the module
    store::ModuleIndex module{kNoModule};
    std::uint32_t code = kNoCode;           ///< the entry of the function that a runtime generated there
    FrameNodeId node;                       ///< one of its frames
    store::ModuleIndex ilModule{kNoModule}; ///< of source lines of generated code; kNoModule: there are none
    symbols::Rva ilAddress = 0;             ///< in that module
    std::uint32_t root = 0;                 ///< of its frames; of the kernel's, one that stands for all
    bool isLineUncertain = false;           ///< the method was compiled several times
    bool isBehindEntry = false;             ///< `code` only begins somewhere before, and is what is known to be nearest
    bool isReturnAddress = false;
    bool isStub = false; ///< in no module, and no function, of a process with a runtime

    [[nodiscard]] bool isInModule() const { return module.value != kNoModule; }
    [[nodiscard]] bool isGenerated() const { return code != kNoCode; }
    [[nodiscard]] bool hasIl() const { return ilModule.value != kNoModule; }
    /// The byte whose function is the frame's. Only the leaf is an instruction pointer; the other frames are addresses
    /// to return to, behind their call, which may be the last instruction of its function.
    [[nodiscard]] std::uint64_t codeOffset() const { return isReturnAddress && offset > 0 ? offset - 1 : offset; }
    /// What debug files are asked about it: of generated code, whose names come from the runtime, its source line.
    struct Asked {
        store::ModuleIndex module;
        symbols::Rva address = 0;
    };
    [[nodiscard]] std::optional<Asked> asked() const {
        if (hasIl()) return Asked{ilModule, ilAddress};
        if (isGenerated() || !isInModule()) return std::nullopt;
        return Asked{module, codeOffset()};
    }
    [[nodiscard]] Address codeAddress() const { return isReturnAddress && address > 0 ? address - 1 : address; }
};

/// The places of all frames of a trace, found once. Grows with the trace's publications. One thread at a time.
class CodeLocations {
  public:
    static constexpr std::uint32_t kNoPlace = 0xFFFFFFFFu; ///< of roots

    CodeLocations();
    ~CodeLocations();

    /// What an update found of places that were there before.
    struct Moved {
        bool isAny = false;                     ///< all may lie in other modules than before
        std::vector<std::uint32_t> ofGenerated; ///< places where other generated code stands than before, or none
    };
    /// Takes in a publication of the trace.
    Moved update(const store::PublishedTrace& trace);
    /// What stands at places with isGenerated(). Until the next update.
    [[nodiscard]] const store::CodeIndex& generated() const { return code_; }
    /// Index = FrameNodeId; at least as many as the publication has nodes. Numbers of places stay what they are, but a
    /// leaf that turns out to be a caller, too, changes to another place.
    [[nodiscard]] std::span<const std::uint32_t> placeOfNode() const { return placeOfNode_; }
    [[nodiscard]] std::span<const CodeLocation> places() const { return places_; }

  private:
    struct Index;

    bool takeImages(const store::PublishedTrace& trace);
    [[nodiscard]] std::vector<std::uint32_t> takeCode(const store::PublishedTrace& trace);
    void reserveFor(std::size_t newFrames);
    void listNewPlaces(const store::PublishedTrace& trace);
    void findConcerned(const store::CodeChange& change, std::vector<std::uint32_t>& concerned) const;
    /// What tells it from other places.
    [[nodiscard]] CodeLocation keyOf(const store::PublishedTrace& trace, FrameNodeId node) const;
    std::uint32_t placeOf(const store::PublishedTrace& trace, FrameNodeId node);
    void locate(const store::PublishedTrace& trace, CodeLocation& place);
    void locateGenerated(store::StackRoot root, CodeLocation& place);
    void locateIl(CodeLocation& place) const;

    std::shared_ptr<const store::ProcessTable> processes_;
    store::CodeIndex code_;
    std::uint64_t fingerprint_ = 0; ///< of the images
    std::vector<CodeLocation, LargeAllocator<CodeLocation>> places_;
    std::vector<std::uint32_t, LargeAllocator<std::uint32_t>> placeOfNode_;
    std::vector<std::uint32_t, LargeAllocator<std::uint32_t>> rootOfNode_;
    std::vector<bool> isCaller_;
    std::unique_ptr<Index> index_;
};

} // namespace highwater::analysis
