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

/// The location of the code of a frame. Frames with the same address in one address space share one place. Return
/// addresses and instruction pointers are separate because they are named differently.
struct CodeLocation {
    static constexpr std::uint32_t kNoModule = 0xFFFFFFFFu;
    static constexpr std::uint32_t kNoCode = 0xFFFFFFFFu;

    Address address = 0;
    std::uint64_t offset = 0; ///< bytes from the module base
    store::ModuleIndex module{kNoModule};
    std::uint32_t code = kNoCode;           ///< entry of the function that a runtime generated there
    FrameNodeId node;                       ///< one of its frames
    store::ModuleIndex ilModule{kNoModule}; ///< module for source lines of generated code; kNoModule: none
    symbols::Rva ilAddress = 0;             ///< in that module
    std::uint32_t root = 0;                 ///< root of its frames; for the kernel, one that represents all
    bool isLineUncertain = false;           ///< the method was compiled several times
    bool isBehindEntry = false;             ///< `code` starts before the address and is the nearest known entry
    bool isReturnAddress = false;
    bool isStub = false; ///< in no module and no function, of a process with a runtime

    [[nodiscard]] bool isInModule() const { return module.value != kNoModule; }
    [[nodiscard]] bool isGenerated() const { return code != kNoCode; }
    [[nodiscard]] bool hasIl() const { return ilModule.value != kNoModule; }
    /// The byte that determines the function of the frame. Only the leaf is an instruction pointer. The other frames
    /// are return addresses after their call, which may be the last instruction of its function.
    [[nodiscard]] std::uint64_t codeOffset() const { return isReturnAddress && offset > 0 ? offset - 1 : offset; }
    /// The address to look up in debug files. For generated code, whose names come from the runtime, only its source
    /// line is looked up.
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

/// The places of all frames of a trace. Each is determined once. Grows with the trace's publications. One thread at a
/// time.
class CodeLocations {
  public:
    static constexpr std::uint32_t kNoPlace = 0xFFFFFFFFu; ///< for roots

    CodeLocations();
    ~CodeLocations();

    /// The changes to existing places in an update.
    struct Moved {
        bool isAny = false;                     ///< all places may be in other modules than before
        std::vector<std::uint32_t> ofGenerated; ///< places whose generated code has changed or is gone
    };
    /// Adds a publication of the trace.
    Moved update(const store::PublishedTrace& trace);
    /// The code at places with isGenerated(). Valid until the next update.
    [[nodiscard]] const store::CodeIndex& generated() const { return code_; }
    /// Index = FrameNodeId; at least as many as the publication has nodes. Place numbers are stable, but a leaf that
    /// turns out to be also a caller moves to another place.
    [[nodiscard]] std::span<const std::uint32_t> placeOfNode() const { return placeOfNode_; }
    [[nodiscard]] std::span<const CodeLocation> places() const { return places_; }

  private:
    struct Index;

    bool takeImages(const store::PublishedTrace& trace);
    [[nodiscard]] std::vector<std::uint32_t> takeCode(const store::PublishedTrace& trace);
    void reserveFor(std::size_t newFrames);
    void listNewPlaces(const store::PublishedTrace& trace);
    void findAffected(const store::CodeChange& change, std::vector<std::uint32_t>& concerned) const;
    /// The properties that distinguish it from other places.
    [[nodiscard]] CodeLocation keyOf(const store::PublishedTrace& trace, FrameNodeId node) const;
    std::uint32_t placeOf(const store::PublishedTrace& trace, FrameNodeId node);
    void locate(const store::PublishedTrace& trace, CodeLocation& place);
    void locateGenerated(store::StackRoot root, CodeLocation& place);
    void locateIl(CodeLocation& place) const;

    std::shared_ptr<const store::ProcessTable> processes_;
    store::CodeIndex code_;
    std::uint64_t fingerprint_ = 0; ///< fingerprint of the images
    std::vector<CodeLocation, LargeAllocator<CodeLocation>> places_;
    std::vector<std::uint32_t, LargeAllocator<std::uint32_t>> placeOfNode_;
    std::vector<std::uint32_t, LargeAllocator<std::uint32_t>> rootOfNode_;
    std::vector<bool> isCaller_;
    std::unique_ptr<Index> index_;
};

} // namespace highwater::analysis
