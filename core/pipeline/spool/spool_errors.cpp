#include "core/pipeline/spool/spool_errors.h"

namespace highwater::pipeline {

void SpoolErrors::reportFile(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (!report_.file) report_.file = error;
}

void SpoolErrors::reportSync(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (!report_.sync) report_.sync = error;
}

void SpoolErrors::reportNext(const Error& error) {
    const std::lock_guard lock(mutex_);
    report_.next = error;
}

void SpoolErrors::clear() {
    const std::lock_guard lock(mutex_);
    report_ = {};
}

SpoolErrors::Report SpoolErrors::report() const {
    const std::lock_guard lock(mutex_);
    return report_;
}

} // namespace highwater::pipeline
