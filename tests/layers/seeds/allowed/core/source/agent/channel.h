#pragma once
#include "core/agent_linux/programs/layout.h"
