#include "app/recording/elevation.h"

namespace highwater::app {

bool needsElevation() { return false; }

bool startElevated(const QStringList&) { return false; }

} // namespace highwater::app
