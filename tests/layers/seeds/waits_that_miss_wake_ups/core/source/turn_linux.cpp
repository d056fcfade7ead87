#include "core/source/turn.h"

#include <barrier>
