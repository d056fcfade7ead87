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
        return {ErrorKind::AccessDenied, "Administrator rights are required. Restart Highwater as administrator."};
    case kPrivilegeNotHeld:
        return {ErrorKind::AccessDenied, "Your account lacks the right \"Profile system performance\". Restart "
                                         "Highwater as administrator, or ask for that right."};
    case kBadLength:
    case kInvalidParameter:
        return {ErrorKind::Unsupported, "This version of Windows does not support the settings of the recording."};
    case kDiskFull:
        return {ErrorKind::Io, "The system drive needs 200 MB of free space."};
    case kNotImplemented:
        return {ErrorKind::Unsupported, "This system does not support event tracing (it may be Wine), so nothing "
                                        "can be recorded here. Traces can still be opened."};
    case kBadPathname:
        return {ErrorKind::Io, "The session file is in use."};
    case kAlreadyExists:
        return {ErrorKind::Usage, "A session of this kind is already running. End the other recording first."};
    case kNoSystemResources:
        return {
            ErrorKind::Usage,
            "Windows cannot run another session because the limits are 8 system sessions and 64 sessions in total. End "
            "another recorder; \"logman query -ets\" lists the sessions."};
    case kSessionNotFound:
        return {ErrorKind::NotFound, "The session is not running because another program has stopped it."};
    default:
        return {ErrorKind::Io, "Try again. If the error persists, restart Windows."};
    }
}

} // namespace

Error etwError(std::uint32_t code, std::string_view what) {
    const auto reason = reasonOf(code);
    return {reason.kind, fmt::format("Windows did not {} (error {}). {}", what, code, reason.sentence)};
}

} // namespace highwater::source
