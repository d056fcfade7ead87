#include "ui/state/view_state.h"
