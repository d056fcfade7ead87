#include "core/export/flames_writer.h"

#include "core/analysis/flames/flame_layout.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/export/flame_colors.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace highwater::exports {
namespace {

using analysis::FlameBox;
using analysis::FlameTree;

constexpr double kRowHeight = 17;
constexpr double kMargin = 10;
constexpr double kLetter = 6.4; ///< average width of a letter at kLetterSize, used to cut texts
constexpr double kLetterSize = 11;

/// A frame's text for a line in which semicolons separate frames.
std::string foldedText(const std::string& name) {
    auto text = printable(name);
    std::ranges::replace(text, ';', ':');
    return text;
}

/// XML does not allow control characters or invalid UTF-8.
std::string xmlText(const std::string& text) {
    std::string escaped;
    for (const auto c : printable(text)) {
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        default:
            escaped += c;
        }
    }
    return escaped;
}

std::string shareText(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string mergedText(const FlameTree& tree, const FlameBox& box) {
    const auto share = static_cast<double>(box.width) / static_cast<double>(tree.root().width);
    return fmt::format("{}, {} than a pixel\n{} of all", counted(box.merged, "frame"),
                       byNumber(box.merged, "narrower", "each narrower"), shareText(share));
}

std::string tooltipOf(const FlameTree& tree, const FlameBox& box, const FlameDrawing& drawing) {
    if (box.isMerged()) return mergedText(tree, box);
    std::string text;
    for (const auto& line : flameFacts(tree, box.node, drawing.measure))
        text += (text.empty() ? "" : "\n") + line;
    return text;
}

/// Processes each line separately, because printable() does not preserve line breaks.
std::string xmlLines(const std::string& text) {
    std::string escaped;
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        escaped += (at == 0 ? "" : "\n") + xmlText(text.substr(at, end - at));
        at = end + 1;
    }
    return escaped;
}

class SvgWriter {
  public:
    SvgWriter(const FlameTree& tree, const FlameDrawing& drawing, std::ostream& out)
        : tree_(tree),
          drawing_(drawing),
          out_(out),
          top_(kMargin + kRowHeight * static_cast<double>(drawing.titles.size())) {
        window_.zoom = drawing.zoom;
        window_.width = drawing.width - 2 * kMargin;
        analysis::FlameLayout(tree, window_).visit([&](const FlameBox& box) { rows_ = std::max(rows_, box.row + 1); });
    }
    void write() const {
        const auto height = top_ + kRowHeight * rows_ + kMargin;
        out_ << fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" font-family="sans-serif" font-size="{2}">
<rect width="{0}" height="{1}" fill="#ffffff"/>
)",
                            drawing_.width, height, kLetterSize);
        for (std::size_t line = 0; line < drawing_.titles.size(); ++line)
            out_ << fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", kMargin,
                                kMargin + kRowHeight * static_cast<double>(line) + kLetterSize,
                                xmlText(drawing_.titles[line]));
        analysis::FlameLayout(tree_, window_).visit([&](const FlameBox& box) { writeBox(box); });
        out_ << "</svg>\n";
    }

  private:
    void writeBox(const FlameBox& box) const {
        const auto row = drawing_.root == FlameDrawing::Root::Top ? box.row : rows_ - 1 - box.row;
        const auto y = top_ + kRowHeight * row;
        const auto color =
            box.isMerged() ? mergedFlameColor(FlameGround::Light) : flameColorOf(tree_, box.node, FlameGround::Light);
        const auto width = std::max(box.right - box.left, 0.3);
        out_ << fmt::format("<g><title>{}</title><rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" "
                            "fill=\"#{:02x}{:02x}{:02x}\"/>",
                            xmlLines(tooltipOf(tree_, box, drawing_)), kMargin + box.left, y,
                            std::max(width - 0.5, 0.3), kRowHeight - 1, color.red, color.green, color.blue);
        const auto room = static_cast<std::size_t>(std::max(0.0, (width - 6) / kLetter));
        if (room >= 3 && !box.isMerged())
            out_ << fmt::format("<text x=\"{:.2f}\" y=\"{}\">{}</text>", kMargin + box.left + 3, y + kRowHeight - 5,
                                xmlText(cutText(box.node, room)));
        out_ << "</g>\n";
    }
    [[nodiscard]] std::string cutText(std::uint32_t node, std::size_t room) const {
        auto text = printable(node == FlameTree::kRoot ? std::string("all") : tree_.text(node));
        if (text.size() <= room) return text;
        // The function is more informative than its module.
        if (const auto mark = text.find('!'); mark != std::string::npos && mark + 1 < text.size())
            text.erase(0, mark + 1);
        if (text.size() <= room) return text;
        return std::string(startOfText(text, room - 2)) + "..";
    }

    const FlameTree& tree_;
    const FlameDrawing& drawing_;
    std::ostream& out_;
    double top_;
    analysis::FlameWindow window_;
    std::uint32_t rows_ = 0;
};

} // namespace

