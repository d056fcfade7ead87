#include "core/export/info/info_peaks.h"

#include <cmath>

namespace highwater::exports {

Json residentPeaksJson(const std::vector<ResidentPeak>& peaks) {
    constexpr double kSteps = 10'000; // a hundredth of a percent
    auto list = Json::array();
    for (const auto& peak : peaks)
        list.push_back(
            {{"process", peak.process},
             {"samples", peak.samples},
             {"peak_rss_bytes", peak.bytes},
             {"peak_s", secondsJson(peak.time)},
             {"explained_share", peak.explained ? Json(std::floor(*peak.explained * kSteps) / kSteps) : Json()}});
    return list;
}

Json memoryPeaksJson(const std::vector<analysis::ProcessMemoryPeaks>& peaks) {
    auto list = Json::array();
    for (const auto& peak : peaks)
        list.push_back({{"process", peak.process},
                        {"samples", peak.samples},
                        {"peak_private_bytes", peak.privateBytes},
                        {"peak_private_s", secondsJson(peak.privateTime)},
                        {"peak_working_set_bytes", peak.workingSet},
                        {"peak_working_set_s", secondsJson(peak.workingSetTime)}});
    return list;
}

} // namespace highwater::exports
