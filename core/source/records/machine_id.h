#pragma once

#include "core/base/guid.h"

#include <string>

namespace highwater::source {

/// What recordings of Highwater say of the computer that they were made on (system_records.h, addMachine): by it a
/// trace is known as one of this computer, whose paths mean the files that they meant when it was recorded. It proves
/// only that the maker of the trace knew it. Who never had a recording of this computer cannot guess it, but it stands
/// in each of them: whoever received one can forge another. So little hangs on it: plain paths on local drives are
/// looked at (trustedPath), nothing else. One-way: it does not tell the identity that the system itself asks to keep to
/// oneself. Without such an identity (in a container, as a rule) it holds until the next start of the system; Guid{}:
/// there is none at all. Any thread.
[[nodiscard]] const Guid& machineId();

/// A hash of the system's own identity. "" gives Guid{}.
[[nodiscard]] Guid machineIdOf(const std::string& systemIdentity);

/// As the system tells it: /etc/machine-id or else the id of this boot, on Windows MachineGuid. "": not told.
[[nodiscard]] std::string systemIdentity();

} // namespace highwater::source
