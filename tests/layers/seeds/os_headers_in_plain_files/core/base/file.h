#include <fcntl.h>
#include <pthread.h>
