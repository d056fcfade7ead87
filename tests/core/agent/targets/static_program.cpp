#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

/// With an argument it waits until it is ended. With more arguments it runs them as a program and ends when that does,
/// or a little later if the first argument is "later".
int main(int count, char** arguments) {
    if (count == 2) pause();
    if (count < 3) return 0;
    if (std::strcmp(arguments[1], "later") == 0) {
        usleep(500'000);
        ++arguments;
    }
    const pid_t child = fork();
    if (child == 0) {
        execv(arguments[1], arguments + 1);
        _exit(65);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}
