#pragma once
#include <windows.h>
#include <evntrace.h>
#include "core/base/units.h"
