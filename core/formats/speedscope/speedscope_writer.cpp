#include "core/formats/speedscope/speedscope_writer.h"

#include "core/base/text.h"
#include "core/export/json_text.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace highwater::formats {
namespace {

using analysis::FlameTree;

/// The exporting program; speedscope does not show it.
constexpr auto kExporter = "highwater";
constexpr auto kSchema = "https://www.speedscope.app/file-format-schema.json";

std::string quoted(const std::string& text) { return exports::dumped(exports::Json(text)); }

class SpeedscopeWriter {
  public:
    SpeedscopeWriter(const FlameTree& tree, analysis::Column measure, std::ostream& out)
        : tree_(tree), unit_(measure == analysis::Column::Count ? "none" : "bytes"), out_(out) {}

    void write(const std::string& title) {
        out_ << "{\"$schema\":" << quoted(kSchema) << ",\n\"exporter\":" << quoted(kExporter)
             << ",\"name\":" << quoted(title) << ",\"activeProfileIndex\":" << (tree_.hasBefore ? 1 : 0) << ",\n";
        writeFrames();
        out_ << "\"profiles\":[\n";
        if (tree_.hasBefore) {
            writeProfile(title + ", before", [&](std::uint32_t node) { return positive(tree_.nodes[node].ownBefore); });
            out_ << ",\n";
            writeProfile(title + ", now", [&](std::uint32_t node) { return positive(tree_.nodes[node].ownNow); });
        } else {
            writeProfile(title, [&](std::uint32_t node) { return tree_.selfWidth(node); });
        }
        out_ << "]}\n";
    }

  private:
    static std::uint64_t positive(SignedByteCount amount) {
        return static_cast<std::uint64_t>(std::max(amount, SignedByteCount{0}));
    }
    /// Writes labels, followed by the names of nodes without a label.
    void writeFrames() {
        out_ << "\"shared\":{\"frames\":[\n";
        for (const auto& label : tree_.labels)
            out_ << "{\"name\":" << quoted(printable(label.text)) << "},\n";
        frameOfNode_.resize(tree_.nodes.size());
        auto next = static_cast<std::uint32_t>(tree_.labels.size());
        for (std::uint32_t node = 1; node < tree_.nodes.size(); ++node) {
            const auto& of = tree_.nodes[node];
            frameOfNode_[node] = of.isMore() ? next++ : of.label;
            if (of.isMore()) out_ << "{\"name\":" << quoted(tree_.text(node)) << "},\n";
        }
        frameOfNode_[FlameTree::kRoot] = next;
        out_ << "{\"name\":\"all\"}]},\n"; // for nodes without a group
    }
    template <typename Weight>
    void writeProfile(const std::string& name, Weight weightOf) {
        std::uint64_t total = 0;
        out_ << "{\"type\":\"sampled\",\"name\":" << quoted(name) << ",\"unit\":\"" << unit_
             << "\",\"startValue\":0,\n\"samples\":[";
        visit(weightOf, [&](std::uint32_t node, std::uint64_t weight, const char* separator) {
            total += weight;
            out_ << separator;
            writeStack(node);
        });
        out_ << "],\n\"weights\":[";
        visit(weightOf,
              [&](std::uint32_t, std::uint64_t weight, const char* separator) { out_ << separator << weight; });
        out_ << "],\n\"endValue\":" << total << "}";
    }
    template <typename Weight, typename Visit>
    void visit(Weight weightOf, Visit visitNode) {
        const char* separator = "\n";
        for (std::uint32_t node = 0; node < tree_.nodes.size(); ++node) {
            const auto weight = weightOf(node);
            if (weight == 0) continue;
            visitNode(node, weight, separator);
            separator = ",\n";
        }
    }
    void writeStack(std::uint32_t node) {
        stack_.clear();
        for (; node != FlameTree::kRoot; node = tree_.nodes[node].parent)
            stack_.push_back(frameOfNode_[node]);
        if (stack_.empty()) stack_.push_back(frameOfNode_[FlameTree::kRoot]);
        const char* separator = "[";
        for (auto frame = stack_.rbegin(); frame != stack_.rend(); ++frame) {
            out_ << separator << *frame;
            separator = ",";
        }
        out_ << ']';
    }

    const FlameTree& tree_;
    const char* unit_;
    std::ostream& out_;
    std::vector<std::uint32_t> frameOfNode_;
    std::vector<std::uint32_t> stack_;
};

} // namespace

void writeSpeedscope(const FlameTree& tree, analysis::Column measure, const std::string& title, std::ostream& out) {
    SpeedscopeWriter(tree, measure, out).write(title);
}

} // namespace highwater::formats
