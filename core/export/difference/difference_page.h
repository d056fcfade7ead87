#pragma once

#include "core/analysis/difference/difference.h"
#include "core/event/trace_health.h"

#include <string>
#include <vector>

namespace highwater::exports {

/// Description of one of the compared traces.
struct ComparedFile {
    std::string name; ///< as opened
    HealthReport health;
};

/// A difference and its files, in the order of the query's sides.
struct DifferencePage {
    analysis::Difference& difference;
    std::vector<ComparedFile> before;
    std::vector<ComparedFile> after;
};

} // namespace highwater::exports
