#pragma once

#include "core/source/wpr/wpr_journal.h"

namespace highwater::source {

/// The journal of this user: beside the log, in %LOCALAPPDATA%\highwater.
[[nodiscard]] WprJournal wprJournalOfUser();

} // namespace highwater::source
