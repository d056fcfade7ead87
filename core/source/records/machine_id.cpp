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
    const auto text = "Highwater was recording on " + systemIdentity; // other programs' hashes of it are other ones
    const auto hash = sha256(std::as_bytes(std::span(text)));
    std::memcpy(&id, hash.data(), sizeof(id));
    return id;
}

} // namespace highwater::source
