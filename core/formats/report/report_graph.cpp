#include "core/formats/report/report_graph.h"

#include "core/base/text.h"
#include "core/formats/report/report_style.h"
#include "core/formats/report/report_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace highwater::formats {
namespace {

using analysis::TimelineMeasure, analysis::TimelineSeries;

constexpr int kWidth = 1000;
constexpr int kHeight = 260;
constexpr int kLeft = 80; ///< room for amounts
constexpr int kTop = 10;
constexpr int kBottom = 26; ///< room for times
constexpr int kSteps = 4;

std::string amountText(TimelineMeasure measure, SignedByteCount amount) {
    const auto positive = static_cast<std::uint64_t>(std::max(amount, SignedByteCount{0}));
    return measure == TimelineMeasure::Count ? thousands(positive) : bytesText(positive);
}

SignedByteCount highestOf(const TimelineSeries& series) {
    SignedByteCount highest = 0;
    for (const auto peak : series.peaks)
        highest = std::max(highest, peak);
    return highest;
}

class GraphWriter {
  public:
    GraphWriter(const analysis::TimelineQuery& query, const analysis::Timeline& timeline, std::ostream& out)
        : query_(query), timeline_(timeline), out_(out) {
        for (const auto& series : timeline.series)
            highest_ = std::max(highest_, highestOf(series));
    }
    void write() const {
        out_ << fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{} over time\">\n", kWidth, kHeight,
                            query_.measure == TimelineMeasure::Count ? "Rows" : "Bytes");
        writeAxes();
        for (std::size_t i = 0; i < timeline_.series.size(); ++i)
            writeLine(timeline_.series[i], i % kReportColors);
        out_ << "</svg>\n<ul class=\"legend\">\n";
        for (std::size_t i = 0; i < timeline_.series.size(); ++i) {
            const auto& series = timeline_.series[i];
            out_ << fmt::format("<li><i class=\"c{}\"></i>{} <span class=\"quiet\">at most {}</span></li>\n",
                                i % kReportColors, htmlText(series.name),
                                amountText(query_.measure, highestOf(series)));
        }
        out_ << "</ul>\n";
    }

  private:
    [[nodiscard]] double yOf(double amount) const {
        const double room = kHeight - kTop - kBottom;
        return kTop + room * (1 - (highest_ == 0 ? 0 : amount / static_cast<double>(highest_)));
    }
    [[nodiscard]] double xOf(std::size_t slice) const {
        return kLeft + (kWidth - kLeft) * static_cast<double>(slice) /
                           static_cast<double>(std::max<std::size_t>(timeline_.starts.size(), 1));
    }
    void writeAxes() const {
        for (int step = 0; step <= kSteps; ++step) {
            const auto amount = static_cast<double>(highest_) * step / kSteps;
            const auto y = yOf(amount);
            out_ << fmt::format("<line class=\"grid\" x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\"/>"
                                "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                                kLeft, y, kWidth, y, kLeft - 6, y + 4,
                                htmlText(amountText(query_.measure, static_cast<SignedByteCount>(amount))));
        }
        const auto interval = timeline_.interval;
        for (int step = 0; step <= kSteps; ++step) {
            const auto x = kLeft + (kWidth - kLeft) * step / kSteps;
            const auto time =
                interval.start.seconds() + (interval.end.seconds() - interval.start.seconds()) * step / kSteps;
            const auto* anchor = step == 0 ? "start" : step == kSteps ? "end" : "middle";
            out_ << fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{:.3f} s</text>\n", x, kHeight - 8, anchor,
                                time);
        }
    }
    /// Draws a step for each slice that differs from the previous one.
    void writeLine(const TimelineSeries& series, std::size_t color) const {
        if (series.peaks.empty()) return;
        auto path = fmt::format("M{:.1f} {:.1f}", xOf(0), yOf(static_cast<double>(series.peaks[0])));
        for (std::size_t i = 1; i < series.peaks.size(); ++i) {
            if (series.peaks[i] != series.peaks[i - 1])
                path += fmt::format("H{:.1f}V{:.1f}", xOf(i), yOf(static_cast<double>(series.peaks[i])));
        }
        path += fmt::format("H{}", kWidth);
        out_ << fmt::format("<path class=\"c{}\" d=\"{}\"><title>{}</title></path>\n", color, path,
                            htmlText(series.name));
    }

    const analysis::TimelineQuery& query_;
    const analysis::Timeline& timeline_;
    std::ostream& out_;
    SignedByteCount highest_ = 0;
};

} // namespace

void writeReportGraph(const analysis::TimelineQuery& query, const analysis::Timeline& timeline, std::ostream& out) {
    GraphWriter(query, timeline, out).write();
}

} // namespace highwater::formats
