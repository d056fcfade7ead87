#pragma once

#include "core/base/units.h"
