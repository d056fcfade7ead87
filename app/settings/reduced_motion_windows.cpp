#include "app/settings/reduced_motion.h"

#include <windows.h>

namespace highwater::app {

bool systemReducesMotion() {
    BOOL animates = TRUE;
    return SystemParametersInfoW(SPI_GETCLIENTAREAANIMATION, 0, &animates, 0) && !animates;
}

} // namespace highwater::app
