#include "core/pipeline/spool/spool_errors.h"

#include "core/log/log.h"

namespace highwater::pipeline {
namespace {

void warn(const Error& error) { log(LogLevel::Warning, LogArea::Recording, "Recording file: " + error.message); }

} // namespace

void SpoolErrors::reportFile(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (report_.file) return;
    report_.file = error;
    warn(error);
}

void SpoolErrors::reportSync(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (report_.sync) return;
    report_.sync = error;
    warn(error);
}

void SpoolErrors::reportNext(const Error& error) {
    const std::lock_guard lock(mutex_);
    report_.next = error;
    warn(error);
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
