#include "core/source/etw/etw_error.h"

#include <fmt/format.h>

namespace highwater::source {
namespace {

struct Reason {
    ErrorKind kind;
    std::string_view sentence;
};

Reason reasonOf(std::uint32_t code) {
    using namespace etw_code;
    switch (code) {
    case kAccessDenied:
        return {ErrorKind::AccessDenied,
                "That needs the rights of an administrator: restart Highwater as administrator."};
    case kPrivilegeNotHeld:
        return {ErrorKind::AccessDenied, "Your account lacks the right \"Profile system performance\": restart "
                                         "Highwater as administrator, or ask for that right."};
    case kBadLength:
    case kInvalidParameter:
        return {ErrorKind::Unsupported, "This version of Windows does not take the settings of the recording."};
    case kDiskFull:
        return {ErrorKind::Io, "The system drive needs 200 MB of free space."};
    case kNotImplemented:
        return {ErrorKind::Unsupported, "This system has no event tracing (as under Wine), so nothing can be recorded "
                                        "here. Traces open all the same."};
    case kBadPathname:
        return {ErrorKind::Io, "The file of the session is in use."};
    case kAlreadyExists:
        return {ErrorKind::Usage, "A session of that kind is running already: end the other recording first."};
    case kNoSystemResources:
        return {ErrorKind::Usage,
                "Windows has no room for another session: at most 8 of the system's kind run at once, and 64 of any. "
                "End another recorder; \"logman query -ets\" lists them."};
    case kSessionNotFound:
        return {ErrorKind::NotFound, "The session is not running: another program has stopped it."};
    default:
        return {ErrorKind::Io, "Try again; if it stays so, restart Windows."};
    }
}

} // namespace

Error etwError(std::uint32_t code, std::string_view what) {
    const auto reason = reasonOf(code);
    return {reason.kind, fmt::format("Windows did not {} (error {}). {}", what, code, reason.sentence)};
}

} // namespace highwater::source
