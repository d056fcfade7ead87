#include "app/settings/display.h"

namespace highwater::app {

bool hasDisplay(int /*argc*/, char** /*argv*/) { return true; }

} // namespace highwater::app
