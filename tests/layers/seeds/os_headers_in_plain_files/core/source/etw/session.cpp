#include <Windows.h>
#include <evntrace.h>
