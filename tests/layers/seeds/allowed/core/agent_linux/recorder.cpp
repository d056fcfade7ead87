#include <dlfcn.h>
#include <libunwind.h>
