#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/base/seeded_hash.h"
#include "core/store/published/image_index.h"
#include "core/store/published/published_trace.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace highwater::formats {

/// The calls in stacks, without duplicates, numbered from 0 in the order of the requests, and the images, functions and
/// source files they refer to, numbered the same way. Function names are those of tables. Memory grows with the
/// requested code, not with rows. The trace and the labels must outlive it. One thread.
class CallCatalog {
  public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    /// A module in a process. The same address range in several processes is one image.
    struct Image {
        store::ModuleIndex module;
        Address base = 0;
        ByteCount size = 0;
    };
    struct Function {
        std::string name;           ///< "app.exe!main", or "app.exe!+0x1234" without a name, as in tables
        std::string linkageName;    ///< the linker's name; "": unknown
        std::uint32_t file = kNone; ///< source file
        bool isFolded = false;      ///< the linker folded other functions into the same code
    };
    /// The function of a call, and the position in it.
    struct Line {
        std::uint32_t function = 0;
        std::uint32_t line = 0; ///< 0: unknown
        bool isInlined = false; ///< into the function of the next line
    };
    struct Call {
        std::uint32_t image = kNone; ///< kNone: the code is not in an image
        Address address = 0;         ///< the last byte of the call instruction, before the return address
        std::uint64_t firstLine = 0; ///< index into lines()
        std::uint32_t lineCount = 0;
    };

    CallCatalog(const store::PublishedTrace& trace, analysis::FrameLabels& labels);

    /// The calls of a stack, innermost first. If there are none, a single call contains the reason. Valid until the
    /// next call.
    [[nodiscard]] std::span<const std::uint32_t> callsOf(StackId stack);

    [[nodiscard]] const std::vector<Call>& calls() const { return calls_; }
    /// The function of the inlined code first, the containing function last.
    [[nodiscard]] std::span<const Line> linesOf(const Call& call) const {
        return std::span(lines_).subspan(call.firstLine, call.lineCount);
    }
    [[nodiscard]] const std::vector<Image>& images() const { return images_; }
    [[nodiscard]] const std::vector<Function>& functions() const { return functions_; }
    [[nodiscard]] const std::vector<std::string>& files() const { return files_; }

  private:
    struct CallKey {
        std::uint32_t image;
        std::uint32_t label;
        Address address;
        friend bool operator==(const CallKey&, const CallKey&) = default;
    };
    struct ImageKey {
        std::uint32_t module;
        Address base;
        friend bool operator==(const ImageKey&, const ImageKey&) = default;
    };
    struct HashKey {
        std::size_t operator()(const CallKey& key) const noexcept {
            return seededHash((std::uint64_t{key.image} << 32) | key.label, key.address);
        }
        std::size_t operator()(const ImageKey& key) const noexcept { return seededHash(key.module, key.base); }
    };

    [[nodiscard]] std::uint32_t callOf(FrameNodeId node, store::StackRoot root);
    [[nodiscard]] std::uint32_t callWithoutCode(analysis::LabelId label);
    [[nodiscard]] std::uint32_t imageOf(const analysis::CodeLocation& place, store::StackRoot root);
    void addLines(FrameNodeId node, Call& call);
    [[nodiscard]] std::uint32_t functionOf(analysis::LabelId label, const analysis::RowCode* code);
    [[nodiscard]] std::uint32_t fileOf(std::string_view file);

    const store::PublishedTrace& trace_;
    analysis::FrameLabels& labels_;
    std::shared_ptr<const analysis::NodeLabels> labelOfNode_;
    store::ImageIndex imageIndex_;
    std::vector<std::uint32_t> callOfNode_; ///< kNone: not requested yet
    std::vector<FrameNodeId> nodes_;        ///< nodes of one stack
    std::vector<std::uint32_t> stack_;      ///< calls of that stack
    std::vector<Call> calls_;
    std::vector<Line> lines_;
    std::vector<Image> images_;
    std::vector<Function> functions_;
    std::vector<std::string> files_;
    tsl::robin_map<CallKey, std::uint32_t, HashKey> callIds_;
    tsl::robin_map<ImageKey, std::uint32_t, HashKey> imageIds_;
    tsl::robin_map<std::uint64_t, std::uint32_t, SeededHash> functionIds_; ///< by name and file
    tsl::robin_map<std::string, std::uint32_t, SeededHash> fileIds_;
};

/// The identity of a module's debug file: a build-id, or the GUID and age of a PDB as on symbol servers. "": unknown.
[[nodiscard]] std::string buildIdText(const ModuleIdentity& identity);

} // namespace highwater::formats