void writeFlamesFolded(const FlameTree& tree, std::ostream& out) {
    std::vector<std::string> paths(tree.nodes.size()); // parents precede their children
    for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
        const auto& of = tree.nodes[node];
        if (node != FlameTree::kRoot)
            paths[node] = paths[of.parent] + (of.parent == FlameTree::kRoot ? "" : ";") + foldedText(tree.text(node));
        if (tree.selfWidth(node) == 0) continue;
        const auto name = node == FlameTree::kRoot ? "all" : paths[node].c_str();
        if (tree.hasBefore)
            out << name << ' ' << of.ownBefore << ' ' << of.ownNow << '\n';
        else
            out << name << ' ' << tree.selfWidth(node) << '\n';
    }
}

void writeFlamesSvg(const FlameTree& tree, const FlameDrawing& drawing, std::ostream& out) {
    SvgWriter(tree, drawing, out).write();
}

std::string flameAmountText(SignedByteCount amount, analysis::Column measure) {
    const auto text = measure == analysis::Column::Count ? thousands(magnitude(amount)) : bytesText(magnitude(amount));
    return (amount < 0 ? "-" : "") + text;
}

std::vector<std::string> flameSentences(const FlameTree& tree, analysis::Column measure) {
    std::vector<std::string> sentences;
    sentences.push_back(fmt::format("{} {} in {}.", tree.valueName, flameAmountText(tree.root().now, measure),
                                    counted(tree.frames(), "frame")));
    if (tree.hasBefore)
        sentences.push_back(fmt::format(
            "Before: {}. Red frames grew, blue ones shrank. A frame's width is the larger of the two amounts.",
            flameAmountText(tree.root().before, measure)));
    if (tree.peakTime)
        sentences.push_back(
            fmt::format("Amounts outstanding at the peak of the total, at {} s.", secondsText(*tree.peakTime)));
    if (tree.notDrawn < 0)
        sentences.push_back(
            fmt::format("Decreases have no width: {} not drawn.", flameAmountText(tree.notDrawn, measure)));
    if (tree.cut > 0)
        sentences.push_back(fmt::format("{} {} merged into \"(N more)\".", counted(tree.cut, "narrow frame"),
                                        byNumber(tree.cut, "is", "are")));
    return sentences;
}

std::vector<std::string> flameFacts(const FlameTree& tree, std::uint32_t node, analysis::Column measure) {
    const auto& of = tree.nodes[node];
    std::vector<std::string> lines{node == FlameTree::kRoot ? std::string("all") : tree.text(node)};
    auto amount = flameAmountText(of.now, measure);
    if (measure != analysis::Column::Count && magnitude(of.now) >= 1024)
        amount += fmt::format(" ({}{} B)", of.now < 0 ? "-" : "", thousands(magnitude(of.now)));
    if (tree.hasBefore) {
        const auto change =
            static_cast<SignedByteCount>(static_cast<std::uint64_t>(of.now) - static_cast<std::uint64_t>(of.before));
        amount += fmt::format(", before {}: {}{}", flameAmountText(of.before, measure), change > 0 ? "+" : "",
                              flameAmountText(change, measure));
    } else if (of.now < 0 || static_cast<std::uint64_t>(of.now) < of.width) {
        const auto grew = flameAmountText(static_cast<SignedByteCount>(of.width), measure);
        const auto fell =
            flameAmountText(static_cast<SignedByteCount>(of.width - static_cast<std::uint64_t>(of.now)), measure);
        amount += fmt::format(": {} grew, {} fell", grew, fell);
    }
    lines.push_back(std::move(amount));
    auto shares = shareText(tree.share(node, FlameTree::kRoot)) + " of all";
    if (node != FlameTree::kRoot && of.parent != FlameTree::kRoot)
        shares += fmt::format(", {} of its parent", shareText(tree.share(node, of.parent)));
    lines.push_back(std::move(shares));
    if (measure != analysis::Column::Count) lines.push_back(fmt::format("Count {}", thousands(of.count)));
    return lines;
}

} // namespace highwater::exports
