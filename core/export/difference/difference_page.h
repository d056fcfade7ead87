#pragma once

#include "core/analysis/difference/difference.h"
#include "core/event/trace_health.h"

#include <string>
#include <vector>

namespace highwater::exports {

/// What is to be told of one of the traces that are compared.
struct ComparedFile {
    std::string name; ///< as it was opened
    HealthReport health;
};

/// A difference and where it comes from: the files of each side in the order of its query.
struct DifferencePage {
    analysis::Difference& difference;
    std::vector<ComparedFile> before;
    std::vector<ComparedFile> after;
};

} // namespace highwater::exports
