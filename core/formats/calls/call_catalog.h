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

/// The calls that stacks consist of, each once, with numbers from 0 in the order in which they were asked for; and the
/// images, functions and source files that they name, numbered the same way. Functions are called as in tables. What it
/// holds grows with the code that was asked for, not with rows. The trace and the labels must outlive it. One thread.
class CallCatalog {
  public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    /// A module where a process has it. The same place in several processes is one.
    struct Image {
        store::ModuleIndex module;
        Address base = 0;
        ByteCount size = 0;
    };
    struct Function {
        std::string name;           ///< "app.exe!main"; "app.exe!+0x1234" of none, as in tables
        std::string linkageName;    ///< as the linker knows it; "" where nothing names it
        std::uint32_t file = kNone; ///< where its code was written
        bool isFolded = false;      ///< the linker folded other functions into the same code
    };
    /// A function of a call, and where in it.
    struct Line {
        std::uint32_t function = 0;
        std::uint32_t line = 0; ///< 0: not known
        bool isInlined = false; ///< into the function of the next line
    };
    struct Call {
        std::uint32_t image = kNone; ///< kNone: its code is in no image
        Address address = 0;         ///< of the call's own code: the byte before an address to return to
        std::uint64_t firstLine = 0; ///< of lines()
        std::uint32_t lineCount = 0;
    };

    CallCatalog(const store::PublishedTrace& trace, analysis::FrameLabels& labels);

    /// The calls of a stack, innermost first. One that says why there are none, where there are none. Valid until the
    /// next call.
    [[nodiscard]] std::span<const std::uint32_t> callsOf(StackId stack);

    [[nodiscard]] const std::vector<Call>& calls() const { return calls_; }
    /// The function that the code was inlined from first, the one that holds it last.
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
    std::vector<std::uint32_t> callOfNode_; ///< kNone: not asked for yet
    std::vector<FrameNodeId> nodes_;        ///< of one stack
    std::vector<std::uint32_t> stack_;      ///< its calls
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

/// What names the debug file of a module: a build-id as it is, of a PDB its GUID and age, as symbol servers write them.
/// "": nothing does.
[[nodiscard]] std::string buildIdText(const ModuleIdentity& identity);

} // namespace highwater::formats
