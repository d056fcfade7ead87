#include "core/source/records/machine_id.h"

#include "core/base/sha256.h"

#include <cstring>
#include <span>

namespace highwater::source {

const Guid& machineId() {
    static const Guid id = machineIdOf(systemIdentity());
    return id;
}

Guid machineIdOf(const std::string& systemIdentity) {
    Guid id;
    if (systemIdentity.empty()) return id;
    // The prefix makes the hash differ from those of other programs.
    const auto text = "Highwater was recording on " + systemIdentity;
    const auto hash = sha256(std::as_bytes(std::span(text)));
    std::memcpy(&id, hash.data(), sizeof(id));
    return id;
}

} // namespace highwater::source
